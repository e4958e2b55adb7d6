// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are code, quoted unchanged
/**
 * Mutants that the simulation must notice: the code with one condition broken. Some history catches each. One is too rare and has its
 * own test (`test/integration/engine/waiting.test.ts`): a woken task that was cancelled and passes nothing on.
 */
import { ACCOUNT_MUTANTS } from './account-mutants.ts';
import { AUDIT_MUTANTS } from './audit-mutants.ts';
import { BUSY_MUTANTS } from './busy-mutants.ts';
import { COMPLETE_MUTANTS } from './complete-mutants.ts';
import { FEED_MUTANTS } from './feed-mutants.ts';
import { GRANT_MUTANTS } from './grant-mutants.ts';
import { LINK_MUTANTS } from './link-mutants.ts';
import { LIST_MUTANTS } from './list-mutants.ts';
import { type Change, type Mutant, one } from './mutant.ts';
import { ORGANIZATION_MUTANTS } from './organization-mutants.ts';
import { SHARED_MUTANTS } from './shared-mutants.ts';
import { SLOT_MUTANTS } from './slot-mutants.ts';
import { SWEEP_MUTANTS } from './sweep-mutants.ts';
import { TOTALS_MUTANTS } from './totals-mutants.ts';
import { WEBHOOK_MUTANTS } from './webhook-mutants.ts';

export type { Change, Mutant } from './mutant.ts';

const LEASES = 'shared/sync/task/lease.store.ts';
const OUTCOMES = 'shared/sync/end/finish-run.ts';
const SWEEP = 'shared/recovery/recover-item.ts';
const LOGINS = 'shared/sync/login/login.rules.ts';
const PACE = 'shared/sync/task/pace.ts';
const ROW_WRITES = 'shared/rows/write/row.store.ts';
const TENDER_LIST = 'shared/tenders/tender-list.store.ts';

const HELD_CHECK: Change = { file: LEASES, old: '  if (isHeld(held)) throw new LeaseTaken();\n', new: '' };
const SLOT_CHECK: Change = {
  file: LEASES,
  old: "const free = { if: 'attribute_not_exists(pk) OR (#expires_at_ms <= :free AND attribute_not_exists(#tombstone))' };",
  new: "const free = { if: 'attribute_not_exists(pk) OR #expires_at_ms <= :free OR #expires_at_ms > :free' };",
};

const SWEPT = [
  ['runs', 'return recoverRun(item.organizationId, item.connectionId, item.runId, look);'],
  ['tasks', 'return recoverTask(item, look);'],
  ['deliveries', 'return recoverDelivery(item, look.waits);'],
  ['kept sessions', 'return recoverSession(item.organizationId, item.source, item.login, item.slot);'],
  ['dirty periods', 'return repairPeriod(item.organizationId, item.connectionId, item.scope, item.period);'],
  ['purges', 'return recoverPurge(item.organizationId, item.connectionId);'],
] as const;

const ENGINE_MUTANTS: readonly Mutant[] = [
  one(
    'fence not compared',
    'shared/table/lease.ts',
    "if: '#fence = :fence AND #holder = :holder',\n  values: { fence: lease.fence, holder: lease.holder },",
    "if: 'attribute_exists(pk)',\n  values: {},",
  ),
  one(
    'run changed without its version',
    'shared/sync/run/run.store.ts',
    "if: 'attribute_exists(pk) AND #version = :seen',",
    "if: 'attribute_exists(pk)',",
  ),
  {
    name: 'an unclear login repeated without bound',
    changes: [
      { file: LOGINS, old: '(record?.failures ?? 0) >= limits.unclearLoginsMax', new: 'record === undefined' },
      { file: LOGINS, old: 'unclearOn(known, santiagoDay(atMs)) >= limits.unclearLoginsMax', new: 'atMs < 0' },
    ],
  },
  one(
    'accepted logins without bound',
    LOGINS,
    '(record?.requests ?? record?.failures ?? 0) >= limits.loginsPerRunMax',
    'record === undefined',
  ),
  one(
    'the login cap per scope',
    'shared/sync/login/login-gate.ts',
    'const fingerprint = await asker.opened.fingerprint();',
    'const fingerprint = (await asker.opened.fingerprint()) + asker.task.scope;',
  ),
  { name: 'lease taken although it is held', changes: [HELD_CHECK, SLOT_CHECK] },
  {
    name: 'lease taken although it is held, without its fence',
    changes: [
      HELD_CHECK,
      {
        file: LEASES,
        old: '      if: `(${free.if}) AND (attribute_not_exists(#fence) OR #fence < :fence)`,\n      values: { ...values, fence },',
        new: "      if: 'attribute_not_exists(pk) OR attribute_exists(pk)',",
      },
    ],
  },
  one(
    'task moved without its generation',
    'shared/sync/task/task.store.ts',
    "if: 'attribute_exists(pk) AND #hop = :seen AND #state <> :ended',",
    "if: 'attribute_exists(pk) AND #state <> :ended',",
  ),
  one(
    'a waiter never woken',
    'shared/sync/login/wake-waiters.ts',
    'for (const task of await waiters.takeFirst(list, wanted)) await begin(task, null);',
    'await waiters.takeFirst(list, wanted);',
  ),
  ...SWEPT.map(([what, old]) => one(`sweep skips ${what}`, SWEEP, old, 'return;')),
  {
    name: 'event and deliveries in a second transaction',
    changes: [
      { file: OUTCOMES, old: 'import type * as table from', new: 'import * as table from' },
      { file: OUTCOMES, old: '      ...announced.items,\n    ],\n', new: '    ],\n    second: announced.items,\n' },
      {
        file: OUTCOMES,
        old: 'const { isWritten, goesOn, closedAs, deliveries, failed } =',
        new: 'const { isWritten, goesOn, closedAs, deliveries, failed, second = [] } =',
      },
      {
        file: OUTCOMES,
        old: '  await Promise.all([enqueueDeliveries(deliveries), wakeAfter(lease, goesOn ? runId : null)]);\n',
        new: `  if (second.length > 0) await table.transact(second);
  await Promise.all([enqueueDeliveries(deliveries), wakeAfter(lease, goesOn ? runId : null)]);\n`,
      },
    ],
  },
  one(
    'stored answers reused though another run had the scope',
    LEASES,
    'reading: readEpoch(task) + (wasHeldBy(task.runId, held) ? 0 : 1),',
    'reading: readEpoch(task),',
  ),
  one(
    'stored answers not looked for',
    'shared/sync/reading/raw-answer-log.ts',
    'isResumed ? await readPacks(current(), unit) : NOTHING_STORED',
    'isResumed && unit === null ? await readPacks(current(), unit) : NOTHING_STORED',
  ),
  one(
    'stored answers of earlier attempts not looked for',
    'shared/sync/reading/answer-packs.ts',
    'for (let attempt = 1; attempt <= tryOf(task); attempt++) {',
    'for (const attempt of [tryOf(task)]) {',
  ),
  one(
    'a renewal takes back what was given back',
    'shared/table/lease.ts',
    "if: '#holder = :holder AND #expires_at_ms > :given_back AND #expires_at_ms <= :until',",
    "if: '#holder = :holder AND #expires_at_ms >= :given_back AND #expires_at_ms <= :until',",
  ),
  one(
    'a due entry moved beyond the end of the lease',
    LEASES,
    'const lookAfter = (expiresAtMs: number): number => expiresAtMs + TABLE_LIMITS.leaseMarginMs;',
    'const lookAfter = (expiresAtMs: number): number => expiresAtMs + 8 * TABLE_LIMITS.leaseMarginMs;',
  ),
  one(
    'a session left with a slot that is over',
    'shared/sync/run-task.ts',
    '      checkSlot: () => checkUnexpired(lease),\n    });\n    await logOut(',
    '    });\n    await logOut(',
  ),
  one(
    'outcome written though a period is dirty',
    OUTCOMES,
    '  if (scope) for (const period of await dirtyPeriods(address)) await reindex(address, scope, period, lease);\n',
    '',
  ),
  {
    name: 'list row before its full item',
    changes: [
      {
        file: ROW_WRITES,
        old: '  let removed = 0;\n  if (scope.fullRow !== null) {\n',
        new: `  let removed = 0;
  const listed = rows.map(({ row, history }) => listItem(writer, row, history));
  await table.batchWrite({ puts: listed }, () => checkLease(lease));
  if (scope.fullRow !== null) {\n`,
      },
      {
        file: ROW_WRITES,
        old: `  const puts = rows.map(({ row, history }) => listItem(writer, row, history));
  await table.batchWrite({ puts }, () => checkLease(lease));
`,
        new: '',
      },
    ],
  },
  one(
    'copies that came late not compared',
    'shared/rows/write/write-period.ts',
    'oldest === null ? null',
    'oldest !== -1 ? null',
  ),
  one(
    'periods written after a takeover not suspected',
    'shared/rows/index/store-index.store.ts',
    'if (lease.late && pending.size > 0) {',
    'if (lease.late === undefined) {',
  ),
  ...WEBHOOK_MUTANTS,
  one(
    'a connection purged while its workers may live',
    'shared/recovery/purge-connection.ts',
    'const UNTIL_QUIET_MS = TABLE_LIMITS.lateWriteMs;',
    'const UNTIL_QUIET_MS = 60_000 + TABLE_LIMITS.leaseMarginMs;',
  ),
  {
    name: 'both time margins gone',
    changes: [
      { file: ROW_WRITES, old: '  if (isExpiring(lease)) throw new LeaseLost();\n', new: '' },
      { file: 'shared/table/limits.ts', old: '  leaseMarginMs: 15_000,', new: '  leaseMarginMs: 0,' },
    ],
  },
  {
    name: 'a tender listed without its version',
    changes: [
      {
        file: TENDER_LIST,
        old: "? { if: '#version = :version', values: { version: before.version }, otherwise }",
        new: '? {}',
      },
      { file: TENDER_LIST, old: ": { if: 'attribute_not_exists(#version)', otherwise };", new: ': {};' },
    ],
  },
  {
    name: 'readings of a tender looked at before its version',
    changes: [
      {
        file: TENDER_LIST,
        old: '  const stored = await table.get(key);\n  const before',
        new: '  const early = await findReads(organizationId, codigo, LIST_SCOPE);\n  const stored = await table.get(key);\n  const before',
      },
      { file: TENDER_LIST, old: 'new Map(await findReads(organizationId, codigo, LIST_SCOPE))', new: 'new Map(early)' },
    ],
  },
  one(
    'the last calls of a dead worker forgotten',
    PACE,
    'holder !== undefined && expiresAtMs > 0',
    'holder === undefined && expiresAtMs > 0',
  ),
  one('each worker begins a pace of its own', PACE, ', sessionsMax), slot.turns);', ', sessionsMax));'),
  one('a moved tender still listed at its old place', TENDER_LIST, '[{ remove: old }]', '[]'),
  one(
    'a reading noted in a separate write before the list',
    'shared/tenders/tender.store.ts',
    "return scope === 'licitaciones' ? listTender(address, definition, reading) :",
    "if (scope === 'licitaciones') return noteReading(address, scope, reading).then(() => listTender(address, definition, reading));\n  return",
  ),
  one(
    'a purged reading left in the list',
    'shared/tenders/tender-purge.store.ts',
    'await listTender(address, procurementLicitaciones, null);',
    'await table.remove(keys.tenderRead(address));',
  ),
  ...FEED_MUTANTS,
  ...ORGANIZATION_MUTANTS,
  ...TOTALS_MUTANTS,
  ...SHARED_MUTANTS,
  ...SLOT_MUTANTS,
  ...SWEEP_MUTANTS,
];

export const MUTANTS: readonly Mutant[] = [
  ...ENGINE_MUTANTS,
  ...ACCOUNT_MUTANTS,
  ...AUDIT_MUTANTS,
  ...BUSY_MUTANTS,
  ...COMPLETE_MUTANTS,
  ...GRANT_MUTANTS,
  ...LINK_MUTANTS,
  ...LIST_MUTANTS,
];
