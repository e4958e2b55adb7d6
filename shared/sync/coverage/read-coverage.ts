/**
 * Reads coverage: combines the stored state of each month (`coverage.rules.ts`) with the month's entry in the current
 * page index. So the numbers of rows and the verdicts are never older than the lists (docs/adr/0032).
 */

import type { Connection } from '#shared/connections/connection.rules.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { chunks } from '#shared/platform/concurrency.ts';
import { rowsIn, type Summary } from '#shared/rows/index/summary.ts';
import { joinAddress } from '#shared/rows/item/scope-address.ts';
import type { Difference, PeriodTotals, TotalsVerdict } from '#shared/rows/item/totals.rules.ts';
import { ROW_LIMITS } from '#shared/rows/limits.ts';
import { findSummaries, findTotals } from '#shared/rows/read/read-totals.store.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { SCOPES } from '#shared/scopes/scopes.gen.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import type { WalkBreak } from '#shared/sync/task/walk-breaks.rules.ts';
import type { ScopeAddress } from '#shared/table/keys.ts';
import { santiagoPeriod } from '#shared/values/dates.ts';
import type { ConnectionId, OrganizationId } from '#shared/values/ids.ts';
import { mustGet } from '#shared/values/must-get.ts';
import {
  type Coverage,
  type CoverageAttempt,
  derivePeriodState,
  describeMonth,
  NO_PERIOD,
  type ToldMonth,
  UNKNOWN,
} from './coverage.rules.ts';
import * as coverages from './coverage.store.ts';
import { findLastComplete } from './last-complete.rules.ts';

export interface PeriodCoverage extends ToldMonth {
  /** YYYY-MM; null for a point-in-time scope. */
  period: string | null;
  /** Number of rows stored now. */
  rows: number;
  verdict: TotalsVerdict;
  /** The first figures that differ, at most `ROW_LIMITS.differencesMax`. */
  differences: readonly Difference[];
}

export interface StoredScopeCoverage {
  scope: string;
  lastSuccessAt: string | null;
  /** Null if the scope has no outcome yet. */
  lastAttempt: CoverageAttempt | null;
  /** Months, newest first. Empty for scopes that are read by tender. */
  periods: PeriodCoverage[];
}

/** Describes a break in an account's balances as a figure that differs. */
const describeBreak = ({ account, stopsAt, resumesAt }: WalkBreak): Difference => ({
  group: { numero_cuenta: account },
  figure: 'balance',
  institution: resumesAt,
  ours: stopsAt,
});

const ofMonth = (period: string, summary: Summary, coverage: Coverage | undefined, current: string): PeriodCoverage => {
  const covered = coverage?.periods[period] ?? UNKNOWN;
  const stored = summary[period];
  const rows = stored ? rowsIn(stored) : 0;
  const isTold = stored === undefined && covered.tiesOut;
  const broken = (covered.breaks ?? []).map(describeBreak);
  return {
    period,
    rows,
    ...describeMonth(period, covered, { rows, isHalfWritten: stored?.isHalfWritten ?? false }, current),
    verdict: broken.length > 0 ? 'differs' : (stored?.tieOut?.verdict ?? (isTold ? 'equal' : 'not_told')),
    differences: [...broken, ...(stored?.tieOut?.differences ?? [])].slice(0, ROW_LIMITS.differencesMax),
  };
};

/** Returns the coverage of a point-in-time scope, which has a single entry for all its observations. */
const ofAllTime = (summary: Summary, coverage: Coverage | undefined): PeriodCoverage => {
  const covered = coverage?.periods[NO_PERIOD] ?? UNKNOWN;
  const rows = Object.values(summary).reduce((sum, entry) => sum + rowsIn(entry), 0);
  const { asOf, reason } = covered;
  return {
    period: null,
    rows,
    state: derivePeriodState(covered, rows),
    reason,
    isOpen: false,
    asOf,
    verdict: 'not_told',
    differences: [],
  };
};

const isByTender = ({ resource }: ScopeDefinition): boolean => resource === null;

const periodsOf = (scope: ScopeDefinition, summary: Summary, coverage: Coverage | undefined): PeriodCoverage[] => {
  if (isByTender(scope)) return [];
  if (!scope.periodic) return coverage?.periods[NO_PERIOD] ? [ofAllTime(summary, coverage)] : [];
  const stored = Object.keys(summary).filter((period) => rowsIn(mustGet(summary, period)) > 0);
  const months = new Set([...Object.keys(coverage?.periods ?? {}), ...stored]);
  const current = santiagoPeriod(nowMs());
  return [...months]
    .sort()
    .reverse()
    .map((period) => ofMonth(period, summary, coverage, current));
};

/**
 * True if the rows may be read from any replica. Replicas are usually at most one second behind, so right after an
 * outcome the rows are read consistently.
 */
const isSettled = (coverage: Iterable<Coverage | undefined>): boolean =>
  [...coverage].every((of) => !of || nowMs() - Date.parse(of.lastAttempt.finishedAt) > ROW_LIMITS.rowsSettledMs);

const toStored = (scope: ScopeDefinition, summary: Summary = {}, of: Coverage | undefined): StoredScopeCoverage => ({
  scope: scope.name,
  lastSuccessAt: of?.lastSuccessAt ?? null,
  lastAttempt: of?.lastAttempt ?? null,
  periods: periodsOf(scope, summary, of),
});

/**
 * Reads the coverage of the given scopes of a connection, in the given order: the last attempt, the last success, and
 * every month that was requested or holds rows. Reads the item `COVERAGE` of the connection and `SUMMARY` of each
 * scope. The caller has checked that the connection exists and has these scopes.
 * @param newer coverage by scope that the caller is about to store
 */
export const readCoverage = async (
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  scopes: readonly ScopeDefinition[],
  newer: ReadonlyMap<string, Coverage> = new Map(),
): Promise<StoredScopeCoverage[]> => {
  const stored = await coverages.listCoverage(organizationId, connectionId);
  const coverage: ReadonlyMap<string, Coverage> = new Map([...stored, ...newer]);
  const addressOf = ({ name }: ScopeDefinition): ScopeAddress => ({ organizationId, connectionId, scope: name });
  const summaries = await findSummaries(scopes.filter((scope) => !isByTender(scope)).map(addressOf), {
    isConsistent: !isSettled(coverage.values()),
  });
  return scopes.map((scope) => toStored(scope, summaries.get(joinAddress(addressOf(scope))), coverage.get(scope.name)));
};

/** Returns the enabled scopes of a connection, in the order in which they were chosen. */
export const listEnabledScopes = ({
  source,
  enabledScopes,
}: Pick<Connection, 'source' | 'enabledScopes'>): ScopeDefinition[] => {
  const own = SCOPES.filter((scope) => scope.source === source);
  return enabledScopes.flatMap((name) => own.find((scope) => scope.name === name) ?? []);
};

/**
 * Returns the last month that is complete in every enabled scope that is read by month.
 * @param newer coverage by scope that the caller is about to store
 */
export const readLastComplete = async (
  connection: Connection,
  newer: ReadonlyMap<string, Coverage>,
): Promise<string | undefined> => {
  const scopes = listEnabledScopes(connection).filter((scope) => scope.periodic && !isByTender(scope));
  if (scopes.length === 0) return undefined;
  const covered = await readCoverage(connection.organizationId, connection.id, scopes, newer);
  return findLastComplete(covered.map(({ periods }) => periods));
};

/** A connection with the scopes whose coverage is read. */
export interface CoveredConnection {
  connectionId: ConnectionId;
  scopes: readonly ScopeDefinition[];
}

const readBatch = async (
  organizationId: OrganizationId,
  connections: readonly CoveredConnection[],
): Promise<StoredScopeCoverage[][]> => {
  const addressOf = (connectionId: ConnectionId, { name }: ScopeDefinition): ScopeAddress => ({
    ...{ organizationId, connectionId, scope: name },
  });
  const addressesOf = (some: readonly CoveredConnection[]): ScopeAddress[] =>
    some.flatMap(({ connectionId, scopes }) =>
      scopes.filter((scope) => !isByTender(scope)).map((scope) => addressOf(connectionId, scope)),
    );
  const coverage = await coverages.findMany(addressesOf(connections), { isConsistent: false });
  const isOld = ({ connectionId, scopes }: CoveredConnection): boolean =>
    isSettled(scopes.map((scope) => coverage.get(joinAddress(addressOf(connectionId, scope)))));
  const settled = addressesOf(connections.filter(isOld));
  const recent = addressesOf(connections.filter((each) => !isOld(each)));
  const [later, ...summaries] = await Promise.all([
    coverages.findMany(recent, { isConsistent: true }),
    findSummaries(settled, { isConsistent: false }),
    findSummaries(recent, { isConsistent: true }),
  ]);
  const covered = new Map([...coverage, ...later]);
  const stored = new Map(summaries.flatMap((each) => [...each]));
  return connections.map(({ connectionId, scopes }) =>
    scopes.map((scope) => {
      const name = joinAddress(addressOf(connectionId, scope));
      return toStored(scope, stored.get(name), covered.get(name));
    }),
  );
};

/**
 * Reads the coverage of several connections, in the given order, as `readCoverage` does. The items are read in batches
 * and from any replica, so an outcome of the last second may be missing.
 */
export const readCoverageOfMany = async (
  organizationId: OrganizationId,
  connections: readonly CoveredConnection[],
): Promise<StoredScopeCoverage[][]> => {
  const all: StoredScopeCoverage[][] = [];
  for (const some of chunks(connections, SYNC_LIMITS.coverageConnectionsAtOnce))
    all.push(...(await readBatch(organizationId, some)));
  return all;
};

export interface PeriodDetail extends PeriodCoverage {
  /** Totals by group. Groups that differ come first. Empty if the source reported no totals or no rows are stored. */
  totals: PeriodTotals;
}

const NOT_TOLD: PeriodTotals = { verdict: 'not_told', groups: [], leftOut: 0 };

/**
 * Reads one month of a scope with its totals by group: the institution's figures and the figures of the stored rows.
 * Reads `COVERAGE`, `SUMMARY` and the month's `PERIOD`. Returns undefined if the month was never requested and holds no
 * rows.
 * @param period YYYY-MM
 */
export const readPeriodCoverage = async (
  address: ScopeAddress,
  scope: ScopeDefinition,
  period: string,
): Promise<PeriodDetail | undefined> => {
  if (!scope.periodic || isByTender(scope)) return undefined;
  const [coverage, { summary, totals }] = await Promise.all([coverages.find(address), findTotals(address, period)]);
  const month = periodsOf(scope, summary, coverage).find((known) => known.period === period);
  return month && { ...month, totals: totals ?? NOT_TOLD };
};
