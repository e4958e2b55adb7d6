/** Where a tender stands in the list of its organization, and which days a page of the list lies in. Pure. */
import type { Row } from '#shared/scopes/scope.ts';
import { TENDER_STATES } from '#shared/scopes/tender.ts';
import { santiagoDay } from '#shared/values/dates.ts';

/** Of tenders without a day of publication: sorts before every day, and so comes last in a list from the newest on. */
export const NO_DAY = '0000-00-00';
/** States that no filter names are counted together: the portal may invent any number of them. */
const OTHER_STATE = 'other';

export interface TenderPlace {
  /** Santiago day of publication, or `NO_DAY`. */
  day: string;
  /** `fecha_publicacion`; empty where there is none. */
  instant: string;
  /** One of `TENDER_STATES`, or `other`. */
  state: string;
}

const stateOf = ({ estado }: Row): string => TENDER_STATES.find((known) => known === estado) ?? OTHER_STATE;

export const placeOf = (row: Row): TenderPlace => {
  const instant = typeof row.fecha_publicacion === 'string' ? row.fecha_publicacion : '';
  return { day: instant === '' ? NO_DAY : santiagoDay(Date.parse(instant)), instant, state: stateOf(row) };
};

export const isSamePlace = (a: TenderPlace | undefined, b: TenderPlace | undefined): boolean =>
  a?.day === b?.day && a?.instant === b?.instant && a?.state === b?.state;

export const monthOf = (day: string): string => day.slice(0, 7);

const COUNT = /^d(\d{2})_(\w+)$/;
/** Attribute of a month that holds how many of its tenders have this day and state. */
export const countName = ({ day, state }: TenderPlace): string => `d${day.slice(8)}_${state}`;

export interface TenderFilter {
  estado?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

export interface DayCount {
  day: string;
  count: number;
}

const isWantedDay = (day: string, { from, to }: TenderFilter): boolean =>
  (from === undefined && to === undefined) || (day !== NO_DAY && day >= (from ?? day) && day <= (to ?? day));

/** Days that hold tenders under the filter, newest first. `counts`: attributes of a month's item. */
export const countDays = (
  months: readonly { month: string; counts: Readonly<Record<string, unknown>> }[],
  filter: TenderFilter,
): DayCount[] => {
  const days = new Map<string, number>();
  for (const { month, counts } of months)
    for (const [name, count] of Object.entries(counts)) {
      const [, dayOfMonth, state] = COUNT.exec(name) ?? [];
      if (dayOfMonth === undefined || (filter.estado !== undefined && state !== filter.estado)) continue;
      const day = `${month}-${dayOfMonth}`;
      if (isWantedDay(day, filter)) days.set(day, (days.get(day) ?? 0) + Number(count));
    }
  return [...days]
    .filter(([, count]) => count > 0)
    .map(([day, count]) => ({ day, count }))
    .sort((a, b) => (a.day < b.day ? 1 : -1));
};

export interface DayWindow {
  /** Newest and oldest day that rows of the page lie in. */
  newest: string;
  oldest: string;
  /** Rows of the newest day to pass over. */
  skip: number;
}

/** Where a page lies; undefined beyond the end. */
export const windowOf = (days: readonly DayCount[], offset: number, limit: number): DayWindow | undefined => {
  let before = 0;
  let newest: { day: string; skip: number } | undefined;
  for (const { day, count } of days) {
    if (!newest && offset < before + count) newest = { day, skip: offset - before };
    before += count;
    if (newest && before >= offset + limit) return { newest: newest.day, oldest: day, skip: newest.skip };
  }
  return newest && { newest: newest.day, oldest: days.at(-1)!.day, skip: newest.skip };
};
