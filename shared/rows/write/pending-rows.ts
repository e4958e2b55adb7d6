/**
 * Rows that were read and wait to be written. All rows of a month are read before the first is written, because an
 * unreadable answer must write nothing, and 100,000 documents take 250 MB as objects. So only the data for the
 * comparison stays in memory (300 bytes per row). The rest is in compressed blocks (100 bytes per row), which are
 * opened only for rows that must be written.
 */
import { deflateSync, inflateSync } from 'node:zlib';
import { stringInterner } from '#shared/platform/string-interner.ts';
import type { IncomingRow } from '#shared/rows/item/row-diff.rules.ts';
import type { NewRow } from '#shared/rows/item/row-items.ts';
import { ROW_LIMITS } from '#shared/rows/limits.ts';
import type { Row } from '#shared/scopes/scope.ts';

/** The data that a comparison needs, and the position of the rest of the row. */
interface WaitingRow extends IncomingRow {
  block: number;
  line: number;
}

export interface WaitingRows {
  /** Every row once. */
  list: readonly IncomingRow[];
  /**
   * Returns rows of `list` as they were read. Cheapest for neighbouring rows, which share a block. An undefined field
   * becomes absent.
   */
  open(rows: readonly IncomingRow[]): NewRow[];
}

/** For few rows, which are held uncompressed. */
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
    // Copied, because the compressor returns a view of a much larger buffer.
    blocks.push(Buffer.from(deflateSync(lines.join('\n'), { level: 1 })));
    lines = [];
    chars = 0;
  };
  const add = ({ row, childRows, raw, rawPayloadId, ...compared }: NewRow): void => {
    rows.set(compared.id, { ...compared, facets: shared(compared.facets), block: blocks.length, line: lines.length });
    // Two lines per row. JSON contains no line breaks of its own.
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
