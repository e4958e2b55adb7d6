/**
 * Makes the cells of the month matrix from the coverage of the connections. Every month of a row has exactly one state,
 * and a row that joins several scopes has the most urgent state of them.
 */
import type { Schemas } from '../api/client.ts';
import { NEEDS_CREDENTIALS } from '../connections/codes.gen.ts';
import { RESOURCES } from '../data/resources.gen.ts';

export type ConnectionCoverage = Schemas['ConnectionCoverage'];
type CoveredMonth = ConnectionCoverage['scopes'][number]['periods'][number];

/** The most urgent state first. */
export const MONTH_STATES = [
  'differs',
  'refused',
  'missing',
  'partial',
  'unasked',
  'open',
  'complete',
  'equal',
] as const;
export type MonthState = (typeof MONTH_STATES)[number];

/** One month of one scope of a connection. */
export interface MonthPart {
  connectionId: string;
  connection: string;
  source: string;
  scope: string;
  period: string;
  state: MonthState;
  /** What the API reports about the month; null if the month was never requested. */
  covered: CoveredMonth | null;
}

export interface MonthCell {
  period: string;
  state: MonthState;
  parts: readonly MonthPart[];
}

const needsCredentials: ReadonlySet<string> = new Set(NEEDS_CREDENTIALS);

/** True if the institution let nobody in, so that the month is not complete. Totals that differ are worse. */
const isWithoutAccess = (covered: CoveredMonth | undefined): boolean =>
  covered !== undefined &&
  covered.state !== 'complete' &&
  covered.verdict !== 'differs' &&
  needsCredentials.has(covered.reason ?? '');

/** @param current the current month in Santiago */
export const readState = (covered: CoveredMonth | null, period: string, current: string): MonthState => {
  if (period >= current) return 'open';
  if (covered === null) return 'unasked';
  if (covered.verdict === 'differs') return 'differs';
  if (covered.state === 'never') return 'missing';
  if (covered.state === 'partial') return 'partial';
  if (covered.is_open) return 'open';
  return covered.verdict === 'equal' ? 'equal' : 'complete';
};

/** True if the rows of the scope belong to months. Balances and tenders do not. */
const isMonthly = (source: string, { scope, periods }: ConnectionCoverage['scopes'][number]): boolean =>
  RESOURCES.some((known) => known.source === source && known.scope === scope && known.periods !== null) ||
  periods.some(({ period }) => period !== null);

/** Months to show, newest first, and the current month in Santiago. */
export interface AskedMonths {
  months: readonly string[];
  current: string;
}

/** Returns one list per scope that is read by month: its parts in the order of the asked months. */
export const listParts = (of: ConnectionCoverage, { months, current }: AskedMonths): MonthPart[][] => {
  const { connection_id: connectionId, name: connection, external_source_code: source } = of;
  return of.scopes
    .filter((scope) => isMonthly(source, scope))
    .map(({ scope, periods }) => {
      const known = new Map(periods.map((covered) => [covered.period, covered]));
      // A sync without chosen months reads the newest one, which then says whether the institution let the sync in.
      const newest = months.find((period) => known.has(period));
      const isRefused = newest !== undefined && isWithoutAccess(known.get(newest));
      return months.map((period) => {
        const covered = known.get(period) ?? null;
        const state = isRefused && isWithoutAccess(known.get(period)) ? 'refused' : readState(covered, period, current);
        return { connectionId, connection, source, scope, period, state, covered };
      });
    });
};

const URGENCY = new Map(MONTH_STATES.map((state, at) => [state, at]));
const urgencyIn = ({ state }: Pick<MonthPart, 'state'>): number => URGENCY.get(state) ?? 0;

/** Joins the parts of several scopes by month. The most urgent part of each cell is first. */
export const joinParts = (scopes: readonly (readonly MonthPart[])[], months: readonly string[]): MonthCell[] =>
  months.flatMap((period, at) => {
    const parts = scopes.flatMap((scope) => scope[at] ?? []).toSorted((a, b) => urgencyIn(a) - urgencyIn(b));
    return parts[0] === undefined ? [] : [{ period, state: parts[0].state, parts }];
  });

/** States that a person should look at. */
const URGENT: ReadonlySet<MonthState> = new Set(['differs', 'refused', 'missing', 'partial', 'unasked']);
export const isUrgent = ({ state }: Pick<MonthPart, 'state'>): boolean => URGENT.has(state);

/** True if the institution no longer provides the month, so that another sync cannot complete it. */
export const isTooOld = ({ state, covered }: MonthPart): boolean =>
  state !== 'differs' && covered?.reason?.endsWith('.out_of_window') === true;

/** True if somebody can improve the state of the month. */
export const isToResolve = (part: MonthPart): boolean => isUrgent(part) && !isTooOld(part);

/** True if a sync of the month may improve its state. */
export const isToSync = (part: MonthPart): boolean => isToResolve(part) && part.state !== 'refused';
