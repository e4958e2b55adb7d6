/** Describes what is missing or stale in a connection: code, months, who acts, what to do. Pure. */
import type { Connection } from '#shared/connections/connection.rules.ts';
import type { TotalsVerdict } from '#shared/rows/item/totals.rules.ts';
import { HALF_WRITTEN, type PeriodState, READ_BEFORE_MONTH_END } from '#shared/sync/coverage/coverage.rules.ts';
import type { OutcomeNotice } from '#shared/sync/run.rules.ts';
import { periodsBetween, santiagoPeriod } from '#shared/values/dates.ts';
import { ERROR_CATALOGUE } from '#shared/values/error-catalogue.ts';
import { NOTICE_CATALOGUE } from '#shared/values/notice-catalogue.ts';

export type Who = 'owner' | 'source' | 'us' | 'nobody';

export interface Gap {
  /** Null if the gap concerns the whole connection. */
  scope: string | null;
  /** A code of runs or notices, or one of `OWN`. */
  code: string;
  /**
   * Months with this gap, newest first, as many as fit into an answer. Empty if the gap concerns no particular month.
   */
  periods: string[];
  /** Number of months with this gap that are not in `periods`. */
  further_periods: number;
  who: Who;
  what_to_do: string;
  /** Message of the newest run about this gap. */
  detail: string | null;
  /** When the gap was noticed; null if unknown. */
  since: string | null;
}

const OWN = {
  connection_disabled: ['owner', 'Enable the connection in the dashboard: until then nothing is synchronized.'],
  scope_not_enabled: ['owner', 'Enable this scope of the connection in the dashboard to have its data.'],
  never_synchronized: ['owner', 'Start a sync of the connection in the dashboard: this scope has no data yet.'],
  sync_under_way: ['nobody', 'Ask again in some minutes: a sync of this scope is under way.'],
  stale: ['owner', 'Start a sync, or enable the schedule of the connection: newer rows may exist at the source.'],
  not_complete: ['owner', 'Synchronize these months again: the last reading was incomplete.'],
  not_synchronized: ['owner', 'Synchronize these months: they are between other months and were never requested.'],
  [READ_BEFORE_MONTH_END]: ['owner', 'Synchronize these months again: they were last read before their end.'],
  [HALF_WRITTEN]: ['owner', 'Synchronize these months again: a sync was interrupted while it stored them.'],
  totals_differ: ['source', 'Compare these months with the institution: the rows do not add up to its own totals.'],
} as const satisfies Record<string, readonly [Who, string]>;

/** A month of a scope, from its coverage. */
export interface CollectedMonth {
  /** Null for a point-in-time scope. */
  period: string | null;
  state: PeriodState;
  reason: string | null;
  asOf: string | null;
  verdict: TotalsVerdict;
}

export interface ScopeState {
  lastAttempt: { finishedAt: string; errorCode: string | null } | null;
  lastSuccessAt: string | null;
  /** Months, newest first. */
  months: readonly CollectedMonth[];
  /** Message and notices of the newest run with this scope. */
  message: string | null;
  notices: readonly OutcomeNotice[];
  isUnderWay: boolean;
}

export interface GapInput {
  connection: Pick<Connection, 'status' | 'enabledScopes'>;
  /** Scopes of the source that agents may read, enabled or not. */
  scopes: Readonly<Record<string, ScopeState>>;
  nowMs: number;
  staleMs: number;
}

const aboutOf = (code: string): readonly [Who, string] => {
  const error = ERROR_CATALOGUE.find((each) => each.code === code);
  if (error) return [error.mender, error.en];
  const notice = NOTICE_CATALOGUE.find((each) => each.code === code);
  if (notice) return [notice.mender, `${notice.en} ${notice.todo}`];
  return code in OWN ? OWN[code as keyof typeof OWN] : ['us', 'Look at the newest run in the dashboard.'];
};

/**
 * Most months in an answer: ten years. A sync may have been requested for a month of the year 202, and an answer has a
 * size limit.
 */
const PERIODS_MAX = 120;

/** Collects the gaps of one scope (or of the connection). Each code occurs once. */
const collected = (scope: string | null) => {
  const gaps = new Map<string, Gap>();
  const add = (code: string, seen: Partial<Pick<Gap, 'detail' | 'since'>> & { period?: string | null } = {}): void => {
    const [who, what_to_do] = aboutOf(code);
    const gap = gaps.get(code) ?? {
      ...{ scope, code, periods: [], further_periods: 0 },
      ...{ who, what_to_do, detail: null, since: null },
    };
    gaps.set(code, gap);
    gap.detail ??= seen.detail ?? null;
    gap.since ??= seen.since ?? null;
    if (!seen.period) return;
    if (gap.periods.length < PERIODS_MAX) gap.periods.push(seen.period);
    else gap.further_periods++;
  };
  return { add, all: () => [...gaps.values()] };
};
type CollectedMonths = ReturnType<typeof collected>;

const addMonth = ({ add }: CollectedMonths, { period, state, reason, asOf, verdict }: CollectedMonth): void => {
  if (state !== 'complete') add(reason ?? 'not_complete', { period, since: asOf });
  if (verdict === 'differs') add('totals_differ', { period, since: asOf });
};

/** Returns the months that were never requested, between the oldest known month and the present month. */
const skipped = (months: readonly CollectedMonth[], current: string): string[] => {
  const known = new Set(months.flatMap(({ period }) => period ?? []));
  const oldest = [...known].sort()[0];
  if (oldest === undefined) return [];
  return periodsBetween(oldest, current)
    .filter((period) => period < current && !known.has(period))
    .reverse();
};

/** Returns when data of the scope was last read at its source. */
const readAt = ({ lastSuccessAt, months }: ScopeState): string | null =>
  [lastSuccessAt, ...months.map(({ asOf }) => asOf)].reduce((newest, at) =>
    (at ?? '') > (newest ?? '') ? at : newest,
  );

const gapsOfScope = (scope: string, state: ScopeState, { connection, nowMs, staleMs }: GapInput): Gap[] => {
  const found = collected(scope);
  if (!connection.enabledScopes.includes(scope)) {
    found.add('scope_not_enabled');
    return found.all();
  }
  const { lastAttempt, months, message, notices, isUnderWay } = state;
  const current = santiagoPeriod(nowMs);
  const seen = { since: lastAttempt?.finishedAt ?? null };
  if (isUnderWay) found.add('sync_under_way');
  if (lastAttempt?.errorCode) found.add(lastAttempt.errorCode, { ...seen, detail: message });
  for (const { code, message: detail } of notices) found.add(code, { ...seen, detail });
  for (const month of months) addMonth(found, month);
  for (const period of skipped(months, current)) found.add('not_synchronized', { period });
  const read = readAt(state);
  if (read === null) {
    if (!isUnderWay) found.add('never_synchronized');
  } else if (nowMs - Date.parse(read) > staleMs) found.add('stale', { since: read });
  return found.all();
};

const ofConnection = ({ connection }: GapInput): Gap[] => {
  const found = collected(null);
  if (connection.status === 'disabled') found.add('connection_disabled');
  return found.all();
};

/**
 * Returns the gaps of the connection, then the gaps of each scope. Empty if all requested data is complete and fresh.
 */
export const findGaps = (judged: GapInput): Gap[] => [
  ...ofConnection(judged),
  ...Object.entries(judged.scopes).flatMap(([scope, state]) => gapsOfScope(scope, state, judged)),
];
