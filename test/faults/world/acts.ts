/** Acts of people, clients and the schedule in a history, and changes of the institution's ledger. */
import { BY_SERVICE } from '#shared/audit/audit.rules.ts';
import type { Connection } from '#shared/connections/connection.rules.ts';
import * as connections from '#shared/connections/connection.store.ts';
import { send } from '#shared/messaging/send.ts';
import { nowIso } from '#shared/platform/clock.ts';
import { newId } from '#shared/platform/ids.ts';
import { cancelRun } from '#shared/sync/end/finish-run.ts';
import { startRun } from '#shared/sync/start-run.ts';
import * as table from '#shared/table/table.ts';
import { announceRun } from '#shared/webhooks/announce.ts';
import { enqueueDeliveries } from '#shared/webhooks/enqueue-delivery.ts';
import type { Random } from '#test/helpers/random.ts';
import { virtual } from '../machine/virtual-process.ts';
import { replaceCompany } from './company-acts.ts';
import { edit } from './edits.ts';
import { PERIODS } from './ledger.ts';
import { useLinks } from './link-acts.ts';
import { removedSoFar } from './removal-checks.ts';
import type { Act } from './theme.ts';
import type { World } from './world.ts';

const API_TIMEOUT_MS = 29_000;

/** An act of a person or client runs in a function of the API, which may die or fail like any other. */
const asApi = (world: World, name: string, task: () => Promise<void>, isSafe = false) =>
  world.machine.invoke(`api ${name}`, API_TIMEOUT_MS, task, isSafe);

export const startSync = async (
  world: World,
  periods: readonly string[],
  isSafe = false,
  connection = world.connection,
): Promise<string> => {
  const { organizationId } = world;
  const runId = newId();
  const codigos = world.ledger.codigos();
  await asApi(
    world,
    'start-sync',
    async () => {
      const found = await connections.find(organizationId, connection.id);
      if (!found) return;
      await startRun(found, {
        runId,
        scopes: found.enabledScopes,
        inputMetadata: codigos.length > 0 ? { codigos } : { periods },
        trigger: 'manual',
      });
    },
    isSafe,
  );
  if (connection === world.connection) world.started.push(runId);
  return runId;
};

const fireSchedule = ({ organizationId, queues, random }: World, { id }: Connection): void => {
  const body = { kind: 'scheduled', organizationId, connectionId: id, revision: 1, scheduledAt: nowIso() };
  for (let times = random.int(1, 2); times > 0; times--) queues.send('sync-requests', JSON.stringify(body), 0);
};

export const remove = async (world: World): Promise<void> => {
  const { organizationId, connection } = world;
  await asApi(world, 'delete-connection', async () => {
    await connections.remove(organizationId, connection.id, BY_SERVICE);
    await send('purges', { organizationId, connectionId: connection.id, generation: 1 });
  });
};

const BURST = 9;

/** Other tests check the transactions of events; here only the later life of the deliveries matters. */
const burst = async (world: World): Promise<void> => {
  const { organizationId, connection } = world;
  const tell = async (): Promise<void> => {
    for (let n = 0; n < BURST; n++) {
      const data = { syncRunId: newId(), organizationId, connectionId: connection.id, status: 'succeeded' };
      const { items, deliveries } = await announceRun({ organizationId, type: 'sync.succeeded', data, at: nowIso() });
      await table.transact(items);
      world.burstEvents++;
      await enqueueDeliveries(deliveries);
    }
  };
  await asApi(world, 'burst', tell, true);
};

const somePeriods = (random: Random): readonly string[] => (random.chance(0.7) ? PERIODS : [random.pick(PERIODS)]);

const ACTS: readonly Act[] = ['sync', 'sync', 'sync', 'sync', 'sync', 'sync', 'schedule', 'cancel', 'add', 'change'];

export const perform = async (world: World, act: Act): Promise<void> => {
  const { random, ledger, organizationId, connection } = world;
  if (act === 'sync-first') void startSync(world, [PERIODS[0]]);
  else if (act === 'sync-second') void startSync(world, [PERIODS[1]]);
  else if (act === 'sync-other') void startSync(world, PERIODS, false, world.second);
  else if (act === 'sync') {
    void startSync(world, somePeriods(random));
    if (world.second && random.chance(0.7)) void startSync(world, somePeriods(random), false, world.second);
  } else if (act === 'schedule') fireSchedule(world, connection);
  else if (act === 'schedule-other') fireSchedule(world, world.second!);
  else if (act === 'remove') void remove(world);
  else if (act === 'burst') void burst(world);
  else if (act === 'edit') edit(world);
  else if (act === 'link') useLinks(world);
  else if (act === 'company') void asApi(world, 'company', () => replaceCompany(world));
  else if (act === 'read') await world.feed.catchUp();
  else if (act === 'trouble') world.machine.faults.left = world.theme?.troubles ?? 0;
  else if (act === 'cancel' || act === 'cancel-newest') {
    const runId = act === 'cancel' ? random.pick([...world.started, newId()]) : world.started.at(-1)!;
    void asApi(world, 'cancel', async () => {
      if (!world.removedByCancel.has(runId)) world.removedByCancel.set(runId, removedSoFar(world, runId));
      await cancelRun(organizationId, connection.id, runId);
    });
  } else world.changedMs = virtual.nowMs;
  if (act === 'add') ledger.add(random.int(1, 3));
  if (act === 'change')
    for (let n = random.int(1, 4); n > 0; n--) random.chance(0.3) ? ledger.close() : ledger.change();
  if (act === 'revise') ledger.revise();
  if (act === 'hide') ledger.hide();
  if (act === 'swap') ledger.swap();
  if (act === 'close') ledger.close();
  if (act === 'correct') ledger.correct();
};

/** Each act with the pause after it, in ms; null: the pause is drawn after the act. */
export const script = function* ({ theme, random }: World): Generator<[Act, number | null]> {
  if (theme) for (const [act, pauses] of theme.acts) yield [act, random.pick(pauses)];
  else for (let acts = random.int(1, 4); acts > 0; acts--) yield [random.pick(ACTS), null];
};
