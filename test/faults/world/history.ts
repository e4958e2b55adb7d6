/**
 * One history: a company, its ledger, the acts of its people, and everything that goes wrong; then a calm phase, and
 * the checks.
 */
import { BY_SERVICE } from '#shared/audit/audit.rules.ts';
import { identifyAccount } from '#shared/connections/account-key.rules.ts';
import type { Connection } from '#shared/connections/connection.rules.ts';
import * as connections from '#shared/connections/connection.store.ts';
import { nowIso } from '#shared/platform/clock.ts';
import { encryptSecret, secretResource } from '#shared/platform/crypto.ts';
import { newId } from '#shared/platform/ids.ts';
import { sourcePaceVariable } from '#shared/platform/needs.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { SCOPES } from '#shared/scopes/scopes.gen.ts';
import { MANIFESTS } from '#shared/sources/manifests.gen.ts';
import type { SourceManifest } from '#shared/sources/source.ts';
import { keys } from '#shared/table/keys.ts';
import { DAY_MS } from '#shared/values/dates.ts';
import { EVENT_TYPES } from '#shared/values/event-types.ts';
import { newEndpoint } from '#shared/webhooks/endpoint.rules.ts';
import * as webhooks from '#shared/webhooks/endpoint.store.ts';
import { newSecret } from '#shared/webhooks/signing.ts';
import { randomFrom } from '#test/helpers/random.ts';
import { watchAudit } from '../audit-watch.ts';
import { CALM, drawFaults } from '../machine/faults.ts';
import { Machine } from '../machine/machine.ts';
import { Queues } from '../machine/queues.ts';
import { useServices } from '../machine/services.ts';
import { virtual } from '../machine/virtual-process.ts';
import { SimulatedTable } from '../table/simulated-table.ts';
import { perform, remove, script, startSync } from './acts.ts';
import { watchAsked } from './asked.ts';
import { drawCast } from './casts.ts';
import { mirrorFeed } from './feed.ts';
import { ageIndex } from './index-age.ts';
import { CANARIES, createInstitution } from './institution.ts';
import { Ledger, PERIODS } from './ledger.ts';
import { nothingMade } from './made.ts';
import { watchNotes } from './noted-changes.ts';
import { drive, pass, untilQuiet } from './passing.ts';
import { useReceivers } from './receivers.ts';
import { watchShared } from './shared-checks.ts';
import { plantStuck } from './sweep-checks.ts';
import { drawTheme } from './themes.ts';
import { TIMEOUT_MS } from './timeouts.ts';
import { watchRightAnswers, watchWalks } from './walk-checks.ts';
import { watch } from './watch.ts';
import { handlersOf, sweep } from './workers.ts';
import type { World } from './world.ts';

const START_MS = Date.parse('2026-11-21T12:00:00.000Z');
const MINUTE_MS = 60_000;
const SLOW_QUEUE_MESSAGES = 1_000;

const withDocuments = (scopes: readonly ScopeDefinition[]): ReadonlySet<string> =>
  new Set(scopes.filter(({ fullRow }) => fullRow !== null).map(({ name }) => name));

export const createWorld = async (seed: number, isTold: boolean): Promise<World> => {
  const random = randomFrom(seed);
  virtual.nowMs = START_MS;
  virtual.timers.clear();
  const ids = randomFrom(seed ^ 0x5eed);
  virtual.random = () => ids.int(0, 0xffff_ffff) / 2 ** 32;
  const theme = drawTheme(seed);
  const [source, names] = drawCast(theme, random, seed);
  process.env[sourcePaceVariable(source)] = theme?.pace ?? '0,0,0';
  const scopes = names.map((name) => SCOPES.find((scope) => scope.source === source && scope.name === name)!);
  const machine = new Machine(random, { ...drawFaults(random), ...theme?.faults });
  machine.isTold = isTold;
  if (seed % HISTORIES_PER_SKEWED === 0) machine.clocks = randomFrom(seed ^ 0xc10c);
  const table = new SimulatedTable();
  table.pageItems = random.pick([2, 5, 1_000]);
  const ledger = new Ledger(random, scopes);
  const asked = watchAsked(table);
  const institution = createInstitution(machine, MANIFESTS.find(({ code }) => code === source)!, scopes, ledger, seed);
  Object.assign(institution, { onAsked: asked.onAsked, onLeft: asked.onLeft });
  const world: World = {
    theme,
    random,
    machine,
    table,
    asked,
    objects: asked.objects,
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
    burstEvents: 0,
    started: [],
    removedByCancel: new Map(),
    finalRun: undefined,
    isDeleted: false,
    hasWrongPassword: random.chance(0.06) || theme?.hasWrongPassword === true,
    logs: [],
    watch: watch(machine, table, withDocuments(scopes)),
    walks: [],
    feed: undefined as never,
    audit: undefined as never,
    made: nothingMade(),
    beganMs: START_MS,
    changedMs: START_MS,
  };
  world.queues = new Queues(machine, handlersOf(machine, institution));
  world.queues.extra = theme?.hasSlowQueues ? SLOW_QUEUE_MESSAGES : 0;
  if (theme?.losesFirstRun) world.queues.losesNext = 'sync-requests';
  plantStuck(table, theme?.stuckItems ?? 0);
  watchNotes(table, (line) => world.watch.violations.push(line));
  world.audit = watchAudit(table, (line) => world.watch.violations.push(line));
  useServices(world);
  useReceivers(machine, table, world.receivers);
  const password = world.hasWrongPassword ? 'not the password' : CANARIES.password;
  world.connection = await connect(world, password);
  const login = theme?.hasTwoLogins ? 'another login' : 'login';
  if (theme?.hasTwoLogins || theme?.sharesLogin) institution.hostility = 0;
  if (random.chance(0.4) || theme?.hasTwoLogins || theme?.sharesLogin)
    world.second = await connect(world, password, { login, knownAt: institution.adapter.manifest });
  ageIndex(table, seed);
  const walks = watchWalks(world);
  watchShared(world, walks);
  world.walks = walks;
  watchRightAnswers(world);
  joinFeed(world, seed);
  for (let n = theme?.endpoints ?? random.int(0, 2); n > 0; n--) await subscribe(world);
  ledger.add(random.int(2, 9));
  return world;
};

/** The watch checks each write first, then the feed. */
const joinFeed = (world: World, seed: number): void => {
  const { table, machine } = world;
  world.feed = mirrorFeed(world, seed);
  table.join(world.feed);
  machine.onStep = world.feed.onStep;
};

/** Runs outside every worker: no faults, no waiting. */
export const connect = async (
  { organizationId, scopes }: Pick<World, 'organizationId' | 'scopes'>,
  password: string,
  { login = 'login', knownAt }: { login?: string; knownAt?: Pick<SourceManifest, 'account'> } = {},
): Promise<Connection> => {
  const id = newId();
  const credentials = { login, password };
  const connection: Connection = {
    id,
    organizationId,
    source: scopes[0]!.source,
    name: 'history',
    enabledScopes: scopes.map(({ name }) => name),
    metadata: { reference: 'history', company_rut: '76192083-9' },
    status: 'pending',
    schedule: { enabled: true, frequencyMinutes: 60, startsAt: nowIso(), revision: 1 },
    credentialsVersion: 1,
    openRuns: [],
    syncedScopes: [],
    lastSyncStatus: null,
    lastSuccessfulSyncAt: null,
    createdAt: nowIso(),
    accountKey: knownAt && identifyAccount(knownAt, organizationId, credentials),
  };
  await connections.create(
    connection,
    await encryptSecret(organizationId, secretResource.credentials(connection), JSON.stringify(credentials)),
    BY_SERVICE,
  );
  return connection;
};

export const subscribe = async ({
  organizationId,
  endpoints,
}: Pick<World, 'organizationId' | 'endpoints'>): Promise<void> => {
  const id = newId();
  const url = `https://receiver.example/${id}`;
  const endpoint = newEndpoint({ organizationId, id, url, eventTypes: [...EVENT_TYPES], createdAt: nowIso() });
  const secret = newSecret();
  await webhooks.create(endpoint, await encryptSecret(organizationId, webhooks.secretResource(id), secret), BY_SERVICE);
  endpoints.push(id);
};

/** The sweeper runs each minute, never more instances at a time than the platform would start. */
const sweepEveryMinute = (world: World): void => {
  const { machine } = world;
  const minute = (): void => {
    // In most minutes the sweeper would find nothing. Such minutes are skipped, because a two-hour delay would cost a
    // thousand reads.
    const now = nowIso();
    if (world.table.dueItems().some(({ due_sk }) => String(due_sk).slice(0, now.length) <= now))
      void machine.invoke('sweep', TIMEOUT_MS.sweep!, sweep);
    machine.at(virtual.nowMs + MINUTE_MS, minute);
  };
  machine.at(virtual.nowMs + MINUTE_MS, minute);
};

const isThere = ({ table, organizationId, connection }: World): boolean =>
  table.find(keys.connection(organizationId, connection.id)) !== undefined;

/** In one of this many histories, each worker has a clock error. */
const HISTORIES_PER_SKEWED = 4;

const PAUSES_MS: readonly number[] = [0, 50, 2_000, 30_000, 90_000, 400_000];

/** @param judge checks the world when all work has ended after the faults, before the calm sync */
export const live = async (world: World, judge: () => Promise<void>): Promise<void> => {
  const { random, machine } = world;
  machine.tell(`theme: ${world.theme?.name ?? 'none'}`);
  sweepEveryMinute(world);
  for (const [act, pauseMs] of script(world)) {
    await perform(world, act);
    machine.tell(`${act}, ledger changed ${new Date(world.changedMs).toISOString()}`);
    await pass(world, pauseMs ?? random.pick(PAUSES_MS));
  }
  await untilQuiet(world);
  world.isDeleted = !isThere(world);
  await judge();
  // No more faults from here on: one more sync must make everything correct.
  Object.assign(machine.faults, CALM);
  machine.busy.end();
  if (world.isDeleted) return;
  // If two logins got no answer, or their worker died, a password that was never accepted is not tried again that day.
  if (world.institution.hostility > 0 || machine.faultsOf.has('sync-scope')) virtual.nowMs += DAY_MS;
  world.institution.hostility = 0;
  if (random.chance(0.15)) {
    await drive(world, remove(world));
    // A service may still be out, so that the deletion was refused.
    world.isDeleted = !isThere(world);
  } else {
    const last = startSync(world, PERIODS, true);
    await drive(world, last);
    world.finalRun = await last;
  }
  await untilQuiet(world);
  if (world.finalRun && (random.chance(0.25) || world.institution.phantoms.hasUndecided)) await syncAgain(world);
};

/** Syncs once more: nothing has changed, so readers receive nothing, unless this reading decides about rows. */
const syncAgain = async (world: World): Promise<void> => {
  const { hasUndecided } = world.institution.phantoms;
  await world.feed.catchUp();
  const again = startSync(world, PERIODS, true);
  await drive(world, again);
  world.finalRun = await again;
  await untilQuiet(world);
  const told = await world.feed.catchUp();
  if (told > 0 && !hasUndecided) world.watch.violations.push(`${told} changes of a sync that found nothing new`);
};
