/**
 * One history of an organization's connections: they are created, changed, synchronized and deleted at any time, while
 * readers list them by the snapshot, store the next one, and meet every fault. Each answer must be one that the
 * connections allowed while the reader read.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Connection } from '#shared/connections/connection.rules.ts';
import { findPageOfMany } from '#shared/connections/find-page-of-many.store.ts';
import { CONNECTION_LIMITS } from '#shared/connections/limits.ts';
import {
  type ConnectionChoice,
  type ConnectionPage,
  choosePage,
  type PageRange,
} from '#shared/connections/select-connections.rules.ts';
import { newId } from '#shared/platform/ids.ts';
import { type Random, randomFrom } from '#test/helpers/random.ts';
import { drawFaults } from '../machine/faults.ts';
import { Machine } from '../machine/machine.ts';
import { useServices } from '../machine/services.ts';
import { virtual } from '../machine/virtual-process.ts';
import { SimulatedTable } from '../table/simulated-table.ts';
import type { Item } from '../table/values.ts';
import { DOINGS, draw } from './acts.ts';
import { judgeConnection, mayShow, States, type Window } from './states.ts';

const START_MS = Date.parse('2026-11-21T12:00:00.000Z');
const [SECOND_MS, HOUR_MS] = [1_000, 3_600_000];
const PAUSES_MS = [0, 0, 0, 5, 50, SECOND_MS, 30 * SECOND_MS];
const LONG_PAUSES_MS = [HOUR_MS / 2, HOUR_MS, 2 * HOUR_MS, 3 * HOUR_MS, 24 * HOUR_MS];
const TIMEOUT_MS = 29_000;
const ALL = 1_000;

const KINDS = [
  ...['create', 'create', 'change', 'change', 'change', 'storeAccount', 'remove'],
  ...['startRun', 'startRun', 'waitForPerson', 'waitForPerson', 'endRun', 'endRun'],
] as readonly (keyof typeof DOINGS)[];

export interface ListWorld {
  random: Random;
  machine: Machine;
  table: SimulatedTable;
  objects: Map<string, Uint8Array>;
  organizationId: string;
  states: States;
  reads: number;
  /** How acts and readers ended. */
  ended: Record<string, number>;
  violations: string[];
}

export const createListWorld = (seed: number, isTold: boolean): ListWorld => {
  const random = randomFrom(seed);
  virtual.nowMs = START_MS;
  virtual.timers.clear();
  const ids = randomFrom(seed ^ 0x5eed);
  virtual.random = () => ids.int(0, 0xffff_ffff) / 2 ** 32;
  const faults = drawFaults(random);
  // A late effect of a put or a deletion is what a snapshot must bear.
  const machine = new Machine(random, { ...faults, kinds: [...faults.kinds, 'echo', 'die-late'] });
  machine.isTold = isTold;
  const table = new SimulatedTable();
  table.pageItems = random.pick([2, 5, ALL]);
  const objects = new Map<string, Uint8Array>();
  useServices({ machine, table, objects, queues: undefined as never, schedules: new Map() });
  return {
    ...{ random, machine, table, objects, organizationId: newId() },
    states: new States(table),
    reads: 0,
    ended: {},
    violations: [],
  };
};

const count = ({ ended }: ListWorld, what: string): void => {
  ended[what] = (ended[what] ?? 0) + 1;
};

const act = (world: ListWorld): void => {
  const { random, machine, organizationId, states } = world;
  const drawn = draw(random, organizationId, states.ids);
  const kind = drawn.id === '' ? 'create' : random.pick(KINDS);
  void machine
    .invoke(kind, TIMEOUT_MS, () => DOINGS[kind](drawn))
    .then((ended) => count(world, `${kind} ${ended.died ? 'died' : ended.error === undefined ? 'done' : 'error'}`));
};

const chooseAnything = (random: Random): ConnectionChoice => ({
  filter: random.pick([
    {},
    { status: 'error' },
    { status: 'pending' },
    { status: 'active' },
    { source: 'tax' },
    { q: 'dos' },
    { needsAttention: true },
    { needsAttention: true },
  ]),
  order: random.pick(['created', 'company']),
  nowMs: virtual.nowMs,
});

const chooseRange = (random: Random): PageRange => ({
  limit: random.pick([1, 2, ALL]),
  offset: random.pick([0, 0, 1, 3]),
});

interface Reading {
  choice: ConnectionChoice;
  range: PageRange;
  window: Window;
}

/** What no state of the connections between the reader's begin and end explains. */
const faultsOf = (
  { states }: ListWorld,
  { page, total }: ConnectionPage<Connection>,
  { choice, range, window }: Reading,
): string[] => {
  const shown = page.map(({ connection }) => connection);
  const ids = shown.map(({ id }) => id);
  const judged = states.ids.map((id) => ({ id, ...judgeConnection(states, id, choice, window) }));
  const [most, least] = [judged.filter(({ may }) => may).length, judged.filter(({ must }) => must).length];
  const isWhole = range.offset === 0 && total <= range.limit;
  const length = Math.max(0, Math.min(range.limit, total - range.offset));
  const newestFirst = shown.toSorted((one, other) => (one.id < other.id ? 1 : -1));
  const inOrder = choosePage(newestFirst, { limit: ALL, offset: 0 }, { ...choice, filter: {} });
  return [
    ...judged
      .filter(({ id, may, must }) => (ids.includes(id) ? !may : isWhole && must))
      .map(({ id }) => `${ids.includes(id) ? 'listed' : 'not listed'}: ${id} ${JSON.stringify(choice)}`),
    ...shown
      .filter((connection) => !mayShow(states, connection, choice, window))
      .map(({ id }) => `listed as it was not, or does not belong: ${id}`),
    ...(total >= least && total <= most ? [] : [`total ${total} of at least ${least}, at most ${most}`]),
    ...(ids.length === length && new Set(ids).size === length ? [] : [`${ids.length} of ${length} on the page`]),
    ...(isDeepStrictEqual(
      inOrder.page.map(({ connection }) => connection.id),
      ids,
    )
      ? []
      : ['out of order']),
  ];
};

const read = async (world: ListWorld, isSafe = false): Promise<void> => {
  const { random, machine, organizationId, states, violations } = world;
  const [choice, range] = [chooseAnything(random), chooseRange(random)];
  const from = states.seq;
  const name = `read-${++world.reads}`;
  const task = () => findPageOfMany(organizationId, range, choice);
  const ended = await machine.invoke(name, TIMEOUT_MS, task, isSafe);
  if (ended.died || ended.value === undefined) {
    count(world, `read ${ended.died ? 'died' : 'error'}`);
    if (!ended.died && !machine.faultsOf.has(name)) violations.push(`${name} failed without a fault: ${ended.error}`);
    return;
  }
  count(world, 'read done');
  const found = faultsOf(world, ended.value, { choice, range, window: { from, to: states.seq } });
  violations.push(...found.map((what) => `${name}: ${what}`));
};

/** TTL deletes days late on AWS; here it deletes at any time after the expiry. The bucket deletes after a day. */
const expire = ({ table, objects, random }: ListWorld): void => {
  const isOver = ({ expires_at_epoch: atSeconds }: Item): boolean =>
    typeof atSeconds === 'number' && atSeconds * 1_000 <= virtual.nowMs;
  for (const item of [...table.items()].filter(isOver)) if (random.chance(0.7)) table.remove(item);
  if (random.chance(0.3)) objects.clear();
};

const settleDown = async ({ machine }: ListWorld): Promise<void> => {
  while (await machine.step(virtual.nowMs + HOUR_MS));
};

/** After the history, without faults: every reader gets the exact list, before and after the snapshot was stored. */
const lookAgain = async (world: ListWorld): Promise<void> => {
  for (let n = 0; n < 12; n++) {
    void read(world, true);
    await settleDown(world);
  }
  const left = [...world.table.items()].filter(({ sk }) => sk.startsWith('CHANGED#')).length;
  if (left >= CONNECTION_LIMITS.changedUntilSnapshot) world.violations.push(`${left} notes are left`);
};

export const liveLists = async (world: ListWorld): Promise<void> => {
  const { random, machine } = world;
  let left = random.int(10, 50);
  const go = (): void => {
    if (random.chance(0.4)) for (let n = random.int(1, 3); n > 0; n--) void read(world);
    else act(world);
    if (random.chance(0.05)) expire(world);
    left--;
    if (left === 0) return;
    machine.at(virtual.nowMs + (random.chance(0.06) ? random.pick(LONG_PAUSES_MS) : random.pick(PAUSES_MS)), go);
  };
  machine.at(virtual.nowMs, go);
  while (left > 0) await machine.step(Number.POSITIVE_INFINITY);
  await settleDown(world);
  machine.busy.end();
  await lookAgain(world);
};
