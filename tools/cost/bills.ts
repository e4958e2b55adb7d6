/**
 * Multiplies counts by prices. The results are the bill of a month without any operation, and a bill for a number of
 * operations of each kind.
 */
import { contract as listPage } from '#functions/api/tax-rcv-documents/list-tax-rcv-documents/contract.ts';
import { contract as deliver } from '#functions/workers/deliver-webhook/contract.ts';
import { contract as sweeper } from '#functions/workers/sweep/contract.ts';
import { HTTP_LIMITS } from '#shared/http/limits.ts';
import { PLATFORM_LIMITS } from '#shared/platform/limits.ts';
import { scopeQueue } from '#shared/platform/queue-names.ts';
import { ASSUMED, DOCUMENTED } from './assumed.ts';
import type { Counted, CountedUnits } from './counted.ts';
import { toDollars } from './prices.ts';
import { hourlyTasks, seeded, simulateWorkers } from './shared-invocations.ts';
import type { BilledFunction, StageBill } from './stage-bill.ts';

/** Where a line's number comes from. `documents` means behaviour that AWS documents and that nobody measured. */
export type CountOrigin = 'template' | 'counted' | 'documents' | 'assumed';

export interface Line {
  what: string;
  dollars: number;
  origins: readonly CountOrigin[];
}

export const sumLines = (lines: readonly Line[]): number => lines.reduce((sum, { dollars }) => sum + dollars, 0);

const MILLION = 1e6;
const THOUSAND = 1e3;

const functionOf = ({ functions }: StageBill, id: string): BilledFunction => {
  const found = functions.get(id);
  if (found === undefined) throw new Error(`no template has a function ${id}`);
  return found;
};

const plain = (value: number): string => Number(value.toFixed(1)).toLocaleString('en-US');

/**
 * Returns the dollars for invocations of a function.
 * @param seconds duration of each invocation
 */
const invocations = (count: number, { memoryMb }: BilledFunction, seconds: number): number =>
  toDollars('invocation', count) + toDollars('gigabyteSecond', count * (memoryMb / 1024) * seconds);

const table = ({ readUnits, writeUnits }: CountedUnits, count: number): number =>
  toDollars('readUnit', readUnits * count) + toDollars('writeUnit', writeUnits * count);

const platformBytes = ({ tellsInvocations }: BilledFunction): number =>
  tellsInvocations ? DOCUMENTED.platformLogBytes : 0;

const tracing = (fn: BilledFunction, count: number): Line => ({
  what: fn.isTraced ? 'traces, one request of twenty' : 'traces, none',
  dollars: fn.isTraced ? toDollars('trace', DOCUMENTED.tracedShare * count) : 0,
  origins: fn.isTraced ? ['template', 'documents'] : ['template'],
});

export const idleMonth = (bill: StageBill, { operations: { sweep }, idleMetrics }: Counted): Line[] => {
  const seconds = ASSUMED.hoursAMonth * 3600;
  const receives = (bill.mappings * DOCUMENTED.pollersAMapping * seconds) / DOCUMENTED.pollSeconds;
  const fn = functionOf(bill, sweeper.id);
  const sweepTraces = fn.isTraced ? toDollars('trace', bill.firings) : 0;
  return [
    {
      what: `SQS: ${bill.mappings} queues, ${DOCUMENTED.pollersAMapping} pollers each, a receive in ${DOCUMENTED.pollSeconds} s: ${plain(receives / MILLION)} million empty receives`,
      dollars: toDollars('queueRequest', receives),
      origins: ['template', 'documents'],
    },
    {
      what: `${bill.alarms} alarms that watch ${bill.alarmMetrics} metrics`,
      dollars: toDollars('alarmMetric', bill.alarmMetrics),
      origins: ['template'],
    },
    { what: `${bill.keys} keys`, dollars: toDollars('key', bill.keys), origins: ['template'] },
    {
      what: `our metrics: ${idleMetrics.join(', ') || 'none'}`,
      dollars: toDollars('metric', idleMetrics.length),
      origins: ['counted'],
    },
    {
      what: `${plain(bill.firings)} sweeps: schedule, function, ${plain(sweep.readUnits)} read units, ${plain(sweep.logBytes + platformBytes(fn))} bytes of log${fn.isTraced ? ', a trace' : ', no trace'}`,
      dollars:
        toDollars('scheduleFiring', bill.firings) +
        invocations(bill.firings, fn, ASSUMED.sweepSeconds) +
        table(sweep, bill.firings) +
        toDollars('logByte', bill.firings * (sweep.logBytes + platformBytes(fn))) +
        sweepTraces,
      origins: ['template', 'counted', 'assumed'],
    },
    {
      what: `requests of the table to its key, once in ${DOCUMENTED.tableKeyMinutes} minutes`,
      dollars: toDollars('keyRequest', seconds / 60 / DOCUMENTED.tableKeyMinutes),
      origins: ['documents'],
    },
    ...(bill.boards === 0
      ? []
      : [{ what: 'dashboard', dollars: toDollars('board', bill.boards), origins: ['template'] as const }]),
  ];
};

export const millionPages = (
  bill: StageBill,
  { operations: { page }, ...counted }: Counted,
  isPacked: boolean,
): Line[] => {
  const fn = functionOf(bill, listPage.id);
  const logBytes = page.logBytes + ASSUMED.accessLogBytes + platformBytes(fn);
  const bytes = isPacked ? counted.packedPageBytes : counted.pageBytes;
  return [
    { what: 'HTTP API, one request', dollars: toDollars('httpRequest', MILLION), origins: ['documents'] },
    {
      what: `Lambda, ${ASSUMED.pageMilliseconds} ms at ${fn.memoryMb} MB`,
      dollars: invocations(MILLION, fn, ASSUMED.pageMilliseconds / THOUSAND),
      origins: ['template', 'assumed'],
    },
    { what: `table, ${plain(page.readUnits)} read units`, dollars: table(page, MILLION), origins: ['counted'] },
    {
      what: `counters of reads, at most a write unit for ${HTTP_LIMITS.readsAddedMin} pages`,
      dollars: toDollars('writeUnit', MILLION / HTTP_LIMITS.readsAddedMin),
      origins: ['counted'],
    },
    {
      what: `logs, ${plain(logBytes)} bytes`,
      dollars: toDollars('logByte', logBytes * MILLION),
      origins: ['template', 'counted', 'assumed'],
    },
    tracing(fn, MILLION),
    {
      what: `data out, ${plain(bytes / THOUSAND)} kB a page${isPacked ? ', gzip' : ''}`,
      dollars: toDollars('byteOut', bytes * MILLION),
      origins: ['counted'],
    },
  ];
};

/** `often`: an endpoint gets webhooks within minutes of each other; `hourly`: one webhook an hour. */
export type WebhookPace = 'often' | 'hourly';

export const millionWebhooks = (bill: StageBill, counted: Counted, pace: WebhookPace): Line[] => {
  const isHourly = pace === 'hourly';
  const { operations, webhookBytesOut } = counted;
  const endpointReads = isHourly ? ASSUMED.endpointReadUnits : 0;
  const webhook = { ...operations.webhook, readUnits: operations.webhook.readUnits + endpointReads };
  const fn = functionOf(bill, deliver.id);
  const milliseconds = ASSUMED.receiverMilliseconds + ASSUMED.deliveryMilliseconds;
  const logBytes = webhook.logBytes + platformBytes(fn);
  const bytesOut = webhookBytesOut + ASSUMED.webhookPackets * ASSUMED.packetHeadBytes;
  return [
    {
      what: `table, ${plain(webhook.readUnits)} read and ${plain(webhook.writeUnits)} write units`,
      dollars: table(webhook, MILLION),
      origins: isHourly ? ['counted', 'assumed'] : ['counted'],
    },
    { what: 'SQS: send, receive, delete', dollars: toDollars('queueRequest', 3 * MILLION), origins: ['counted'] },
    {
      what: `Lambda, one message an invocation, ${milliseconds} ms at ${fn.memoryMb} MB`,
      dollars: invocations(MILLION, fn, milliseconds / THOUSAND),
      origins: ['template', 'assumed'],
    },
    {
      what: `log and metrics, ${plain(logBytes)} bytes`,
      dollars: toDollars('logByte', logBytes * MILLION),
      origins: ['template', 'counted'],
    },
    tracing(fn, MILLION),
    {
      what: isHourly
        ? 'key, one request for each'
        : `key, one request for ${ASSUMED.webhooksAKey} webhooks of an endpoint`,
      dollars: toDollars('keyRequest', isHourly ? MILLION : MILLION / ASSUMED.webhooksAKey),
      origins: ['assumed'],
    },
    {
      what: `data out, ${plain(bytesOut / THOUSAND)} kB, handshake included`,
      dollars: toDollars('byteOut', bytesOut * MILLION),
      origins: ['counted', 'assumed'],
    },
  ];
};

/** @param billedSeconds Lambda's time for one sync: less than the wait if tasks share an invocation */
export const thousandSyncs = (
  bill: StageBill,
  sync: CountedUnits,
  billedSeconds: number = ASSUMED.syncSeconds,
): Line[] => {
  const fn = functionOf(bill, scopeQueue('tax', 'rcv'));
  const puts = sync.requests['S3 PutObject'] ?? 0;
  const queueRequests = 3 * (sync.requests['SQS SendMessage'] ?? 0);
  const logBytes = sync.logBytes + platformBytes(fn);
  return [
    {
      what: `table, ${plain(sync.readUnits)} read and ${plain(sync.writeUnits)} write units`,
      dollars: table(sync, THOUSAND),
      origins: ['counted'],
    },
    { what: `raw answers, ${puts} objects`, dollars: toDollars('objectPut', puts * THOUSAND), origins: ['counted'] },
    {
      what: `SQS, ${queueRequests} requests`,
      dollars: toDollars('queueRequest', queueRequests * THOUSAND),
      origins: ['counted'],
    },
    {
      what: waitingAt(fn.memoryMb, billedSeconds),
      dollars: invocations(THOUSAND, fn, billedSeconds),
      origins: ['template', 'assumed'],
    },
    {
      what: `log and metrics, ${plain(logBytes)} bytes`,
      dollars: toDollars('logByte', logBytes * THOUSAND),
      origins: ['template', 'counted'],
    },
    // Syncs are rare, so nearly every sync is the first request of its second, which X-Ray records.
    {
      what: fn.isTraced ? 'traces, each' : 'traces, none',
      dollars: fn.isTraced ? toDollars('trace', THOUSAND) : 0,
      origins: ['template', 'documents'],
    },
  ];
};

const DAYS_A_MONTH = ASSUMED.hoursAMonth / 24;

const waitingAt = (memoryMb: number, billedSeconds: number): string => {
  const waiting = `Lambda, ${ASSUMED.syncSeconds} s of waiting for the institution at ${memoryMb} MB`;
  return billedSeconds === ASSUMED.syncSeconds ? waiting : `${waiting}, ${plain(billedSeconds)} s billed`;
};

/** Returns Lambda's seconds for one sync, where this number of connections is synchronized each hour. */
const sharedSeconds = (connectionsAnHour: number): number => {
  const { unit, below } = seeded(1);
  const tasks = hourlyTasks(connectionsAnHour, HOURS_SIMULATED, ASSUMED.syncSeconds * THOUSAND, unit);
  const { billedMs } = simulateWorkers(tasks, WORKERS_SIMULATED, below);
  return Math.round(billedMs / tasks.length / 100) / 10;
};
/** As in `prod`. */
const WORKERS_SIMULATED = 15;
const HOURS_SIMULATED = 24;

/**
 * Returns the bill of one scope for a month of syncs that find nothing new, with the storage of their raw answers, if
 * `ASSUMED.connections` connections have the same scope and frequency.
 * @param syncsADay number of syncs of the scope a day
 */
export const scopeMonth = (bill: StageBill, sync: CountedUnits, syncsADay: number): Line[] => {
  const syncs = syncsADay * DAYS_A_MONTH;
  const stored = sync.objectBytes * syncsADay * PLATFORM_LIMITS.retentionDays;
  return [
    ...thousandSyncs(bill, sync, sharedSeconds((ASSUMED.connections * syncsADay) / 24)).map((line) => ({
      ...line,
      dollars: (line.dollars * syncs) / THOUSAND,
    })),
    {
      what: `storage of the raw answers of ${PLATFORM_LIMITS.retentionDays} days`,
      dollars: toDollars('objectByteMonth', stored),
      origins: ['counted'],
    },
  ];
};

/** Returns the most that the rows of a first sync cost a month in the table and its backup. */
export const rowStorage = ({ writeUnits }: CountedUnits): number => {
  const bytes = writeUnits * DOCUMENTED.writeUnitBytes;
  return toDollars('tableByteMonth', bytes) + toDollars('backupByteMonth', bytes);
};
