/**
 * Lists in pages by record offset (banks.md §3.1). A row that arrives between two page requests shifts the later rows,
 * so the list is read again from the start when its total changes; only a complete reading counts.
 */
import { createOrdinals, type Ordinals } from '#shared/values/movement-ordinals.ts';
import { isObject } from '../parsing/bodies.ts';
import { unexpected } from '../parsing/results.ts';
import { type AnswerPlace, present, unreadable } from '../parsing/values.ts';
import type { JsonObject, RawAnswer } from '../source.ts';
import { isBlank } from '../truth/watch-keys.ts';
import type { BankCallToKeep, BankClient } from './client.ts';
import { listIn, parseBody, rowsIn } from './kept.ts';
import { readCount, readKey } from './values.ts';
import { NOT_ARRIVED, PAGES_MAX, READINGS_MAX } from './wire.ts';

export interface PagedList {
  /** Prefix of the keys of the list's answers and of the call names in messages. */
  key: string;
  url: string;
  body: JsonObject;
  /** Field that contains the rows. */
  rows: ListName;
  /** Fields of the request that the parser needs, in addition to `list`, `reading` and `from`. */
  request: JsonObject;
  names: BankCallToKeep['names'];
  check(body: JsonObject): void;
  refusals?: readonly string[];
}

/**
 * Field that identifies a row, for each list. If two rows have the same id, pages overlap or a copy hides a missing
 * row, so the number of different ids must equal the list's count.
 */
const ID_OF = {
  movimientos: 'id',
  transferencias: 'numeroTransaccion',
  nominas: 'numeroNomina',
  pagos: 'linea',
} as const;

export type ListName = keyof typeof ID_OF;

interface PageCounts {
  count: number;
  total: number;
  hasMore: boolean;
  /** Ids of the rows on the page. */
  ids: string[];
}

const readFlag = (from: JsonObject, field: string, place: AnswerPlace): boolean => {
  const value = present(from, field, place);
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw unreadable(place, field, 'is neither true nor false');
};

const readPage = (answer: RawAnswer, rows: ListName, ordinalOf: Ordinals): PageCounts => {
  const body = parseBody(answer);
  if (body === null) return { count: 0, total: 0, hasMore: false, ids: [] };
  const list = listIn(body, rows, answer.key);
  const place: AnswerPlace = { answerKey: answer.key, row: 0 };
  const pages = body.pagina;
  const page = Array.isArray(pages) ? pages[0] : pages;
  // An empty list needs no paging data.
  if (list.length === 0 && page === undefined) return { count: 0, total: 0, hasMore: false, ids: [] };
  if (!isObject(page)) throw unreadable(place, 'pagina', 'is missing');
  return {
    count: list.length,
    total: readCount(page, 'totalRegistros', place),
    hasMore: readFlag(page, 'masPaginas', place),
    ids: [...rowsIn(body, rows, answer.key)].map(({ raw, place: at }) => idOf(raw, rows, at, ordinalOf)),
  };
};

/** True for a transfer that has not arrived and has no number yet. */
export const isUnnumbered = ({ numeroTransaccion, estado }: JsonObject): boolean =>
  isBlank(numeroTransaccion) && NOT_ARRIVED.includes(String(estado).trim().toUpperCase());

/** Returns the id of a row without leading zeros. Equal rows without a number get an ordinal as part of the id. */
const idOf = (raw: JsonObject, rows: ListName, place: AnswerPlace, ordinalOf: Ordinals): string => {
  if (rows !== 'transferencias' || !isUnnumbered(raw)) return readKey(raw, ID_OF[rows], place).replace(/^0+(?=.)/, '');
  const text = JSON.stringify(raw);
  return `${text}#${ordinalOf(text)}`;
};

/**
 * Checks the pages of one reading, in order, and returns whether the reading is complete, incomplete or changed. Equal
 * rows without a number count as two rows if they are on one page, and as an overlap if they are on two pages; in the
 * last reading they always count as two rows.
 */
class PageReading {
  received = 0;
  private total: number | undefined;
  private readonly ids = new Set<string>();
  /** Counts equal rows over all pages of the last reading; undefined in earlier readings, which count per page. */
  private readonly ordinalOf: Ordinals | undefined;

  constructor(n: number) {
    this.ordinalOf = n < READINGS_MAX ? undefined : createOrdinals();
  }

  add(answer: RawAnswer, rows: ListName): 'whole' | 'more' | 'changed' {
    const { count, total, hasMore, ids } = readPage(answer, rows, this.ordinalOf ?? createOrdinals());
    this.total ??= total;
    this.received += count;
    for (const id of ids) this.ids.add(id);
    const overlaps = this.ids.size < this.received;
    const isSame = total === this.total && this.received <= total && !overlaps;
    if (!isSame || (hasMore && count === 0)) return 'changed';
    if (hasMore) return 'more';
    return this.received === total ? 'whole' : 'changed';
  }
}

/**
 * Requests the whole list and returns its pages; undefined when the portal refused the list with one of `refusals`. The
 * refusal is also stored.
 */
export const pullPages = async (list: PagedList, client: BankClient): Promise<RawAnswer[] | undefined> => {
  for (let n = 1; n <= READINGS_MAX; n++) {
    const end = await pullReading(list, n, client);
    if (end !== 'changed') return end;
  }
  throw unexpected(list.key, `the list changed or was not whole in each of ${READINGS_MAX} readings`);
};

const pullReading = async (
  { key: listKey, rows, ...list }: PagedList,
  n: number,
  client: BankClient,
): Promise<RawAnswer[] | 'changed' | undefined> => {
  const reading = new PageReading(n);
  const pages: RawAnswer[] = [];
  for (let page = 1; page <= PAGES_MAX; page++) {
    const from = reading.received + 1;
    const answer = await client.ask({
      ...list,
      what: `${listKey}/${n}/${from}`,
      body: { ...list.body, paginacionDesde: from },
      request: { ...list.request, list: listKey, reading: n, from },
    });
    if (isRefusal(answer)) return undefined;
    pages.push(answer);
    const state = reading.add(answer, rows);
    if (state !== 'more') return state === 'whole' ? pages : state;
  }
  throw unexpected(listKey, `more than ${PAGES_MAX} pages`);
};

/**
 * True for a stored refusal. A stored answer with a code is always a refusal that the list allows, because any other
 * code throws before the answer is stored.
 */
const isRefusal = (answer: RawAnswer): boolean => typeof parseBody(answer)?.codigo === 'string';

const numberIn = (answer: RawAnswer, field: string): number => {
  const value = answer.request[field];
  if (typeof value !== 'number') throw unexpected(answer.key, `no ${field} in the request`);
  return value;
};

/**
 * Returns the pages of the last complete reading of one list, in page order; undefined when no reading is complete. The
 * order of `answers` does not matter.
 */
export const wholeReading = (answers: readonly RawAnswer[], rows: ListName): RawAnswer[] | undefined => {
  const readings = [...Map.groupBy(answers, (answer) => numberIn(answer, 'reading'))].toSorted(([a], [b]) => b - a);
  for (const [n, pages] of readings) {
    const inOrder = pages.toSorted((a, b) => numberIn(a, 'from') - numberIn(b, 'from'));
    const reading = new PageReading(n);
    let isWhole = false;
    for (const page of inOrder) {
      if (isRefusal(page)) break;
      if (isWhole || numberIn(page, 'from') !== reading.received + 1)
        throw unexpected(page.key, 'is not the next page');
      isWhole = reading.add(page, rows) === 'whole';
    }
    if (isWhole) return inOrder;
  }
  return undefined;
};

/**
 * Returns the pages of the last complete reading of a list. Throws when the stored answers contain no complete reading.
 */
export const keptPages = (answers: readonly RawAnswer[], list: string, rows: ListName): RawAnswer[] => {
  const pages = wholeReading(
    answers.filter(({ request }) => request.list === list),
    rows,
  );
  if (pages === undefined) throw unexpected(list, 'no complete reading is stored');
  return pages;
};
