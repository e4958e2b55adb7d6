/**
 * What must hold after every history (issue: "invariants checked after each history"). Each check returns its
 * violations.
 */

import { buildFittingIndex } from '#shared/rows/index/page-index.rules.ts';
import { dirtyPeriods, findPeriods, findSummary, storedPeriods } from '#shared/rows/index/page-index.store.ts';
import { rowSortKeyParts } from '#shared/rows/item/row-keys.ts';
import { ROW_LIMITS } from '#shared/rows/limits.ts';
import { readPeriod } from '#shared/rows/write/write-period.ts';
import type { Row, ScopeDefinition } from '#shared/scopes/scope.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import * as runs from '#shared/sync/run/run.store.ts';
import { isTerminal, type SyncRun, terminalStatus } from '#shared/sync/run.rules.ts';
import { keys } from '#shared/table/keys.ts';
import type { Item } from '../table/values.ts';
import { entriesEqualConnections, runsReportSharedLogins } from './account-checks.ts';
import { busyCostsNothing } from './busy-checks.ts';
import {
  calmMonthsTieOut,
  coverageEqualsOutcomes,
  lastCompleteEqualsCoverage,
  totalsEqualRows,
} from './coverage-checks.ts';
import { stampsEqualRows } from './feed.ts';
import { CANARIES } from './institution.ts';
import { PERIODS } from './ledger.ts';
import { linkedRunsEnd, linksMakeOneConnection, openLinksAreCounted, repairsKeepTheAccount } from './link-checks.ts';
import {
  eachRunHasOneSession,
  loginsAreFew,
  loginsOfARunAreFew,
  paceIsKept,
  unclearLoginsAreCapped,
} from './login-checks.ts';
import { stripped } from './phantoms.ts';
import { cancelsTellTheirTasks, removalsAreTold } from './removal-checks.ts';
import { lostRunsAreFound, slowQueuesGetNoReminders, stuckItemsPause } from './sweep-checks.ts';
import { tendersAreListed } from './tender-checks.ts';
import { trailShowsEveryChange } from './trail-checks.ts';
import { attemptsAreTrue, failuresAreForgotten, oneEventPerRun, placesAreTrue } from './webhook-checks.ts';
import type { Check, Violation, World } from './world.ts';

const RUNS_MAX = 100;
/** The time limit of a scope, the wait before it, and the sweeper's minute. */
const RUN_MS_MAX = (SYNC_LIMITS.scopeMinutesMax + 15) * 60_000;

const address = ({ organizationId, connection }: World, scope: ScopeDefinition) => ({
  organizationId,
  connectionId: connection.id,
  scope: scope.name,
});

/**
 * Every run has ended in time, with the status that the pure function computes, and never with a better one than its
 * scopes.
 */
const runsEnd: Check = (_, all) =>
  all.flatMap((run) => {
    if (!isTerminal(run)) return [`run ${run.id} is ${run.status}`];
    const faults: Violation[] = [];
    if (terminalStatus(run.scopes, run.outcomes, run.cancelledAt) !== run.status)
      faults.push(`run ${run.id} says ${run.status}, its outcomes do not`);
    if (run.status === 'succeeded' && run.scopes.some((scope) => run.outcomes[scope]?.status !== 'ok'))
      faults.push(`run ${run.id} succeeded with a scope that is not ok`);
    const tookMs = Date.parse(run.finishedAt!) - Date.parse(run.createdAt);
    if (tookMs > RUN_MS_MAX) faults.push(`run ${run.id} took ${Math.round(tookMs / 60_000)} minutes`);
    return faults;
  });

const listPartitions = (world: World, scope: ScopeDefinition): string =>
  keys.rows(address(world, scope), '', '').slice(0, -1);

/** List rows as stored in the table. */
const listItems = (world: World, scope: ScopeDefinition): Item[] =>
  [...world.table.items()].filter(({ pk }) => pk.startsWith(listPartitions(world, scope)));

/**
 * No document is ever in two partitions, and its full item names the right one (architecture.md §4); late writes are
 * repaired by now.
 */
const eachInOnePlace: Check = (world) => {
  if (world.isDeleted) return [];
  const faults: Violation[] = [];
  const { table } = world;
  for (const scope of world.scopes) {
    const at = address(world, scope);
    const seen = new Map<string, string>();
    for (const { pk, sk, hash } of listItems(world, scope)) {
      const { rowId } = rowSortKeyParts(sk);
      if (seen.has(rowId)) faults.push(`${scope.name} ${rowId} is in ${seen.get(rowId)} and in ${pk}`);
      seen.set(rowId, pk);
      if (scope.fullRow === null) continue;
      const full = table.find(keys.fullRow(at, rowId));
      const place = keys.rows(at, String(full?.period), String(full?.facets));
      if (place !== pk || full?.sort_key !== sk)
        faults.push(`${scope.name} ${rowId} is in ${pk}, its document in ${place}`);
      if (world.finalRun !== undefined && full?.hash !== hash)
        faults.push(`${scope.name} ${rowId} is not listed as its document is`);
    }
  }
  return faults;
};

/** List rows with the period that they are stored in. */
const listedRows = function* (world: World, scope: ScopeDefinition): Generator<[string, Row]> {
  for (const { pk, row } of listItems(world, scope))
    yield [pk.slice(listPartitions(world, scope).length).split('#')[0]!, JSON.parse(row as string) as Row];
};

const difference = (scope: string, stored: readonly string[], held: readonly string[]): Violation[] => {
  const [here, there] = [new Set(stored), new Set(held)];
  return [
    ...stored.filter((row) => !there.has(row)).map((row) => `${scope}: stored and not held ${row}`),
    ...held.filter((row) => !here.has(row)).map((row) => `${scope}: held and not stored ${row}`),
    ...(stored.length === held.length ? [] : [`${scope}: ${stored.length} rows stored, ${held.length} held`]),
  ];
};

/** A run that read everything and succeeded, after the last change of the ledger and the last odd answer. */
const showsEverything = (
  { changedMs, institution, machine }: World,
  { status, createdAt, outcomes }: SyncRun,
): boolean =>
  status === 'succeeded' &&
  Date.parse(createdAt) > Math.max(changedMs, institution.oddMs) + machine.skewMsMax &&
  Object.values(outcomes).every(
    ({ period, periods }) => period === null || PERIODS.every((wanted) => periods.includes(wanted)),
  );

/** After a calm sync of everything, the rows equal the ledger. */
const rowsEqualLedger: Check = async (world, ofBoth) => {
  if (world.isDeleted || world.hasWrongPassword) return [];
  const all = ofBoth.filter(({ connectionId }) => connectionId === world.connection.id);
  const last = all.find(({ id }) => id === world.finalRun);
  if (last && last.status !== 'succeeded') return [`the calm sync ended ${last.status} with ${last.errorCode}`];
  if (!last && !all.some((run) => showsEverything(world, run))) return [];
  const faults: Violation[] = [];
  for (const scope of world.scopes) {
    const stored: Row[] = [];
    for (const [period, listed] of listedRows(world, scope)) {
      // A row that the source stopped showing stays unchanged.
      if (world.ledger.isGone(scope, listed)) continue;
      const id = String(listed.id);
      if (scope.periodic && listed.period !== period)
        faults.push(`${scope.name} ${id} of ${listed.period} is in ${period}`);
      stored.push(listed);
    }
    const all = world.ledger.all(scope.name);
    const held = all.map((row) => stripped(scope, row));
    const phantoms = world.institution.phantoms.findLeft(scope, stored, all);
    const rows = stored.filter((row) => !phantoms.has(row)).map((row) => stripped(scope, row));
    if (scope.periodic) faults.push(...difference(scope.name, rows, held));
  }
  return faults;
};

/** The index describes the rows, and no period is left dirty. */
const indexEqualsRows: Check = async (world) => {
  const faults: Violation[] = [];
  if (world.isDeleted) return [];
  for (const scope of world.scopes) {
    const at = address(world, scope);
    for (const period of await dirtyPeriods(at)) faults.push(`${scope.name} ${period} is dirty`);
    const summary = await findSummary(at);
    const periods = await storedPeriods(at);
    const indexes = await findPeriods(at, periods);
    for (const period of periods) {
      const rows = await readPeriod(at, scope, period);
      const { packed: fresh } = buildFittingIndex(rows, ROW_LIMITS.indexStrideRows, ROW_LIMITS.indexBytesMax);
      const packed = indexes.get(period)?.packed;
      if (rows.length > 0 && !(packed && Buffer.from(packed).equals(Buffer.from(fresh))))
        faults.push(`${scope.name} ${period}: the index is not that of its ${rows.length} rows`);
      const total = Object.values(summary[period]?.totals ?? {}).reduce((sum, count) => sum + count, 0);
      if (total !== rows.length) faults.push(`${scope.name} ${period}: total ${total} of ${rows.length} rows`);
    }
  }
  return faults;
};

/** When no work is left, no session is stored. */
const noSessionIsKept: Check = (world) =>
  [...world.table.items()].filter(({ sk }) => sk.startsWith('SESSION#')).map(({ pk, sk }) => `kept: ${pk} ${sk}`);

/** Names the connection where nothing else is left of it: the history of its login, and the note of its deletion. */
const MAY_STAY = /#LOGIN#|#LISTED$/;

/** Nothing of a purged connection can be read. */
const purgedIsGone: Check = (world) => {
  if (!world.isDeleted) return [];
  const { id } = world.connection;
  const left = [...world.table.items()].filter(
    ({ pk, sk }) => (pk.includes(id) || sk.includes(id)) && !MAY_STAY.test(pk),
  );
  const objects = [...world.objects.keys()].filter((key) => key.includes(id));
  return [
    ...left.map(({ pk, sk }) => `left of the deleted connection: ${pk} ${sk}`),
    ...objects.map((key) => `left: ${key}`),
  ];
};

const text = (value: unknown): string =>
  JSON.stringify(value, (_, inner) =>
    inner instanceof Uint8Array ? Buffer.from(inner).toString('latin1') : inner instanceof Set ? [...inner] : inner,
  );

/** No credential or token is anywhere in clear text, and no payload is in a log line, an event or a message. */
const secretsAreKept: Check = (world) => {
  const faults: Violation[] = [];
  const secrets = [CANARIES.password, CANARIES.token];
  for (const item of world.table.items())
    if (secrets.some((secret) => text(item).includes(secret))) faults.push(`a secret is in ${item.pk} ${item.sk}`);
  for (const secret of [...secrets, CANARIES.payload]) {
    if (world.logs.some((line) => line.includes(secret))) faults.push(`a log line holds ${secret}`);
    if (world.receivers.received.some(({ body }) => body.includes(secret))) faults.push(`an event holds ${secret}`);
    if (world.queues.sent.some((body) => body.includes(secret))) faults.push(`a message holds ${secret}`);
  }
  return faults;
};

const CHECKS: readonly Check[] = [
  ({ watch }) => watch.violations,
  ({ walks }) => [...walks],
  ({ asked }) => asked.violations,
  runsEnd,
  eachInOnePlace,
  rowsEqualLedger,
  indexEqualsRows,
  coverageEqualsOutcomes,
  totalsEqualRows,
  calmMonthsTieOut,
  lastCompleteEqualsCoverage,
  ({ feed }) => feed.check(),
  stampsEqualRows,
  removalsAreTold,
  cancelsTellTheirTasks,
  tendersAreListed,
  oneEventPerRun,
  attemptsAreTrue,
  placesAreTrue,
  failuresAreForgotten,
  noSessionIsKept,
  loginsAreFew,
  unclearLoginsAreCapped,
  loginsOfARunAreFew,
  eachRunHasOneSession,
  paceIsKept,
  busyCostsNothing,
  purgedIsGone,
  stuckItemsPause,
  lostRunsAreFound,
  slowQueuesGetNoReminders,
  secretsAreKept,
  trailShowsEveryChange,
  entriesEqualConnections,
  linksMakeOneConnection,
  repairsKeepTheAccount,
  openLinksAreCounted,
  linkedRunsEnd,
  runsReportSharedLogins,
];

export const violationsOf = async (world: World): Promise<Violation[]> => {
  const all: SyncRun[] = [];
  for (const connection of [world.connection, world.second])
    if (connection) all.push(...(await runs.listNewest(world.organizationId, connection.id, RUNS_MAX)));
  const found: Violation[] = [];
  for (const check of CHECKS) found.push(...(await check(world, all)));
  return found;
};
