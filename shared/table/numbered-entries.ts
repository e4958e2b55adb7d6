/**
 * Numbered entries of a feed. Each entry is put in the transaction that raises the last number of its list, so that no
 * entry becomes visible after an entry with a larger number, and a reader's position is one number.
 */
import type { NumberedList } from './numbered-list.ts';
import * as table from './table.ts';

/**
 * Returns an entry with the list's next number, for a transaction. The transaction fails with `otherwise` if another
 * worker took that number.
 */
export const nextEntry = async (
  list: NumberedList,
  attributes: Readonly<Record<string, unknown>>,
  otherwise: () => Error,
): Promise<{ n: number; items: table.TransactItem[] }> => {
  const last = ((await table.get(list.last))?.n as number | undefined) ?? 0;
  const asSeen = last === 0 ? { if: 'attribute_not_exists(#n)' } : { if: '#n = :last', values: { last } };
  const n = last + 1;
  return {
    n,
    items: [{ update: list.last, set: { n }, ...asSeen, otherwise }, { put: { ...list.entry(n), ...attributes } }],
  };
};

/** Returns the entries after a number, oldest first. */
export const findEntries = async (
  list: NumberedList,
  after: number,
  limit: number,
): Promise<{ n: number; item: table.Item }[]> => {
  const { pk, from, to } = list.from(after + 1);
  return (await table.query(pk, { from, to, limit })).map((item) => ({ n: Number(item.sk), item }));
};

/** Returns the number of the newest entry after a number, or null if no entry follows. */
export const findNewestEntry = async (list: NumberedList, after: number): Promise<number | null> => {
  const { pk, from, to } = list.from(after + 1);
  const [newest] = await table.query(pk, { from, to, limit: 1, descending: true });
  return newest === undefined ? null : Number(newest.sk);
};
