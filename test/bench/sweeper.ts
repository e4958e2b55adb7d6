/**
 * `npm run bench:sweeper`: how soon the sweeper finds a lost run behind waiting scopes and stuck items, and the CPU time
 * of its sweeps. The table is real, the queue answers at once. A sweep ends as it would in a function with the memory of
 * the contract: CPU time counts by the share of a core that Lambda gives to it (AWS's documents: 1,769 MB for a core).
 */
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { GetQueueAttributesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { contract } from '#functions/workers/sweep/contract.ts';
import { plantClock } from '#shared/platform/clock.ts';
import { sweep } from '#shared/recovery/sweep.ts';
import { type DueEntry, dueShards, dueUpTo } from '#shared/table/due-keys.ts';
import * as table from '#shared/table/table.ts';
import { mockAwsClient } from '#test/fakes/aws-client.ts';
import { fakeScheduler } from '#test/fakes/scheduler.ts';
import { storeLostRun, storeStuck, storeWaiting } from '#test/helpers/due-load.ts';
import { startTable } from '#test/helpers/dynamo.ts';

const { values } = parseArgs({
  options: { waiting: { type: 'string', default: '400,6000,50000' }, stuck: { type: 'string', default: '100,1000' } },
});
const listOf = (text: string): number[] => text.split(',').filter(Boolean).map(Number);

const CORE_MB = 1_769;
const MINUTE_MS = 60_000;
const SWEEPS_AFTER = 6;
const share = contract.memoryMb / CORE_MB;

process.env.POWERTOOLS_METRICS_DISABLED = 'true';
process.env.POWERTOOLS_LOG_LEVEL = 'SILENT';
process.env.QUEUE_URL_PREFIX = 'http://127.0.0.1/';
const scheduler = fakeScheduler();
let sent: { runId?: string }[] = [];
let queueLength = 0;
const sqs = mockAwsClient(SQSClient);
sqs.on(SendMessageCommand).callsFake(async ({ MessageBody }) => {
  sent.push(JSON.parse(MessageBody));
  return {};
});
sqs.on(GetQueueAttributesCommand).callsFake(async () => ({
  Attributes: { ApproximateNumberOfMessages: String(queueLength) },
}));

const server = await startTable();
const dueEntries = async (): Promise<DueEntry[]> => {
  const all: DueEntry[] = [];
  for (const shard of dueShards())
    for await (const page of table.queryDuePages(shard, dueUpTo('2099'))) all.push(...page);
  return all;
};

let clockMs = Date.parse('2026-11-21T12:00:00.000Z');
plantClock(() => clockMs);

/** Runs one sweep a minute later. Returns its CPU seconds. */
const sweepOnce = async (): Promise<number> => {
  clockMs += MINUTE_MS;
  sent = [];
  const from = process.cpuUsage();
  const seconds = (): number => {
    const { user, system } = process.cpuUsage(from);
    return (user + system) / 1e6;
  };
  await sweep(() => contract.timeoutSeconds * 1_000 - (seconds() * 1_000) / share);
  return seconds();
};

const measure = async (
  name: string,
  fill: (organizationId: string) => Promise<void>,
  length: number,
): Promise<void> => {
  await table.batchWrite({ removes: await dueEntries() });
  const organizationId = randomUUID();
  await sweepOnce();
  await fill(organizationId);
  queueLength = length;
  const runId = await storeLostRun(organizationId);
  const cpu: number[] = [];
  let reminders = 0;
  let found = 0;
  for (let n = 1; n <= SWEEPS_AFTER; n++) {
    cpu.push(await sweepOnce());
    if (found === 0 && sent.some((body) => body.runId === runId)) found = n;
    reminders += sent.filter((body) => body.runId !== runId).length;
  }
  const told = cpu.map((seconds) => seconds.toFixed(1)).join(', ');
  console.log(`${name.padEnd(24)} found by sweep ${found || 'none'}, ${reminders} reminders, CPU s a sweep ${told}`);
};

console.log(`${contract.memoryMb} MB: ${share.toFixed(2)} of a core`);
for (const count of listOf(values.waiting)) await measure(`${count} waiting`, (id) => storeWaiting(id, count), count);
for (const count of listOf(values.stuck)) await measure(`${count} stuck a shard`, (id) => storeStuck(id, count), 0);
await server.stop();
sqs.restore();
scheduler.restore();
process.exit(0);
