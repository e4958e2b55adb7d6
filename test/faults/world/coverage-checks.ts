/**
 * Coverage equals the outcomes of the runs, and totals equal the stored rows (docs/adr/0032), even after workers died,
 * froze or were cancelled.
 */
import { Big } from 'big.js';
import * as connections from '#shared/connections/connection.store.ts';
import type { ComparedGroup } from '#shared/rows/item/totals.rules.ts';
import { findTotals } from '#shared/rows/read/read-totals.store.ts';
import type { Row, ScopeDefinition } from '#shared/scopes/scope.ts';
import { type CoveredPeriod, derivePeriodState } from '#shared/sync/coverage/coverage.rules.ts';
import * as coverages from '#shared/sync/coverage/coverage.store.ts';
import { readCoverage, readPeriodCoverage } from '#shared/sync/coverage/read-coverage.ts';
import { isDone, type SyncRun } from '#shared/sync/run.rules.ts';
import { keys } from '#shared/table/keys.ts';
import { accountKey } from '#shared/values/statements.ts';
import { PERIODS } from './ledger.ts';
import { sum } from './source-totals.ts';
import { OPENING } from './statements.ts';
import type { Check, Violation, World } from './world.ts';

const endedIn = (all: readonly SyncRun[], connectionId: string, scope: string): SyncRun[] =>
  all.filter((run) => run.connectionId === connectionId && isDone(run.outcomes[scope]));

/** Each outcome of a scope was written together with its coverage, once: never one without the other. */
export const coverageEqualsOutcomes: Check = async (world, all) => {
  const faults: Violation[] = [];
  for (const connection of [world.connection, world.second])
    for (const { name, periodic } of world.scopes) {
      if (!connection || (world.isDeleted && connection === world.connection)) continue;
      const ended = endedIn(all, connection.id, name);
      const blame = (what: string) => faults.push(`coverage of ${name}: ${what}`);
      const covered = await coverages.find({
        organizationId: world.organizationId,
        connectionId: connection.id,
        scope: name,
      });
      if ((covered?.version ?? 0) !== ended.length) blame(`${covered?.version} attempts, ${ended.length} outcomes`);
      if (!covered) continue;
      const { lastAttempt, lastSuccessAt, periods } = covered;
      const last = ended.find(({ id }) => id === lastAttempt.runId)?.outcomes[name];
      if (last?.status !== lastAttempt.status || last.errorCode !== lastAttempt.errorCode)
        blame(`the last attempt is ${lastAttempt.status}, its run says ${last?.status}`);
      const hasSucceeded = ended.some(({ outcomes }) => outcomes[name]!.status === 'ok');
      if (hasSucceeded !== (lastSuccessAt !== null)) blame(`last success ${lastSuccessAt}`);
      const read = new Set(ended.flatMap(({ outcomes }) => outcomes[name]!.periods));
      for (const period of periodic ? read : [])
        if (!periods[period]?.asOf && !showsNothing(periods[period])) blame(`${period} was read and has no time`);
      faults.push(...untold(name, periods));
    }
  return faults;
};

/**
 * A connection without an open run names a month that its coverage reports as complete: the last one after a calm run.
 * Between two runs, a repair may end a difference of a later month.
 */
export const lastCompleteEqualsCoverage: Check = async (world, all) => {
  const faults: Violation[] = [];
  const scopes = world.scopes.filter(({ periodic, resource }) => periodic && resource !== null);
  for (const each of [world.connection, world.second]) {
    const found = each && (await connections.find(world.organizationId, each.id));
    if (!found || found.openRuns.length > 0) continue;
    const covered = await readCoverage(world.organizationId, each.id, scopes);
    const isComplete = (period: string): boolean =>
      covered.length > 0 &&
      covered.every(({ periods }) => {
        const month = periods.find((known) => known.period === period);
        return month?.state === 'complete' && month.verdict !== 'differs' && !month.isOpen;
      });
    const named = found.lastCompletePeriod;
    const last = PERIODS.toSorted().findLast(isComplete);
    const isCalm = all.some(({ id, connectionId }) => id === world.finalRun && connectionId === each.id);
    if (named === last || (!isCalm && (named === undefined || isComplete(named)))) continue;
    faults.push(`${each.id} says ${named} is complete, its coverage ${last}: ${JSON.stringify(covered)}`);
  }
  return faults;
};

/** A reading of the month returned no rows and the stored rows stayed. A later attempt may have replaced the reason. */
const showsNothing = (known: CoveredPeriod | undefined): boolean =>
  known?.emptyAt !== undefined || known?.reason?.endsWith('.rows_kept') === true;

const untold = (scope: string, periods: Readonly<Record<string, CoveredPeriod>>): Violation[] =>
  Object.entries(periods).flatMap(([period, known]) => {
    const state = derivePeriodState(known, 0);
    if (state === 'complete' && known.asOf === null)
      return [`coverage of ${scope}: ${period} is complete and was never read`];
    return state !== 'complete' && known.reason === null
      ? [`coverage of ${scope}: ${period} is ${state} without a reason`]
      : [];
  });

/** List rows of a month as stored in the table. */
const listedIn = (world: World, scope: ScopeDefinition, period: string): Row[] => {
  const address = { organizationId: world.organizationId, connectionId: world.connection.id, scope: scope.name };
  const prefix = keys.rows(address, period, '');
  return [...world.table.items()]
    .filter(({ pk }) => pk.startsWith(prefix))
    .map(({ row }) => JSON.parse(row as string) as Row);
};

const isOf = (row: Row, group: ComparedGroup['group']): boolean =>
  Object.entries(group).every(([name, value]) => {
    if (name === 'told_by') return true;
    return (name === 'numero_cuenta' ? accountKey(String(row[name])) : String(row[name])) === value;
  });

/** @param opening the balance that the bank stated, with which the closing balance begins */
const reckoned = (rows: readonly Row[], figure: string, opening: string | null): string => {
  if (figure === 'rows') return String(rows.length);
  return figure === 'closing'
    ? Big(opening ?? OPENING)
        .plus(sum(rows, 'amount'))
        .toFixed()
    : sum(rows, figure);
};

/** Stored sums equal the sums of the stored rows, and the verdict follows from them. */
export const totalsEqualRows: Check = async (world) => {
  if (world.isDeleted) return [];
  const faults: Violation[] = [];
  for (const scope of world.scopes.filter(({ totals }) => totals))
    for (const period of PERIODS) {
      const address = { organizationId: world.organizationId, connectionId: world.connection.id, scope: scope.name };
      const { totals } = await findTotals(address, period);
      const rows = listedIn(world, scope, period);
      for (const { group, figures, verdict } of totals?.groups ?? []) {
        const of = rows.filter((row) => isOf(row, group));
        const opening = figures.find(({ figure }) => figure === 'opening')?.institution ?? null;
        const others = figures.filter(
          ({ figure, ours }) => ours !== null && !Big(ours).eq(reckoned(of, figure, opening)),
        );
        for (const { figure, ours } of others)
          faults.push(
            `${scope.name} ${period} ${JSON.stringify(group)}: ${figure} ${ours}, stored ${reckoned(of, figure, opening)}`,
          );
        const differs = figures.some(
          ({ figure, institution, ours }) =>
            institution !== null && ours !== null && !Big(institution).eq(reckoned(of, figure, opening)),
        );
        if (differs !== (verdict === 'differs'))
          faults.push(`${scope.name} ${period} ${JSON.stringify(group)} is ${verdict}`);
      }
    }
  return faults;
};

/**
 * After a calm sync of everything, each month is complete, and its totals agree unless the source stopped showing some
 * of its rows.
 */
export const calmMonthsTieOut: Check = async (world, all) => {
  const run = all.find(({ id }) => id === world.finalRun);
  if (world.isDeleted || world.hasWrongPassword || run?.status !== 'succeeded') return [];
  const { organizationId, connection, ledger } = world;
  const faults: Violation[] = [];
  const scopes = world.scopes.filter(({ periodic, resource }) => periodic && resource !== null);
  for (const { scope, periods } of await readCoverage(organizationId, connection.id, scopes)) {
    const definition = scopes.find(({ name }) => name === scope)!;
    for (const month of periods.filter(({ period }) => PERIODS.some((known) => known === period))) {
      const blame = (what: string) => faults.push(`${scope} ${month.period}: ${what}`);
      const rows = listedIn(world, definition, month.period!);
      // A month without stored rows is not such a case: its rows moved to the other month.
      const isNothingShown =
        month.reason?.endsWith('.rows_kept') && rows.length > 0 && rows.every((row) => ledger.isGone(definition, row));
      const left = [...world.institution.phantoms.findLeft(definition, rows, ledger.all(scope))];
      const hasPhantoms = left.length > 0;
      if (month.state !== 'complete' && !isNothingShown && !hasPhantoms) blame(`${month.state} after a calm sync`);
      if (month.state === 'complete' && hasPhantoms) blame('complete with rows that the bank never had');
      if (rows.length !== month.rows) blame(`${month.rows} rows are reported, ${rows.length} stored`);
      const hasGone = rows.some((row) => ledger.isGone(definition, row));
      const undecided = left.filter((row) => world.institution.phantoms.isUndecided(row));
      const wrong = month.differences.filter(({ group }) => !undecided.some((row) => isOf(row, group)));
      if (month.verdict === 'differs' && !hasGone && wrong.length > 0) blame(`differs: ${JSON.stringify(wrong[0])}`);
      if (month.verdict === 'equal' && hasGone && scope === 'rcv')
        blame('equal with rows that the source no longer shows');
      const address = { organizationId, connectionId: connection.id, scope };
      const detail = await readPeriodCoverage(address, definition, month.period!);
      if (detail?.verdict !== month.verdict) blame(`${month.verdict} in the list, ${detail?.verdict} by itself`);
    }
  }
  return faults;
};
