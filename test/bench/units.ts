/**
 * `npm run cost:count`: the cost of a list page, a sync of 1,000 documents and a webhook in units that AWS bills,
 * counted over the real handlers, the real engine and the sandbox of the tax authority. Writes
 * `tools/cost/counted.json`, from which `npm run cost` computes prices; with `--print` it only prints the figures.
 * First it checks with known requests that the table counts as AWS does.
 */

import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { contract as changesContract } from '#functions/api/connections/list-changes/contract.ts';
import { contract as listContract } from '#functions/api/tax-rcv-documents/list-tax-rcv-documents/contract.ts';
import type { Connection } from '#shared/connections/connection.rules.ts';
import type { DeliveryDue } from '#shared/messaging/queues.ts';
import { plantClock } from '#shared/platform/clock.ts';
import { sweep } from '#shared/recovery/sweep.ts';
import { ROW_LIMITS } from '#shared/rows/limits.ts';
import * as runs from '#shared/sync/run/run.store.ts';
import { startRun } from '#shared/sync/start-run.ts';
import { WEBHOOK_LIMITS } from '#shared/webhooks/limits.ts';
import { fakeScheduler } from '#test/fakes/scheduler.ts';
import { keyOf } from '#test/helpers/callers.ts';
import { handlerOf } from '#test/helpers/handlers.ts';
import { call } from '#test/helpers/http.ts';
import { useSharedSecretIssuer } from '#test/helpers/sessions.ts';
import { loadSources } from '#test/helpers/source-folders.ts';
import { startStory } from '#test/helpers/source-story.ts';
import { startSourceWorld } from '#test/helpers/source-world.ts';
import { startReceiver } from '#test/integration/webhooks/receiver.ts';
import { createEndpoint, endRun, newOrganization, receive } from '#test/integration/webhooks/world.ts';
import { ASSUMED } from '#tools/cost/assumed.ts';
import {
  COUNTED_FILE,
  type Counted,
  type CountedOperation,
  type CountedUnits,
  writeCounted,
} from '#tools/cost/counted.ts';
import { bytesOfAttempt } from './attempt-bytes.ts';
import { judgeCapacity, tellCapacity } from './capacity.ts';
import { each, startCounting, type Units, unitsOf } from './count-units.ts';

const DOCUMENTS = 1_000;
const PERIOD = '2026-10';
const PAGES = 20;
/**
 * Webhooks to one endpoint, as many and as often as docs/cost.md assumes, so that work done once per minute or key is
 * counted in proportion.
 */
const WEBHOOKS = ASSUMED.webhooksAKey;
const WEBHOOK_GAP_MS = WEBHOOK_LIMITS.webhookSecretOpenMs / WEBHOOKS;

Object.assign(process.env, {
  STAGE: 'prod',
  WEBHOOK_LOOPBACK_ALLOWED: 'true',
  // As Lambda sets it, traced or not: each line of the log contains it.
  _X_AMZN_TRACE_ID: 'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=0',
});
useSharedSecretIssuer();

const isPrinted = process.argv.includes('--print');

const tenth = (value: number): number => Number(value.toFixed(1));
/** One timestamp more or less in a packed text is no change. */
const hundreds = (bytes: number): number => Math.round(bytes / 100) * 100;

const recorded = ({ readUnits, writeUnits, tableCalls, requests, objectBytes, logBytes }: Units): CountedUnits => ({
  readUnits: tenth(readUnits),
  writeUnits: tenth(writeUnits),
  tableCalls: tenth(tableCalls),
  requests: Object.fromEntries(Object.entries(requests).map(([what, count]) => [what, tenth(count)])),
  objectBytes: hundreds(objectBytes),
  logBytes: Math.round(logBytes),
});

/** Name and dimensions of the metrics in the printed text. */
const metricsIn = (text: string): string[] =>
  text.split('\n').flatMap((line) => {
    if (!line.includes('"_aws"')) return [];
    const { _aws, service, ...metric } = JSON.parse(line) as Record<string, unknown>;
    const { CloudWatchMetrics } = _aws as { CloudWatchMetrics: { Metrics: { Name: string }[] }[] };
    const names = CloudWatchMetrics.flatMap(({ Metrics }) => Metrics.map(({ Name }) => Name));
    const dimensions = Object.entries(metric).filter(([name]) => !names.includes(name));
    return names.map((name) => [name, ...dimensions.map(([dimension, value]) => `${dimension} ${value}`)].join(', '));
  });

const [tax] = await loadSources(['tax']);
const world = await startSourceWorld([tax!], { table: 'real' });
console.error(tellCapacity(await judgeCapacity(process.env.TABLE_NAME!)));
startCounting();

const story = await startStory(tax!, tax!.credentials.find(({ outcomes }) => Object.keys(outcomes).length === 0)!);
await story.knobs({ rut: story.login, period: PERIOD, documents: DOCUMENTS });
const connection = await world.connect(story);
const { organizationId } = connection;

const syncs: string[] = [];
const sync = async (own: Connection): Promise<void> => {
  const inputMetadata = { periods: [PERIOD] };
  const run = await startRun(own, { runId: randomUUID(), scopes: ['rcv'], inputMetadata, trigger: 'manual' });
  await world.drain();
  const ended = await runs.find(organizationId, own.id, run.id);
  const { recordsFound, recordsCreated, recordsUpdated } = ended!.outcomes.rcv!;
  syncs.push(
    `sync           ${ended?.status}: ${recordsFound} found, ${recordsCreated} new, ${recordsUpdated} changed`,
  );
};
const first = await unitsOf(() => sync(connection));
const again = await unitsOf(() => sync(connection));

const { token } = await keyOf(organizationId);
const list = await handlerOf(listContract.id);
let pageBytes = 0;
let packedPageBytes = 0;
const page = async (query: string): Promise<void> => {
  const answer = await call(listContract, list, {
    params: { id: connection.id },
    query,
    headers: { authorization: `Bearer ${token}` },
  });
  pageBytes = Buffer.byteLength(answer.text);
  packedPageBytes = gzipSync(answer.text).length;
  if (answer.status !== 200 || answer.body.data.length !== 50)
    throw new Error(`the list answers ${answer.status}: ${answer.text.slice(0, 200)}`);
};
const pages = (query: string) =>
  unitsOf(async () => {
    for (let n = 0; n < PAGES; n++) await page(query);
  });
// Most pages are read long after the last write, when any replica may return their rows.
const readAtMs = world.nowMs() + 2 * ROW_LIMITS.rowsSettledMs;
plantClock(() => readAtMs);
await page('limit=50');
const plain = each(await pages('limit=50'), PAGES);
const filtered = each(await pages(`limit=50&offset=400&period=${PERIOD}`), PAGES);
plantClock(world.nowMs);

const changes = await handlerOf(changesContract.id);
const readChanges = async (query: string, count: number): Promise<string> => {
  const answer = await call(changesContract, changes, {
    params: { id: connection.id },
    query,
    headers: { authorization: `Bearer ${token}` },
  });
  if (answer.status !== 200 || answer.body.data.length !== count)
    throw new Error(`the changes answer ${answer.status}: ${answer.text.slice(0, 200)}`);
  return answer.body.feed.next_cursor;
};
const CHANGES = 200;
let cursor = '';
const changesPage = await unitsOf(async () => {
  cursor = await readChanges(`limit=${CHANGES}`, CHANGES);
});
for (let left = DOCUMENTS - CHANGES; left > 0; left -= CHANGES)
  cursor = await readChanges(`limit=${CHANGES}&cursor=${cursor}`, CHANGES);
// Only an empty page shows that nothing follows a full page.
cursor = await readChanges(`cursor=${cursor}`, 0);
const changesIdle = await unitsOf(() => readChanges(`cursor=${cursor}`, 0));

const organization = await newOrganization();
const receiver = await startReceiver((_, response) => response.writeHead(204).end());
await createEndpoint(organization, receiver.url);
let webhookMs = world.nowMs();
plantClock(() => webhookMs);
const webhooks = each(
  await unitsOf(async () => {
    for (let n = 0; n < WEBHOOKS; n++) {
      webhookMs += WEBHOOK_GAP_MS;
      await endRun(organization);
      // Uses the messages as they were sent: with event and body.
      await receive(...world.messages.splice(0).map(({ body }) => body as DeliveryDue));
    }
  }),
  WEBHOOKS,
);
plantClock(world.nowMs);
if (receiver.received.length !== WEBHOOKS) throw new Error(`${receiver.received.length} webhooks arrived`);
const webhookBytesOut = await bytesOfAttempt(receiver.received[0]!);

fakeScheduler();
process.env.SCHEDULE_GROUP_NAME ??= 'connections';
// The first sweep of a day compares with Scheduler.
await unitsOf(() => sweep());
const sweeps = await unitsOf(() => sweep());
console.error(syncs.join('\n'));

const operations: Record<CountedOperation, CountedUnits> = {
  page: recorded(plain),
  pageFarIn: recorded(filtered),
  changesPage: recorded(changesPage),
  changesIdle: recorded(changesIdle),
  firstSync: recorded(first),
  syncAgain: recorded(again),
  webhook: recorded(webhooks),
  sweep: recorded(sweeps),
};
const counted: Counted = {
  countedOn: new Date().toISOString().slice(0, 10),
  operations,
  pageBytes: hundreds(pageBytes),
  packedPageBytes: hundreds(packedPageBytes),
  webhookBytesOut: hundreds(webhookBytesOut),
  idleMetrics: metricsIn(sweeps.printed),
};
if (isPrinted) console.log(JSON.stringify(counted));
else {
  writeCounted(counted);
  console.error(`${COUNTED_FILE} written: run \`npm run cost\``);
}
await receiver.stop();
await story.close();
await world.stop();
process.exit(0);
