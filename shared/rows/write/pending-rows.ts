/**
 * Rows that were read and wait to be written. All of a month are read before the first one is written (an answer that
 * cannot be read writes nothing), and 100,000 documents with their raw form weigh 250 MB as objects. So what a
 * comparison needs stays at hand (300 bytes a row), and the rest lies compressed in blocks (another 100) until its turn
 * comes: in a sync that finds nothing new, never.
 */
import { deflateSync, inflateSync } from 'node:zlib';
import { stringInterner } from '#shared/platform/string-interner.ts';
import type { IncomingRow } from '#shared/rows/item/row-diff.rules.ts';
import type { NewRow } from '#shared/rows/item/row-items.ts';
import { ROW_LIMITS } from '#shared/rows/limits.ts';
import type { Row } from '#shared/scopes/scope.ts';

/** What a comparison needs of a row, and where the rest of it lies. */
interface WaitingRow extends IncomingRow {
  block: number;
  line: number;
}

export interface WaitingRows {
  /** Each row once. */
  list: readonly IncomingRow[];
  /** Rows of `list` as they were read; cheapest for such as stand together. A field that was undefined is absent. */
  open(rows: readonly IncomingRow[]): NewRow[];
}

/** Rows that are few enough to be held as they are. */
export const heldRows = (rows: readonly NewRow[]): WaitingRows => ({
  list: rows,
  open(some: readonly NewRow[]) {
    return [...some];
  },
});

/** Collects rows one by one; a row that comes twice counts once, its last reading wins. */
export const collectRows = (): { add(row: NewRow): void; done(): WaitingRows } => {
  const rows = new Map<string, WaitingRow>();
  const blocks: Buffer[] = [];
  let lines: string[] = [];
  let chars = 0;
  const shared = stringInterner();

  const close = (): void => {
    if (lines.length === 0) return;
    // A copy: the compressor answers a view of a buffer that is much larger.
    blocks.push(Buffer.from(deflateSync(lines.join('\n'), { level: 1 })));
    lines = [];
    chars = 0;
  };
  const add = ({ row, childRows, raw, rawPayloadId, ...compared }: NewRow): void => {
    rows.set(compared.id, { ...compared, facets: shared(compared.facets), block: blocks.length, line: lines.length });
    // Two lines of JSON, which has no line ends of its own.
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
