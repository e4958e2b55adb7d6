/** Builds the columns of a scope's table, of its exported file, and of the detail of a row. */
import { rutWithDots } from '../../text/rut.ts';
import { inReadingOrder } from '../reading-order.ts';
import type { Field, Row } from '../resource.ts';
import { choiceWord, fieldWord } from '../words.ts';
import { type Column, cellText } from './column.ts';
import { type ColumnSource, fieldColumn } from './field-column.ts';
import { HIDDEN, LAYOUTS, PHONE_FIRST, PHONE_POSITION, SECOND_LINES } from './layouts.ts';
import { type Party, readCounterparty } from './read-parties.ts';

const textAt = (row: Row, name: string): string | null =>
  row[name] === null || row[name] === undefined || row[name] === '' ? null : String(row[name]);

const partyColumn = (head: string, readParty: (row: Row) => Party): Column => ({
  name: head,
  head: fieldWord(head),
  kind: 'text',
  read: (row) => readParty(row).name ?? dotted(readParty(row).rut),
  readSecond: (row) => (readParty(row).name === null ? null : dotted(readParty(row).rut)),
});

const rutColumn = (name: string, readParty: (row: Row) => Party): Column => ({
  name,
  head: fieldWord(name),
  kind: 'text',
  read: (row) => dotted(readParty(row).rut),
});

const nameColumn = (name: string, readParty: (row: Row) => Party): Column => ({
  name,
  head: fieldWord(name),
  kind: 'text',
  read: (row) => readParty(row).name,
});

const dotted = (rut: string | null): string | null => (rut === null ? null : rutWithDots(rut));

const partyAt =
  (name: string, rut: string) =>
  (row: Row): Party => ({ name: textAt(row, name), rut: textAt(row, rut) });

const organismo = partyAt('organismo_razon_social', 'organismo_rut');
const oferente = partyAt('proveedor_razon_social', 'oferente_rut');

const typeColumn: Column = {
  name: 'document_type',
  head: fieldWord('document_type'),
  kind: 'text',
  read: (row) =>
    textAt(row, 'document_type') === null ? null : choiceWord('document_type', String(row.document_type)),
};
const typeCodeColumn: Column = {
  name: 'document_type_code',
  head: fieldWord('document_type_code'),
  kind: 'code',
  read: (row) => textAt(row, 'document_type'),
};
const folioColumn: Column = {
  name: 'folio',
  head: fieldWord('folio'),
  kind: 'code',
  read: (row) => textAt(row, 'folio'),
};
/** The day of a summary, which the API gives as month and day. */
const dateColumn: Column = {
  name: 'date',
  head: fieldWord('date'),
  kind: 'day',
  read: ({ period, day }) => (typeof day === 'number' ? `${period}-${String(day).padStart(2, '0')}` : null),
};

/** Columns made of several fields: one column of the table, and one or more columns of a file. */
const COMPOSED: Readonly<Record<string, { shown: Column; exported: readonly Column[] }>> = {
  '@document': {
    shown: {
      ...typeColumn,
      name: 'document',
      head: fieldWord('document'),
      readSecond: (row) => textAt(row, 'folio'),
    },
    exported: [typeColumn, typeCodeColumn, folioColumn],
  },
  '@counterparty': {
    shown: partyColumn('counterparty_name', readCounterparty),
    exported: [rutColumn('counterparty_rut', readCounterparty), nameColumn('counterparty_name', readCounterparty)],
  },
  '@organismo': {
    shown: partyColumn('organismo_razon_social', organismo),
    exported: [rutColumn('organismo_rut', organismo), nameColumn('organismo_razon_social', organismo)],
  },
  '@oferente': {
    shown: partyColumn('proveedor_razon_social', oferente),
    exported: [rutColumn('oferente_rut', oferente), nameColumn('proveedor_razon_social', oferente)],
  },
  '@tender': {
    shown: {
      name: 'nombre',
      head: fieldWord('nombre'),
      kind: 'text',
      read: (row) => textAt(row, 'nombre') ?? textAt(row, 'codigo'),
      readSecond: (row) => textAt(row, 'codigo'),
    },
    exported: ['codigo', 'nombre'].map((name) => ({
      name,
      head: fieldWord(name),
      kind: 'text',
      read: (row) => textAt(row, name),
    })),
  },
  '@date': { shown: dateColumn, exported: [dateColumn] },
};

/** True if a table can show the field. Ids mean nothing to a person, and nested values are shown in the detail. */
const isColumn = ({ kind }: Field): boolean => kind !== 'id' && kind !== 'object' && kind !== 'list';

const layoutOf = ({ source, scope, fields }: ColumnSource): readonly string[] =>
  LAYOUTS[`${source}.${scope}`] ?? inReadingOrder(fields.filter(isColumn)).map(({ name }) => name);

const fieldsNamed = (source: ColumnSource, name: string): Column[] =>
  source.fields.filter((field) => field.name === name).map((field) => fieldColumn(source, field));

const isOfFields = (name: string, { fields }: ColumnSource): boolean =>
  (HIDDEN[name] ?? []).some((hidden) => fields.some((field) => field.name === hidden));

/**
 * Puts fields on the second lines of columns, and leaves out the columns of these fields.
 * @param lines name of a column → name of the field on its second line
 */
const withSecondLines = (
  source: ColumnSource,
  columns: readonly Column[],
  lines: Readonly<Record<string, string>>,
): Column[] => {
  const moved = new Set(Object.values(lines));
  return columns
    .filter(({ name }) => !moved.has(name))
    .map((column) => {
      const [second] = fieldsNamed(source, lines[column.name] ?? '');
      return second === undefined ? column : { ...column, readSecond: (row) => cellText(second, row) };
    });
};

/** Moves the main amount into view, with the state below it; the direction is below the date. */
const phoneColumns = (source: ColumnSource, columns: readonly Column[]): Column[] => {
  const [first] = columns;
  const main = columns.find(({ name }) => PHONE_FIRST.has(name));
  if (first === undefined || main === undefined) return [...columns];
  const shown = withSecondLines(source, columns, { [first.name]: 'direction', [main.name]: 'estado' });
  const at = shown.findIndex(({ name }) => name === main.name);
  return at > PHONE_POSITION ? shown.toSpliced(PHONE_POSITION, 0, ...shown.splice(at, 1)) : shown;
};

/** Returns the columns of the table. */
export const tableColumns = (source: ColumnSource, isPhone: boolean): Column[] => {
  const columns = layoutOf(source).flatMap((name) => {
    const composed = COMPOSED[name];
    if (composed) return isOfFields(name, source) ? [composed.shown] : [];
    return fieldsNamed(source, name);
  });
  if (isPhone) return phoneColumns(source, columns);
  return withSecondLines(source, columns, SECOND_LINES[`${source.source}.${source.scope}`] ?? {});
};

/** Fields that are for programs and not for a reader of the file. */
const TECHNICAL: ReadonlySet<string> = new Set(['created_at', 'updated_at']);

/** Returns the columns of an exported file: those of the table, then all other fields with a meaning for a person. */
export const exportColumns = (source: ColumnSource): Column[] => {
  const layout = layoutOf(source);
  const hidden = new Set(layout.flatMap((name) => HIDDEN[name] ?? []));
  const first = layout.flatMap((name) =>
    COMPOSED[name] ? (isOfFields(name, source) ? COMPOSED[name].exported : []) : fieldsNamed(source, name),
  );
  const met = new Set([...first.map(({ name }) => name), ...hidden, ...TECHNICAL]);
  const rest = source.fields.filter((field) => isColumn(field) && !met.has(field.name));
  return [...first, ...rest.map((field) => fieldColumn(source, field))];
};

/** Returns the columns that have a value in the rows. Empty columns would push other columns out of view. */
export const withValues = (columns: readonly Column[], rows: readonly Row[]): Column[] =>
  columns.filter((column) => rows.some((row) => cellText(column, row) !== null));

/** Returns a column for each field of the detail. Ids come last, because they are for API users. */
export const detailColumns = (source: ColumnSource): Column[] => {
  const hidden = new Set(source.fields.some(({ name }) => name === 'tipo') ? HIDDEN.tipo : []);
  const plain = source.fields.filter(({ name, kind }) => kind !== 'object' && kind !== 'list' && !hidden.has(name));
  return [...plain.filter(({ kind }) => kind !== 'id'), ...plain.filter(({ kind }) => kind === 'id')].map((field) =>
    fieldColumn(source, field),
  );
};
