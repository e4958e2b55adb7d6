/**
 * Replaces damaged texts of a reading by the stored texts, in scopes with full rows. The hash of a full row covers the
 * whole answer, so the source's record and the child rows are also restored. An answer that differs from the stored one
 * only by damage has the stored hash, and nothing is written.
 */
import { readChildRows, restoreChildRows } from '#shared/rows/item/child-rows.store.ts';
import {
  hashContent,
  inflateRaw,
  type NewRow,
  rowSearchText,
  type StoredFullRow,
} from '#shared/rows/item/row-items.ts';
import type { Row, ScopeDefinition } from '#shared/scopes/scope.ts';
import { maybeDamaged, restoreTexts } from '#shared/values/damaged-forms.ts';
import type { Writer } from './row.store.ts';

/** Returns the row as the parser returned it, with its child rows and in the order of the schema's fields. */
const parsedRow = ({ parsed, childRows }: ScopeDefinition, row: Row, children: Row[] | null): Row => {
  const whole = { ...row, ...(childRows && children !== null ? { [childRows.field]: children } : {}) };
  return Object.fromEntries(
    Object.keys(parsed.shape).flatMap((field) => (field in whole ? [[field, whole[field]]] : [])),
  );
};

const restoreChildren = async (
  { address, scope: { childRows: children } }: Writer,
  { id, childRows }: NewRow,
  count: number,
): Promise<Row[] | null> => {
  if (!children || !maybeDamaged(childRows)) return childRows;
  return restoreChildRows(children, id, childRows ?? [], await readChildRows({ address, rowId: id, count }, 0, count));
};

const restoreOne = async (writer: Writer, shown: NewRow, before: StoredFullRow): Promise<NewRow> => {
  const { scope } = writer;
  const row = restoreTexts(shown.row, before.row);
  const raw: Row = restoreTexts(JSON.parse(shown.raw), await inflateRaw(before.raw));
  const childRows = await restoreChildren(writer, shown, before.childCount);
  const hash = hashContent(scope, parsedRow(scope, row, childRows), raw);
  return { ...shown, row, childRows, raw: JSON.stringify(raw), hash, searchText: rowSearchText(scope, row) };
};

/** @param known stored documents of these rows, by id */
export const restoreDamagedRows = (
  writer: Writer,
  rows: readonly NewRow[],
  known: ReadonlyMap<string, StoredFullRow>,
): Promise<NewRow[]> =>
  Promise.all(
    rows.map((row) => {
      const before = known.get(row.id);
      return before && maybeDamaged([row.row, row.childRows, row.raw]) ? restoreOne(writer, row, before) : row;
    }),
  );
