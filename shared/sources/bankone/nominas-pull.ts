/**
 * Fetches the batches of a month and the payments of each batch (banks.md §3.1). Requests the whole month, because a
 * company enters batches before their payment day. A late rejection changes a batch up to 10 days after payment, so
 * every default sync also reads the previous month.
 */
import { findLastDay } from '#shared/values/dates.ts';
import { unexpected } from '../parsing/results.ts';
import type { JsonObject, RawAnswer } from '../source.ts';
import type { BankClient } from './client.ts';
import { checkEcho, compact, parseBody, rowsIn } from './kept.ts';
import { keptPages, pullPages } from './pages.ts';
import { readKey } from './values.ts';
import { BATCHES_MAX, BATCHES_URL, PAYMENTS_URL } from './wire.ts';

const BATCHES = 'batches';
const paymentsKey = (place: number): string => `payments/${place}`;

export const pullNominas = async (period: string, client: BankClient): Promise<void> => {
  const pages = await pullPages(
    {
      key: BATCHES,
      url: BATCHES_URL,
      body: { fechaDesde: compact(`${period}-01`), fechaHasta: compact(findLastDay(period)) },
      rows: 'nominas',
      request: {},
      names: 'company',
      check: () => {},
    },
    client,
  );
  const numbers = batchNumbers(pages ?? []);
  for (const [i, number] of numbers.entries()) {
    client.progress(`nominas ${period}: batch ${i + 1} of ${numbers.length}`);
    const key = paymentsKey(i + 1);
    const list = {
      ...{ key, url: PAYMENTS_URL, body: { numeroNomina: number }, request: { batch: number } },
      ...({ rows: 'pagos', names: 'nothing' } as const),
      check: (body: JsonObject) => checkEcho(body, 'numeroNomina', number, key),
    };
    await pullPages(list, client);
  }
};

export const batchPages = (answers: readonly RawAnswer[]): RawAnswer[] => keptPages(answers, BATCHES, 'nominas');

/**
 * Returns the batch numbers without duplicates, in list order. The keys of payment answers contain the position of a
 * batch in this order, not its number.
 */
const batchNumbers = (pages: readonly RawAnswer[]): string[] => {
  const numbers = new Set<string>();
  for (const answer of pages) {
    const body = parseBody(answer);
    if (body === null) continue;
    for (const { raw, place } of rowsIn(body, 'nominas', answer.key)) numbers.add(readKey(raw, 'numeroNomina', place));
  }
  if (numbers.size > BATCHES_MAX) throw unexpected(BATCHES, `more than ${BATCHES_MAX} batches`);
  return [...numbers];
};

/** Returns the stored pages of payments, grouped by batch number. */
export const paymentPages = (answers: readonly RawAnswer[]): Map<string, RawAnswer[]> =>
  new Map(
    batchNumbers(batchPages(answers)).map((number, i) => [number, keptPages(answers, paymentsKey(i + 1), 'pagos')]),
  );
