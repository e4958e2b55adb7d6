/**
 * A page of the tenders of an organization. The months' counts tell the total and the days where the page lies; with `q`
 * the entries of the wanted days are looked through. What is shown lies with each tender.
 */
import { LIMITS } from '#shared/platform/limits.ts';
import type { Row } from '#shared/scopes/scope.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { AppError } from '#shared/values/app-error.ts';
import type { OrganizationId } from '#shared/values/ids.ts';
import { retryOnConflict } from '#shared/values/retry-on-conflict.ts';
import { textMatcher } from '#shared/values/search-text.ts';
import {
  countDays,
  type DayCount,
  isSamePlace,
  type TenderFilter,
  type TenderPlace,
  windowOf,
} from './tender-list.rules.ts';
import { listedRow, listedTenderItem, TenderListConflict, tenderEntryItem } from './tender-list.store.ts';

/** `q` would look through more tenders than a request may. */
export class TooManyToSearch extends AppError {}

export interface TenderListRequest extends TenderFilter {
  q?: string | undefined;
  limit: number;
  offset: number;
}

interface Entry extends TenderPlace {
  codigo: string;
  text: string;
}

const toEntry = (found: table.Item): Entry => {
  const [, day = '', instant = '', codigo = ''] = found.sk.split('#');
  return { day, instant, codigo, ...tenderEntryItem.fromItem(found) };
};

/** Newest first. */
const readEntries = async (
  organizationId: OrganizationId,
  { newest, oldest }: { newest: string; oldest: string },
  { estado }: TenderFilter,
): Promise<Entry[]> => {
  const { pk, ...range } = keys.tenderEntries(organizationId, oldest, newest);
  const entries = (await table.query(pk, { ...range, descending: true })).map(toEntry);
  return entries.filter(({ state }) => estado === undefined || state === estado);
};

const sum = (days: readonly DayCount[]): number => days.reduce((total, { count }) => total + count, 0);

interface Found {
  entries: Entry[];
  total: number;
}

const findPage = async (organizationId: OrganizationId, days: readonly DayCount[], asked: TenderListRequest) => {
  const place = windowOf(days, asked.offset, asked.limit);
  const entries = place ? await readEntries(organizationId, place, asked) : [];
  return { entries: entries.slice(place?.skip, (place?.skip ?? 0) + asked.limit), total: sum(days) };
};

const search = async (
  organizationId: OrganizationId,
  days: readonly DayCount[],
  asked: TenderListRequest & { q: string },
): Promise<Found> => {
  const [newest, oldest] = [days[0]?.day, days.at(-1)?.day];
  if (newest === undefined || oldest === undefined) return { entries: [], total: 0 };
  if (sum(days) > LIMITS.tendersSearchedMax) throw new TooManyToSearch(String(sum(days)));
  const matches = textMatcher(asked.q);
  const hits = (await readEntries(organizationId, { newest, oldest }, asked)).filter(({ text }) => matches(text));
  return { entries: hits.slice(asked.offset, asked.offset + asked.limit), total: hits.length };
};

/** Throws `TenderListConflict` when a tender moved between its entry and what it shows. */
const rowsOf = async (organizationId: OrganizationId, entries: readonly Entry[]): Promise<Row[]> => {
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

/** @throws TooManyToSearch */
export const readTenderList = (
  organizationId: OrganizationId,
  asked: TenderListRequest,
): Promise<{ rows: Row[]; total: number }> =>
  retryOnConflict([TenderListConflict], LIMITS.indexReadAttemptsMax, async () => {
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
