/**
 * Lists in pages by record offset (banks.md §3.1). A row that arrives between two pages shifts the rest: the list is
 * begun anew when its total changes, and nothing counts until one reading was whole.
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
  /** Begins the keys of its answers and names its calls. */
  key: string;
  url: string;
  body: JsonObject;
  /** Field that holds the rows. */
  rows: ListName;
  /** What the parser must know beside `list`, `reading` and `from`. */
  request: JsonObject;
  names: BankCallToKeep['names'];
  check(body: JsonObject): void;
  refusals?: readonly string[];
}

/**
 * What tells the rows of a list apart. Two equal ones mean that pages overlap, or that a copy hides a row that is
 * missing: as many distinct ones must come as the list counts.
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
  /** What tells the rows apart. */
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
  // An empty list needs no paging.
  if (list.length === 0 && page === undefined) return { count: 0, total: 0, hasMore: false, ids: [] };
  if (!isObject(page)) throw unreadable(place, 'pagina', 'is missing');
  return {
    count: list.length,
    total: readCount(page, 'totalRegistros', place),
    hasMore: readFlag(page, 'masPaginas', place),
    ids: [...rowsIn(body, rows, answer.key)].map(({ raw, place: at }) => idOf(raw, rows, at, ordinalOf)),
  };
};

/** A transfer that has not arrived may have no number yet. */
export const isUnnumbered = ({ numeroTransaccion, estado }: JsonObject): boolean =>
  isBlank(numeroTransaccion) && NOT_ARRIVED.includes(String(estado).trim().toUpperCase());

/** Leading zeros do not count: they are no other row. Equal rows without a number are told apart by their order. */
const idOf = (raw: JsonObject, rows: ListName, place: AnswerPlace, ordinalOf: Ordinals): string => {
  if (rows !== 'transferencias' || !isUnnumbered(raw)) return readKey(raw, ID_OF[rows], place).replace(/^0+(?=.)/, '');
  const text = JSON.stringify(raw);
  return `${text}#${ordinalOf(text)}`;
};

/**
 * Pages of one reading, in order → is it whole, may it go on, or did the list change meanwhile? Equal rows without a
 * number are two within one page; on two pages they are an overlap, unless the last reading shows them still.
 */
class PageReading {
  received = 0;
  private total: number | undefined;
  private readonly ids = new Set<string>();
  /** Of equal rows on all pages; undefined: on one page. */
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
 * Asks for a whole reading of the list, and gives its pages; undefined when the portal refused the list with one of
 * `refusals`, which is kept as well.
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

/** A kept answer with a code can only be a refusal that the list allows: any other was thrown before it was kept. */
const isRefusal = (answer: RawAnswer): boolean => typeof parseBody(answer)?.codigo === 'string';

const numberIn = (answer: RawAnswer, field: string): number => {
  const value = answer.request[field];
  if (typeof value !== 'number') throw unexpected(answer.key, `no ${field} in the request`);
  return value;
};

/**
 * Kept pages of one list → those of its last whole reading, in order; undefined when there is none. Whatever order
 * the answers come in.
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

/** Pages of the last whole reading of a list, which must be among the kept answers. */
export const keptPages = (answers: readonly RawAnswer[], list: string, rows: ListName): RawAnswer[] => {
  const pages = wholeReading(
    answers.filter(({ request }) => request.list === list),
    rows,
  );
  if (pages === undefined) throw unexpected(list, 'no whole reading was kept');
  return pages;
};
