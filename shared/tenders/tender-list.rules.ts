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

export const locateTender = (row: Row): TenderPlace => {
  const instant = typeof row.fecha_publicacion === 'string' ? row.fecha_publicacion : '';
  return { day: instant === '' ? NO_DAY : santiagoDay(Date.parse(instant)), instant, state: stateOf(row) };
};

export const isSamePlace = (a: TenderPlace | undefined, b: TenderPlace | undefined): boolean =>
  a?.day === b?.day && a?.instant === b?.instant && a?.state === b?.state;

export const toMonth = (day: string): string => day.slice(0, 7);

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
  /** That tenders of the day have. */
  states: readonly string[];
}

const isWantedDay = (day: string, { from, to }: TenderFilter): boolean =>
  (from === undefined && to === undefined) || (day !== NO_DAY && day >= (from ?? day) && day <= (to ?? day));

/** Days that hold tenders under the filter, newest first. `counts`: attributes of a month's item. */
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
  /** That rows of the page lie in; none beyond the end. */
  days: DayCount[];
  /** Rows of the newest of them to pass over. */
  skip: number;
}

/** Where a page lies. */
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
