/**
 * Rows that were read and wait to be written. All rows of a month are read before the first row is written, because an
 * unreadable answer must write nothing. As objects, 100,000 documents would take 250 MB, so only the data for the
 * comparison stays in memory (300 bytes per row). The remaining data is in compressed blocks (100 bytes per row), which
 * are opened only for rows that must be written.
 */
import { deflateSync, inflateSync } from 'node:zlib';
import { stringInterner } from '#shared/platform/string-interner.ts';
import type { IncomingRow } from '#shared/rows/item/row-diff.rules.ts';
import type { NewRow } from '#shared/rows/item/row-items.ts';
import { ROW_LIMITS } from '#shared/rows/limits.ts';
import type { Row } from '#shared/scopes/scope.ts';

/** The data that a comparison needs, and the position of the row's remaining data. */
interface WaitingRow extends IncomingRow {
  block: number;
  line: number;
}

export interface WaitingRows {
  /** Every row exactly once. */
  list: readonly IncomingRow[];
  /**
   * Returns rows of `list` as they were read. Neighbouring rows are cheapest to open, because they share a block. An
   * undefined field becomes absent.
   */
  open(rows: readonly IncomingRow[]): NewRow[];
}

/** Returns waiting rows that are held uncompressed, because they are few. */
export const heldRows = (rows: readonly NewRow[]): WaitingRows => ({
  list: rows,
  open(some: readonly NewRow[]) {
    return [...some];
  },
});

/** Collects rows one by one. A row that comes twice counts once; its last occurrence wins. */
export const collectRows = (): { add(row: NewRow): void; done(): WaitingRows } => {
  const rows = new Map<string, WaitingRow>();
  const blocks: Buffer[] = [];
  let lines: string[] = [];
  let chars = 0;
  const shared = stringInterner();

  const close = (): void => {
    if (lines.length === 0) return;
    // The compressed bytes are copied, because the compressor returns a view of a much larger buffer.
    blocks.push(Buffer.from(deflateSync(lines.join('\n'), { level: 1 })));
    lines = [];
    chars = 0;
  };
  const add = ({ row, childRows, raw, rawPayloadId, ...compared }: NewRow): void => {
    rows.set(compared.id, { ...compared, facets: shared(compared.facets), block: blocks.length, line: lines.length });
    // Each row takes two lines. JSON contains no line breaks.
    const head = JSON.stringify([row, childRows, rawPayloadId]);
    lines.push(head, raw);
    chars += head.length + raw.length;
    if (chars >= ROW_LIMITS.waitingBlockChars) close();
  };

  let opened: { block: number; lines: string[] } | null = null;
  const linesOf = (block: number): string[] => {
    if (opened?.block !== block) opened = { block, lines: inflateSync(blocks[block]!).toString('utf8').split('\n') };
    return opened.lines;
  };
  const openOne = ({ block, line, ...compared }: WaitingRow): NewRow => {
    const [head, raw] = linesOf(block).slice(line, line + 2) as [string, string];
    const [row, childRows, rawPayloadId] = JSON.parse(head) as [Row, Row[] | null, string];
    return { ...compared, row, childRows, raw, rawPayloadId };
  };
  const done = (): WaitingRows => {
    close();
    return {
      list: [...rows.values()],
      open(some: readonly WaitingRow[]) {
        return some.map(openOne);
      },
    };
  };
  return { add, done };
};
