/** Computes the position of a tender in its organization's list, and the days that a page of the list covers. Pure. */
import type { Row } from '#shared/scopes/scope.ts';
import { TENDER_STATES } from '#shared/scopes/tender.ts';
import { santiagoDay } from '#shared/values/dates.ts';

/**
 * Day of tenders without a day of publication. It sorts before every other day, so in a list with the newest first
 * these tenders come last.
 */
export const NO_DAY = '0000-00-00';
/** States that no filter can select are counted together, because the portal may invent any number of states. */
const OTHER_STATE = 'other';

export interface TenderPlace {
  /** Santiago day of publication, or `NO_DAY`. */
  day: string;
  /** `fecha_publicacion`; empty if missing. */
  instant: string;
  /** One of `TENDER_STATES`, or `other`. */
  state: string;
}

const stateOf = ({ estado }: Row): string => TENDER_STATES.find((known) => known === estado) ?? OTHER_STATE;

export const locateTender = (row: Row): TenderPlace => {
  const instant = typeof row.fecha_publicacion === 'string' ? row.fecha_publicacion : '';
  return { day: instant === '' ? NO_DAY : santiagoDay(Date.parse(instant)), instant, state: stateOf(row) };
};

export const isSamePlace = (a: TenderPlace | undefined, b: TenderPlace | undefined): boolean =>
  a?.day === b?.day && a?.instant === b?.instant && a?.state === b?.state;

export const toMonth = (day: string): string => day.slice(0, 7);

const COUNT = /^d(\d{2})_(\w+)$/;
/**
 * Returns the name of the attribute that counts the tenders with this day and state. The attribute is in the item of
 * the month.
 */
export const countName = ({ day, state }: TenderPlace): string => `d${day.slice(8)}_${state}`;

export interface TenderFilter {
  estado?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

export interface DayCount {
  day: string;
  count: number;
  /** States that at least one tender of the day has. */
  states: readonly string[];
}

const isWantedDay = (day: string, { from, to }: TenderFilter): boolean =>
  (from === undefined && to === undefined) || (day !== NO_DAY && day >= (from ?? day) && day <= (to ?? day));

/**
 * Returns the days with tenders that match the filter, newest first.
 *
 * @param months each month with the counting attributes of its item
 */
export const countDays = (
  months: readonly { month: string; counts: Readonly<Record<string, unknown>> }[],
  filter: TenderFilter,
): DayCount[] => {
  const days = new Map<string, { count: number; states: string[] }>();
  for (const { month, counts } of months)
    for (const [name, count] of Object.entries(counts)) {
      const [, dayOfMonth, state = ''] = COUNT.exec(name) ?? [];
      const day = `${month}-${dayOfMonth}`;
      const isWanted = dayOfMonth !== undefined && state === (filter.estado ?? state) && isWantedDay(day, filter);
      if (!isWanted || Number(count) === 0) continue;
      const known = days.get(day) ?? { count: 0, states: [] };
      days.set(day, { count: known.count + Number(count), states: [...known.states, state] });
    }
  return [...days].map(([day, known]) => ({ day, ...known })).sort((a, b) => (a.day < b.day ? 1 : -1));
};

export interface ListWindow {
  /** Days with rows of the page. Empty beyond the end of the list. */
  days: DayCount[];
  /** Number of rows to skip on the newest of these days. */
  skip: number;
}

/** Finds the days that contain a page. */
export const chooseListWindow = (days: readonly DayCount[], offset: number, limit: number): ListWindow => {
  const wanted: DayCount[] = [];
  let before = 0;
  let skip = 0;
  for (const day of days) {
    if (before >= offset + limit) break;
    if (before + day.count > offset) {
      if (wanted.length === 0) skip = offset - before;
      wanted.push(day);
    }
    before += day.count;
  }
  return { days: wanted, skip };
};
