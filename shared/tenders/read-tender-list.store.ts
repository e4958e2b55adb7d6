/**
 * Reads a page of an organization's tenders. Counts per month give the total and the days that contain the page; with
 * `q`, all entries of the wanted days are searched. The displayed row is stored with each tender.
 */
import { ROW_LIMITS } from '#shared/rows/limits.ts';
import type { Row } from '#shared/scopes/scope.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { TENDER_LIMITS } from '#shared/tenders/limits.ts';
import { AppError } from '#shared/values/app-error.ts';
import type { OrganizationId } from '#shared/values/ids.ts';
import { retryOnConflict } from '#shared/values/retry-on-conflict.ts';
import { textMatcher } from '#shared/values/search-text.ts';
import {
  chooseListWindow,
  countDays,
  type DayCount,
  isSamePlace,
  type TenderFilter,
  type TenderPlace,
} from './tender-list.rules.ts';
import { listedRow, listedTenderItem, TenderListConflict, tenderEntryItem } from './tender-list.store.ts';

/** A search with `q` would read more tenders than one request may. */
export class TooManyToSearch extends AppError {}

export interface TenderListRequest extends TenderFilter {
  q?: string | undefined;
  limit: number;
  offset: number;
}

interface TenderEntry extends TenderPlace {
  codigo: string;
  text: string;
}

const toEntry = (found: table.Item): TenderEntry => {
  const [, state = '', day = '', instant = '', codigo = ''] = found.sk.split('#');
  return { state, day, instant, codigo, ...tenderEntryItem.fromItem(found) };
};

const byDay = (a: TenderEntry, b: TenderEntry): number =>
  `${a.day}#${a.instant}#${a.codigo}` < `${b.day}#${b.instant}#${b.codigo}` ? 1 : -1;

const sum = (days: readonly DayCount[]): number => days.reduce((total, { count }) => total + count, 0);

/**
 * Reads the entries of these days, newest first, only in states that occur on these days.
 *
 * @throws TenderListConflict if the number of entries differs from the counts, because rows of the total would be
 * missing
 */
const readEntries = async (organizationId: OrganizationId, days: readonly DayCount[]): Promise<TenderEntry[]> => {
  const [newest, oldest] = [days[0], days.at(-1)];
  if (!newest || !oldest) return [];
  const states = [...new Set(days.flatMap((day) => day.states))];
  const found = await Promise.all(
    states.map((state) => {
      const { pk, ...range } = keys.tenderEntries(organizationId, state, oldest.day, newest.day);
      return table.query(pk, range);
    }),
  );
  const entries = found.flat().map(toEntry).sort(byDay);
  if (entries.length !== sum(days)) throw new TenderListConflict(`${entries.length} entries of ${sum(days)}`);
  return entries;
};

interface Found {
  entries: TenderEntry[];
  total: number;
}

const findPage = async (
  organizationId: OrganizationId,
  all: readonly DayCount[],
  { offset, limit }: TenderListRequest,
): Promise<Found> => {
  const { days, skip } = chooseListWindow(all, offset, limit);
  const entries = await readEntries(organizationId, days);
  return { entries: entries.slice(skip, skip + limit), total: sum(all) };
};

const search = async (
  organizationId: OrganizationId,
  days: readonly DayCount[],
  { q, offset, limit }: TenderListRequest & { q: string },
): Promise<Found> => {
  if (sum(days) > TENDER_LIMITS.tendersSearchedMax) throw new TooManyToSearch(String(sum(days)));
  const matches = textMatcher(q);
  const hits = (await readEntries(organizationId, days)).filter(({ text }) => matches(text));
  return { entries: hits.slice(offset, offset + limit), total: hits.length };
};

/**
 * Returns the displayed row of each entry.
 * @throws TenderListConflict if a tender moved after its entry was read
 */
const rowsOf = async (organizationId: OrganizationId, entries: readonly TenderEntry[]): Promise<Row[]> => {
  const wanted = entries.map(({ codigo }) => keys.tenderListed(organizationId, codigo));
  const items = new Map((await table.batchGet(wanted)).map((item) => [item.pk, listedTenderItem.fromItem(item)]));
  return Promise.all(
    entries.map((entry, n) => {
      const listed = items.get(wanted[n]!.pk);
      if (!listed || !isSamePlace(listed, entry)) throw new TenderListConflict(entry.codigo);
      return listedRow(listed);
    }),
  );
};

/**
 * Returns a page of the list, and the total.
 * @throws TooManyToSearch
 */
export const readTenderList = (
  organizationId: OrganizationId,
  asked: TenderListRequest,
): Promise<{ rows: Row[]; total: number }> =>
  retryOnConflict([TenderListConflict], ROW_LIMITS.indexReadAttemptsMax, async () => {
    const { pk, prefix } = keys.tenderMonths(organizationId);
    const items = await table.query(pk, { prefix });
    const months = items.map(({ pk: _, sk, ...counts }) => ({ month: sk.slice(prefix.length), counts }));
    const days = countDays(months, asked);
    const { q } = asked;
    const found =
      q === undefined
        ? await findPage(organizationId, days, asked)
        : await search(organizationId, days, { ...asked, q });
    return { rows: await rowsOf(organizationId, found.entries), total: found.total };
  });
