/**
 * Batches of a month and the payments of each (banks.md §3.1). The whole month: batches are loaded ahead of their day.
 * A late rejection changes a batch up to 10 days after it: the previous month is read with every default sync.
 */
import { lastDayOf } from '#shared/values/dates.ts';
import type { Ask, Progress, RawAnswer } from '../source.ts';
import type { BankClient } from './client.ts';
import { unexpected } from './envelope.ts';
import { bodyOf, checkEcho, rowsIn } from './kept.ts';
import { pullPages, wholeReading } from './pages.ts';
import { readKey } from './values.ts';
import { BATCHES_MAX, BATCHES_URL, PAYMENTS_URL } from './wire.ts';

const BATCHES = 'batches';
const paymentsKey = (place: number): string => `payments/${place}`;

export const pullNominas = async (period: string, client: BankClient, ask: Ask, progress: Progress): Promise<void> => {
  const kept: RawAnswer[] = [];
  const keeping: Ask = async (key, fetch) => {
    const answer = await ask(key, fetch);
    kept.push(answer);
    return answer;
  };
  await pullPages(
    {
      key: BATCHES,
      url: BATCHES_URL,
      body: { fechaDesde: compact(`${period}-01`), fechaHasta: compact(lastDayOf(period)) },
      rows: 'nominas',
      request: {},
      names: 'company',
      check: () => {},
    },
    client,
    keeping,
  );
  const numbers = batchNumbers(batchPages(kept));
  for (const [i, number] of numbers.entries()) {
    progress(`nominas ${period}: batch ${i + 1} of ${numbers.length}`);
    await pullPayments(number, i + 1, client, ask);
  }
};

const compact = (day: string): string => day.replaceAll('-', '');

const pullPayments = async (number: string, place: number, client: BankClient, ask: Ask): Promise<void> => {
  const key = paymentsKey(place);
  const list = {
    key,
    url: PAYMENTS_URL,
    body: { numeroNomina: number },
    rows: 'pagos' as const,
    request: { batch: number },
    names: 'nothing' as const,
    check: (body: Parameters<typeof checkEcho>[0]) => checkEcho(body, 'numeroNomina', number, key),
  };
  await pullPages(list, client, ask);
};

export const batchPages = (answers: readonly RawAnswer[]): RawAnswer[] => {
  const pages = wholeReading(
    answers.filter(({ request }) => request.list === BATCHES),
    'nominas',
  );
  if (pages === undefined) throw unexpected(BATCHES, 'no whole reading was kept');
  return pages;
};

/** Each once, in the order of the list: its place names the answers with its payments. */
const batchNumbers = (pages: readonly RawAnswer[]): string[] => {
  const numbers = new Set<string>();
  for (const answer of pages) {
    const body = bodyOf(answer);
    if (body === null) continue;
    for (const { raw, place } of rowsIn(body, 'nominas', answer.key)) {
      numbers.add(readKey(raw, 'numeroNomina', place));
    }
  }
  if (numbers.size > BATCHES_MAX) throw unexpected(BATCHES, `more than ${BATCHES_MAX} batches`);
  return [...numbers];
};

/** Pages with the payments of each batch, by its number. */
export const paymentPages = (answers: readonly RawAnswer[]): Map<string, RawAnswer[]> => {
  const found = new Map<string, RawAnswer[]>();
  for (const [i, number] of batchNumbers(batchPages(answers)).entries()) {
    const key = paymentsKey(i + 1);
    const pages = wholeReading(
      answers.filter(({ request }) => request.list === key),
      'pagos',
    );
    if (pages === undefined) throw unexpected(key, 'no whole reading was kept');
    found.set(number, pages);
  }
  return found;
};
