/** One history: a company, its ledger, what its people do, and everything that goes wrong; then calm, and the checks. */

import * as connections from '#shared/data/connections.ts';
import * as webhooks from '#shared/data/webhooks.ts';
import type { Connection } from '#shared/domain/connection.ts';
import { EVENT_TYPES } from '#shared/domain/delivery.ts';
import { newEndpoint } from '#shared/domain/webhook-endpoint.ts';
import { cancelRun } from '#shared/engine/outcomes.ts';
import { startRun } from '#shared/engine/start-run.ts';
import { send } from '#shared/messaging/send.ts';
import { newSecret } from '#shared/messaging/signing.ts';
import { nowIso } from '#shared/platform/clock.ts';
import { encryptSecret, secretResource } from '#shared/platform/crypto.ts';
import { newId } from '#shared/platform/ids.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { SCOPES } from '#shared/scopes/scopes.gen.ts';
import { MANIFESTS } from '#shared/sources/manifests.gen.ts';
import { type Random, randomFrom } from '#test/helpers/random.ts';
import { CALM, drawFaults } from '../machine/faults.ts';
import { Machine } from '../machine/machine.ts';
import { Queues } from '../machine/queues.ts';
import { type Services, useServices } from '../machine/services.ts';
import { virtual } from '../machine/virtual-process.ts';
import { SimulatedTable } from '../table/simulated-table.ts';
import type { Item } from '../table/values.ts';
import { CANARIES, createInstitution, type Institution } from './institution.ts';
import { Ledger, PERIODS } from './ledger.ts';
import { type Receivers, useReceivers } from './receivers.ts';
import { type Watch, watch } from './watch.ts';
import { handlersOf, sweep, TIMEOUT_MS } from './workers.ts';

export interface World extends Services {
  random: Random;
  organizationId: string;
  connection: Connection;
  /** The company's second connection with the same login, in a share of the histories. */
  second: Connection | undefined;
  scopes: readonly ScopeDefinition[];
  institution: Institution;
  ledger: Ledger;
  receivers: Receivers;
  endpoints: string[];
  /** Runs whose creation was seen to succeed. */
  started: string[];
  finalRun: string | undefined;
  isDeleted: boolean;
  hasWrongPassword: boolean;
  logs: string[];
  watch: Watch;
  /** When the ledger changed last. */
  changedMs: number;
}

const START_MS = Date.parse('2026-11-21T12:00:00.000Z');
const MINUTE_MS = 60_000;
const API_TIMEOUT_MS = 29_000;
/** Nothing takes longer: four attempts at a webhook over two and a half hours, a run at most an hour before. */
const HISTORY_MS_MAX = 12 * 60 * MINUTE_MS;

/** Scopes of one source: documents that move, sums by day, statements that close, observations. */
const CASTS: readonly (readonly [string, readonly string[]])[] = [
  ['tax', ['rcv', 'boletas']],
  ['tax', ['rcv']],
  ['bankone', ['movements', 'balances']],
  ['bankone', ['transfers', 'movements']],
];

export class Stuck extends Error {}

export const createWorld = async (seed: number, isTold: boolean): Promise<World> => {
  const random = randomFrom(seed);
  virtual.nowMs = START_MS;
  virtual.timers.clear();
  const ids = randomFrom(seed ^ 0x5eed);
  virtual.random = () => ids.int(0, 0xffff_ffff) / 2 ** 32;
  const [source, names] = random.pick(CASTS);
  const scopes = names.map((name) => SCOPES.find((scope) => scope.source === source && scope.name === name)!);
  const machine = new Machine(random, drawFaults(random));
  machine.isTold = isTold;
  const table = new SimulatedTable();
  table.pageItems = random.pick([2, 5, 1_000]);
  const ledger = new Ledger(random, scopes);
  const institution = createInstitution(machine, MANIFESTS.find(({ code }) => code === source)!, scopes, ledger);
  const world: World = {
    random,
    machine,
    table,
    objects: new Map(),
    schedules: new Map(),
    queues: undefined as never,
    organizationId: newId(),
    connection: undefined as never,
    second: undefined,
    scopes,
    institution,
    ledger,
    receivers: { received: [] },
    endpoints: [],
    started: [],
    finalRun: undefined,
    isDeleted: false,
    hasWrongPassword: random.chance(0.06),
    logs: [],
    watch: watch(machine, table),
    changedMs: START_MS,
  };
  world.queues = new Queues(machine, handlersOf(machine, institution));
  useServices(world);
  useReceivers(machine, world.receivers);
  const password = world.hasWrongPassword ? 'not the password' : CANARIES.password;
  world.connection = await connect(world, password);
  if (random.chance(0.4)) world.second = await connect(world, password);
  for (let n = random.int(0, 2); n > 0; n--) await subscribe(world);
  ledger.add(random.int(2, 9));
  return world;
};

/** Outside every worker: nothing goes wrong, nothing waits. */
export const connect = async (
  { organizationId, scopes }: Pick<World, 'organizationId' | 'scopes'>,
  password: string,
): Promise<Connection> => {
  const id = newId();
  const connection: Connection = {
    id,
    organizationId,
    source: scopes[0]!.source,
    name: 'history',
    enabledScopes: scopes.map(({ name }) => name),
    metadata: {},
    status: 'pending',
    schedule: { enabled: true, frequencyMinutes: 60, startsAt: nowIso(), revision: 1 },
    credentialsVersion: 1,
    openRuns: [],
    syncedScopes: [],
    lastSyncStatus: null,
    lastSuccessfulSyncAt: null,
    createdAt: nowIso(),
  };
  const credentials = JSON.stringify({ login: 'login', password });
  await connections.create(
    connection,
    await encryptSecret(organizationId, secretResource.credentials(connection), credentials),
  );
  return connection;
};

const subscribe = async ({ organizationId, endpoints }: World): Promise<void> => {
  const id = newId();
  const url = `https://receiver.example/${id}`;
  const endpoint = newEndpoint({ organizationId, id, url, eventTypes: [...EVENT_TYPES], createdAt: nowIso() });
  const secret = newSecret();
  await webhooks.create(endpoint, await encryptSecret(organizationId, webhooks.secretResource(id), secret));
  endpoints.push(id);
};

/** A person's or client's doing, in a function of the API: it may die or fail like any other. */
const act = (world: World, name: string, work: () => Promise<void>, isSafe = false) =>
  world.machine.invoke(`api ${name}`, API_TIMEOUT_MS, work, isSafe);

const startSync = async (
  world: World,
  periods: readonly string[],
  isSafe = false,
  connection = world.connection,
): Promise<string> => {
  const { organizationId } = world;
  const runId = newId();
  await act(
    world,
    'start-sync',
    async () => {
      const found = await connections.find(organizationId, connection.id);
      if (!found) return;
      await startRun(found, {
        runId,
        scopes: found.enabledScopes,
        inputMetadata: { periods },
        trigger: 'manual',
      });
    },
    isSafe,
  );
  if (connection === world.connection) world.started.push(runId);
  return runId;
};

const fireSchedule = async (world: World): Promise<void> => {
  const { organizationId, connection, queues, random } = world;
  const body = { kind: 'scheduled', organizationId, connectionId: connection.id, revision: 1, scheduledAt: nowIso() };
  for (let times = random.int(1, 2); times > 0; times--) queues.send('sync-requests', JSON.stringify(body), 0);
};

const remove = async (world: World): Promise<void> => {
  const { organizationId, connection } = world;
  await act(world, 'delete-connection', async () => {
    await connections.remove(organizationId, connection.id);
    await send('purges', { organizationId, connectionId: connection.id, hop: 1 });
  });
};

/** The sweeper's minute, and never two of them at a time less than the platform would start. */
const sweepEveryMinute = (world: World): void => {
  const { machine } = world;
  const minute = (): void => {
    // Most minutes it would find nothing: those are spared, or a two-hour delay costs a thousand reads.
    const now = nowIso();
    if (world.table.dueItems().some(({ due_sk }) => String(due_sk).slice(0, now.length) <= now))
      void machine.invoke('sweep', TIMEOUT_MS.sweep!, sweep);
    machine.at(virtual.nowMs + MINUTE_MS, minute);
  };
  machine.at(virtual.nowMs + MINUTE_MS, minute);
};

/** What is due once a day for ever: the comparison with Scheduler, and the look at a connection's schedule. */
const isDailyCheck = ({ pk, due_sk }: Item): boolean =>
  pk.includes('#SCHEDULES') ||
  (pk.endsWith('#CONFIG') && String(due_sk) > new Date(virtual.nowMs + 60 * MINUTE_MS).toISOString());

const isQuiet = ({ machine, table }: World): boolean =>
  machine.isIdle &&
  // The sweeper's next minute is always there.
  machine.appointments.size <= 1 &&
  table.dueItems().every(isDailyCheck);

const whatIsLeft = ({ machine, table }: World): string =>
  [
    'not everything came to its end:',
    `${machine.invocations.size} workers, ${machine.appointments.size} appointments`,
    ...table
      .dueItems()
      .filter((item) => !isDailyCheck(item))
      .map(({ pk, sk, due_sk }) => `due ${due_sk}: ${pk} ${sk}`),
  ].join('\n');

/** Until everything that was begun has come to its end. */
const untilQuiet = async (world: World): Promise<void> => {
  const untilMs = virtual.nowMs + HISTORY_MS_MAX;
  while (!isQuiet(world)) if (!(await world.machine.step(untilMs))) throw new Stuck(whatIsLeft(world));
};

/** Lets so much time pass, whatever happens meanwhile. */
const pass = async (world: World, ms: number): Promise<void> => {
  const untilMs = virtual.nowMs + ms;
  while (virtual.nowMs < untilMs && (await world.machine.step(untilMs)));
  virtual.nowMs = Math.max(virtual.nowMs, untilMs);
};

const drive = async (world: World, work: Promise<unknown>): Promise<void> => {
  let isOver = false;
  void work.finally(() => {
    isOver = true;
  });
  while (!isOver) if (!(await world.machine.step(virtual.nowMs + HISTORY_MS_MAX))) throw new Stuck('an act has no end');
};

const somePeriods = (random: Random): readonly string[] => (random.chance(0.7) ? PERIODS : [random.pick(PERIODS)]);

/** @param judge looks at the world when all is quiet after the trouble, before the calm sync */
export const live = async (world: World, judge: () => Promise<void>): Promise<void> => {
  const { random, ledger, organizationId, connection } = world;
  sweepEveryMinute(world);
  for (let acts = random.int(1, 4); acts > 0; acts--) {
    const doing = random.int(0, 9);
    if (doing <= 5) {
      void startSync(world, somePeriods(random));
      if (world.second && random.chance(0.7)) void startSync(world, somePeriods(random), false, world.second);
    } else if (doing === 6) await fireSchedule(world);
    else if (doing === 7) {
      const runId = random.pick([...world.started, newId()]);
      void act(world, 'cancel', async () => void (await cancelRun(organizationId, connection.id, runId)));
    } else world.changedMs = virtual.nowMs;
    if (doing === 8) ledger.add(random.int(1, 3));
    if (doing === 9) for (let n = random.int(1, 4); n > 0; n--) random.chance(0.3) ? ledger.close() : ledger.change();
    world.machine.tell(`act ${doing}, ledger changed ${new Date(world.changedMs).toISOString()}`);
    await pass(world, random.pick([0, 50, 2_000, 30_000, 90_000, 400_000]));
  }
  await untilQuiet(world);
  await judge();
  // From here on all is well: one more sync must make everything true.
  Object.assign(world.machine.faults, CALM);
  if (random.chance(0.15)) {
    await drive(world, remove(world));
    world.isDeleted = true;
  } else {
    const last = startSync(world, PERIODS, true);
    await drive(world, last);
    world.finalRun = await last;
  }
  await untilQuiet(world);
};
