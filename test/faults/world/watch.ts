/** What must hold at every write, not only at the end. Checks each item before and after it is stored. */
import { isDeepStrictEqual } from 'node:util';
import { RECOVERY_LIMITS } from '#shared/recovery/limits.ts';
import { rowSortKeyParts } from '#shared/rows/item/row-keys.ts';
import { isTerminal, type ScopeOutcome } from '#shared/sync/run.rules.ts';
import { TABLE_LIMITS } from '#shared/table/limits.ts';
import type { Invocation } from '../machine/invocations.ts';
import type { Machine } from '../machine/machine.ts';
import { clockMs, owners, virtual } from '../machine/virtual-process.ts';
import type { SimulatedTable, Stored } from '../table/simulated-table.ts';
import type { Item } from '../table/values.ts';
import { watchCompanies } from './company-watch.ts';
import { watchWebhooks } from './webhook-watch.ts';

/** decisions.md §5: longest time from the death of a worker until its scope runs again or is closed. */
const GAP_MS_MAX = 180_000;

/**
 * Longest time that a task may wait for a slot or lease that is free while nothing goes wrong: the release wakes it,
 * not a sweep.
 */
const WAKE_MS_MAX = 20_000;

export interface Watch {
  violations: string[];
  /** Ids of endpoints with a delivery that succeeded in an attempt begun after the last counted failure. */
  forgiven: ReadonlySet<string>;
  /** Ids of attempts whose slots were not released in time. */
  lapsed: ReadonlySet<string>;
}

interface Death {
  atMs: number;
  /** Number of faults so far: only a gap without another fault can be our error. */
  faults: number;
}

const isDone = (outcome: ScopeOutcome | undefined): boolean =>
  outcome !== undefined && ['ok', 'partial', 'failed', 'cancelled'].includes(outcome.status);

const isMerelyPostponed = (before: Item, after: Item): boolean =>
  isDeepStrictEqual({ ...before, due_sk: '' }, { ...after, due_sk: '' });

const NEVER = Number.POSITIVE_INFINITY;

/** The instant before which only some tasks may take a released slot, because it rests or is reserved. */
const notForAllUntilMs = ({ rests_until_ms = 0, reserved_until_ms = 0 }: Item): number =>
  Math.max(Number(rests_until_ms), Number(reserved_until_ms));

/**
 * A released lease or slot has no end any more. A slot that rests or is reserved belongs to the task or run that released
 * it.
 */
const freedAtMs = (before: Item | undefined, after: Item): number => {
  // A frozen worker may make the slot rest until an instant that is over.
  const isMadeToRest = Number(after.rests_until_ms ?? 0) > Number(before?.rests_until_ms ?? 0);
  return after.expires_at_ms === 0 && !isMadeToRest && notForAllUntilMs(after) <= virtual.nowMs ? virtual.nowMs : NEVER;
};

const runOf = ({ holder }: Item): string => String(holder).split(':')[0]!;

/** How much of the time between two instants is in any of the spans. */
const overlapMs = (spans: readonly (readonly [fromMs: number, untilMs: number])[], fromMs: number, untilMs: number) => {
  let reachedMs = fromMs;
  let sumMs = 0;
  for (const [from, until] of [...spans].sort(([a], [b]) => a - b)) {
    const end = Math.min(until, untilMs);
    sumMs += Math.max(0, end - Math.max(from, reachedMs));
    reachedMs = Math.max(reachedMs, end);
  }
  return sumMs;
};

/** @param documents scopes whose list rows have a document each */
export const watch = (machine: Machine, table: SimulatedTable, documents: ReadonlySet<string> = new Set()): Watch => {
  const told: Watch = { violations: [], forgiven: new Set(), lapsed: new Set() };
  const blame = (line: string): void => {
    machine.tell(`VIOLATION ${line}`);
    told.violations.push(line);
  };
  /** Scope of a connection (`<connection pk>|<scope>`) → the worker that took its lease last. */
  const takers = new Map<string, Invocation | undefined>();
  const deaths = new Map<string, Death>();
  const now = (): Invocation | undefined => owners.getStore() as Invocation | undefined;
  const faultsSoFar = (): number =>
    [...machine.faultsOf.values()].reduce((sum, count) => sum + count, 0) + machine.mishaps;

  const onRun = (before: Item | undefined, after: Item): void => {
    const [was, is] = [before?.status as never, after.status as never];
    if (before && isTerminal({ status: was }) && was !== is) blame(`run ${after.id} went from ${was} to ${is}`);
    const outcomes = after.outcomes as Record<string, ScopeOutcome>;
    const former = (before?.outcomes ?? {}) as Record<string, ScopeOutcome>;
    for (const [scope, outcome] of Object.entries(outcomes)) {
      if (isDone(former[scope]) && former[scope]!.status !== outcome.status)
        blame(`outcome of ${scope} in run ${after.id} went from ${former[scope]!.status} to ${outcome.status}`);
      if (isDone(former[scope]) || !isDone(outcome)) continue;
      deaths.delete(`${after.pk}|${scope}`);
      if (outcome.status !== 'cancelled') noneDirty(after, scope);
    }
  };

  /** No outcome is written while the scope has a dirty period (architecture.md §4). */
  const noneDirty = (run: Item, scope: string): void => {
    const pk = run.pk.replace('#CONN#', '#INDEX#');
    for (const item of table.items())
      if (item.pk === `${pk}#${scope}` && item.dirty === true)
        blame(`${scope} got an outcome while ${item.sk} was dirty`);
  };

  /** When each slot was released (`<pk>|<sk>`); never while a worker has it, or died with it. A login has one slot. */
  const slotsFreedMs = new Map<string, number>();
  /** When each slot was taken last, and the spans in which a slot was taken or rested, past and planned. */
  const slotsTakenMs = new Map<string, number>();
  const busy: [fromMs: number, untilMs: number][] = [];
  /** Rest or reservation of each slot, until the slot is written again. */
  const promised = new Map<string, [fromMs: number, untilMs: number]>();
  const busySince = (fromMs: number): number => overlapMs([...busy, ...promised.values()], fromMs, virtual.nowMs);

  const onSlot = (before: Item | undefined, after: Item): void => {
    const slot = `${after.pk}|${after.sk}`;
    if (before?.holder !== after.holder) slotsTakenMs.set(slot, virtual.nowMs);
    if (before && before.expires_at_ms !== 0 && after.expires_at_ms === 0)
      busy.push([slotsTakenMs.get(slot)!, virtual.nowMs]);
    const former = promised.get(slot);
    if (former) busy.push([former[0], Math.min(former[1], virtual.nowMs)]);
    promised.delete(slot);
    if (notForAllUntilMs(after) > virtual.nowMs) promised.set(slot, [virtual.nowMs, notForAllUntilMs(after)]);
    slotsFreedMs.set(slot, freedAtMs(before, after));
  };
  /** It is unknown here which login the task waits for, so the latest release of any slot counts. */
  const slotFreedMs = (): number => (slotsFreedMs.size === 0 ? NEVER : Math.max(...slotsFreedMs.values()));
  /** When each lease was released (`<pk>|<scope>`). */
  const leaseFreedMs = new Map<string, number>();

  const onLease = (before: Item | undefined, after: Item): void => {
    const scope = `${after.pk}|${after.sk.slice('LEASE#'.length)}`;
    if (Number(after.fence ?? 0) < Number(before?.fence ?? 0)) blame(`the fence of ${scope} fell`);
    if (after.fence === before?.fence) return;
    takers.set(scope, now());
    const death = deaths.get(scope);
    deaths.delete(scope);
    if (!death || death.faults !== faultsSoFar()) return;
    // Other tasks may have had the login meanwhile.
    const gapMs = virtual.nowMs - death.atMs - busySince(death.atMs);
    // Where clocks differ, a sweep may be too early by its own clock: then the next sweep finds the work.
    const sweepMsMax = machine.skewMsMax > 0 ? RECOVERY_LIMITS.sweepEveryMs + machine.skewMsMax : 0;
    if (gapMs > GAP_MS_MAX + sweepMsMax) blame(`${scope} waited ${Math.round(gapMs / 1000)} s after its worker died`);
  };

  const freedMs = ({ pk, sk }: Item, waitedFor: string): number => {
    if (waitedFor === 'login') return slotFreedMs();
    return waitedFor === 'lease' ? (leaseFreedMs.get(`${pk}|${sk.split('#')[2]}`) ?? NEVER) : NEVER;
  };
  /**
   * Waiting task (`<pk>|<sk>`) → since when its wait is stored, and the faults before that: any later fault may lose a
   * wake.
   */
  const waits = new Map<string, { atMs: number; faults: number }>();

  const onWork = (before: Item | undefined, after: Item): void => {
    const task = `${after.pk}|${after.sk}`;
    // A reminder does not change the generation.
    if (before === undefined || after.hop === before.hop) return;
    const waited = before.waits_for as { for: string } | null | undefined;
    const wait = waits.get(task);
    if (waited && after.state !== 'ended' && wait?.faults === faultsSoFar()) {
      const idleMs = virtual.nowMs - Math.max(freedMs(after, waited.for), wait.atMs);
      if (idleMs > WAKE_MS_MAX)
        blame(`${after.sk} waited ${Math.round(idleMs / 1000)} s for a ${waited.for} that is free`);
    }
    // A worker that gets no answer to its write does not look again: the sweeper does.
    if (after.waits_for && machine.faultUnderWay === null)
      waits.set(task, { atMs: virtual.nowMs, faults: faultsSoFar() });
    else waits.delete(task);
  };

  /**
   * A lease or slot has one holder at a time: nobody takes it before its end plus the margin, by the taker's own clock.
   */
  const onHolder = (before: Item | undefined, after: Item): void => {
    if (!before) return;
    if (before.holder === after.holder) {
      if (before.expires_at_ms === 0 && after.expires_at_ms !== 0)
        blame(`${after.pk} ${after.sk} was given back, and is held again by ${after.holder}`);
      return;
    }
    if (Number(before.rests_until_ms ?? 0) > clockMs()) blame(`${after.pk} ${after.sk} was taken while it rested`);
    if (Number(before.reserved_until_ms ?? 0) > clockMs() && runOf(before) !== runOf(after))
      blame(`${after.pk} ${after.sk} was taken by ${after.holder} while it was reserved for ${runOf(before)}`);
    if (Number(before.expires_at_ms) > clockMs() - TABLE_LIMITS.leaseMarginMs)
      blame(`${after.pk} ${after.sk} went from ${before.holder} to ${after.holder} before its end`);
  };

  /**
   * Only the holder of the lease writes index and rows. Exceptions: anybody may postpone the next look at a period, and
   * writes without a condition may come from a worker that froze between its look at the clock and the request: rows, and
   * parts of a search index, whose keys name their content.
   */
  const onWritten = (connection: string, scope: string, before: Item | undefined, after: Item | undefined): void => {
    const taker = takers.get(`${connection}|${scope}`);
    const writer = now();
    const { pk, sk } = (after ?? before)!;
    if (writer?.name === 'purge-connection' || taker === writer) return;
    if (before && after && isMerelyPostponed(before, after)) return;
    const isUnconditional = !pk.includes('#INDEX#') || sk.startsWith('SEARCH#');
    if (writer !== undefined && writer.frozenMs > 0 && isUnconditional) return;
    blame(`${pk} ${sk} was written by #${writer?.id}, the lease is #${taker?.id}'s`);
  };

  /** A list row without its document would be a 404. A late write may come to a deleted connection. */
  const hasDocument = ({ pk, sk }: Item): void => {
    const [org, organization, area, connection, scope] = pk.split('#');
    if (area !== 'ROWS' || !documents.has(scope!) || (now()?.frozenMs ?? 0) > 0) return;
    const { rowId } = rowSortKeyParts(sk);
    const key = { pk: `${org}#${organization}#ROW#${connection}#${scope}#${rowId[0]}`, sk: rowId };
    if (table.find(key) === undefined) blame(`${scope} lists ${rowId} before its document is there`);
  };

  /** Every change of state raises the generation: this identifies stale messages and workers. */
  const onMoved = (before: Item | undefined, after: Item, state: string): void => {
    if (before === undefined) return;
    const [was, is] = [Number(before.hop), Number(after.hop)];
    if (is < was) blame(`${after.sk} went from generation ${was} back to ${is}`);
    if (is === was && before[state] !== after[state])
      blame(`${after.sk} went from ${before[state]} to ${after[state]} within generation ${is}`);
  };

  const webhooks = watchWebhooks(machine, blame);
  const onCompany = watchCompanies(blame, machine);

  const onStored: Stored = (before, after) => {
    const item = after ?? before!;
    const [org, organization, area, connection, scope] = item.pk.split('#');
    const pk = `${org}#${organization}#CONN#${connection}`;
    if (after !== undefined) hasDocument(after);
    onCompany(before, after);
    if (area === 'ROWS' || area === 'INDEX' || area === 'ROW') return onWritten(pk, scope!, before, after);
    if (after === undefined) return;
    if (after.sk.startsWith('LEASE#') || after.sk.startsWith('SLOT#')) onHolder(before, after);
    if (after.sk.startsWith('SLOT#')) onSlot(before, after);
    if (after.sk.startsWith('LEASE#'))
      leaseFreedMs.set(`${after.pk}|${after.sk.slice('LEASE#'.length)}`, freedAtMs(before, after));
    if (after.sk.startsWith('WORK#')) onWork(before, after);
    if (after.sk.startsWith('WORK#')) onMoved(before, after, 'state');
    if (after.sk.startsWith('DELIVERY#')) onMoved(before, after, 'status');
    webhooks.onStored(before, after);
    if (after.sk.startsWith('RUN#')) onRun(before, after);
    else if (after.sk.startsWith('LEASE#')) onLease(before, after);
  };
  table.onStored = onStored;
  told.forgiven = webhooks.forgiven;
  told.lapsed = webhooks.lapsed;
  /** The worker died with the lease of a run's scope, and the scope has not ended. Repairs do not make a run wait. */
  const leavesWork = (scope: string): boolean => {
    const [pk, name] = scope.split('|') as [string, string];
    const items = [...table.items()].filter((item) => item.pk === pk);
    const lease = items.find(({ sk }) => sk === `LEASE#${name}`);
    const run = lease && items.find(({ sk }) => sk === `RUN#${runOf(lease)}`);
    const outcomes = (run?.outcomes ?? {}) as Record<string, ScopeOutcome>;
    return run !== undefined && Number(lease?.expires_at_ms) > 0 && !isDone(outcomes[name]);
  };

  machine.onDeath = (invocation) => {
    for (const [scope, taker] of takers)
      if (taker === invocation && leavesWork(scope)) deaths.set(scope, { atMs: virtual.nowMs, faults: faultsSoFar() });
  };
  return told;
};
