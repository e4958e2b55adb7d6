/** Units into money. Every price and every number that was not counted is an assumption, named in docs/cost.md. */

import { contract as deliver } from '#functions/workers/deliver-webhook/contract.ts';
import { contract as sweeper } from '#functions/workers/sweep/contract.ts';
import { contract as syncScope } from '#functions/workers/sync-scope/contract.ts';
import { ALARMS } from '#infra/monitoring/alarms.ts';
import type { Units } from './count-units.ts';

/** Dollars, list prices of us-east-1, on-demand, ARM, without free tier, as we knew them in November 2026. */
const PRICES = {
  readUnit: 0.125 / 1e6,
  writeUnit: 0.625 / 1e6,
  httpRequest: 1 / 1e6,
  invocation: 0.2 / 1e6,
  gigabyteSecond: 0.0000133334,
  queueRequest: 0.4 / 1e6,
  objectPut: 0.005 / 1e3,
  logGigabyte: 0.5,
  trace: 5 / 1e6,
  keyRequest: 0.03 / 1e4,
  gigabyteOut: 0.09,
  alarmMonth: 0.1,
  metricMonth: 0.3,
  dashboardMonth: 3,
  keyMonth: 1,
};

/** Not counted: what only AWS does, or what depends on others. */
const ASSUMED = {
  apiMemoryMb: 512,
  apiMilliseconds: 60,
  accessLogBytes: 400,
  /** `platform.start` and `platform.report` of each invocation. */
  platformLogBytes: 800,
  /** X-Ray's default rule samples so much beyond the first request a second. */
  sampled: 0.05,
  receiverMilliseconds: 300,
  ownMilliseconds: 60,
  webhookBytesOut: 6_000,
  /** An institution paced at 2 s a call (the tax authority's manifest). */
  syncSeconds: 60,
  metricsInUse: 100,
  sweepSeconds: 0.2,
  sweepsAMonth: 43_800,
};

const GB = 1e9;

const money = (lines: Record<string, number>): string => {
  const total = Object.values(lines).reduce((sum, each) => sum + each, 0);
  const rows = Object.entries({ ...lines, '**total**': total });
  return ['| | dollars |', '| --- | ---: |', ...rows.map(([what, each]) => `| ${what} | ${each.toFixed(2)} |`)].join(
    '\n',
  );
};

const computing = (memoryMb: number, seconds: number): number => (memoryMb / 1024) * seconds * PRICES.gigabyteSecond;
const tableCost = ({ readUnits, writeUnits }: Units): number =>
  readUnits * PRICES.readUnit + writeUnits * PRICES.writeUnit;

const millionReads = (page: Units, pageBytes: number): string => {
  const million = (each: number): number => each * 1e6;
  return money({
    'HTTP API, one request': million(PRICES.httpRequest),
    'Lambda, one invocation': million(
      PRICES.invocation + computing(ASSUMED.apiMemoryMb, ASSUMED.apiMilliseconds / 1e3),
    ),
    [`table, ${page.readUnits} read units`]: million(tableCost(page)),
    'access log and platform log': million(
      ((ASSUMED.accessLogBytes + ASSUMED.platformLogBytes) / GB) * PRICES.logGigabyte,
    ),
    'traces, one of twenty': million(ASSUMED.sampled * PRICES.trace),
    [`data out, ${(pageBytes / 1e3).toFixed(1)} kB a page`]: million((pageBytes / GB) * PRICES.gigabyteOut),
  });
};

const millionWebhooks = (webhook: Units): string => {
  const million = (each: number): number => each * 1e6;
  const seconds = (ASSUMED.receiverMilliseconds + ASSUMED.ownMilliseconds) / 1e3;
  const logBytes = webhook.logBytes + ASSUMED.platformLogBytes;
  return money({
    [`table, ${webhook.readUnits.toFixed(0)} read and ${webhook.writeUnits.toFixed(0)} write units`]: million(
      tableCost(webhook),
    ),
    'SQS: send, receive, delete': million(3 * PRICES.queueRequest),
    'Lambda, one message an invocation': million(PRICES.invocation + computing(deliver.memoryMb, seconds)),
    [`log and metrics, ${Math.round(logBytes)} bytes`]: million((logBytes / GB) * PRICES.logGigabyte),
    'traces, one of twenty': million(ASSUMED.sampled * PRICES.trace),
    'key, one request at most': million(PRICES.keyRequest),
    'data out, handshake included': million((ASSUMED.webhookBytesOut / GB) * PRICES.gigabyteOut),
  });
};

const thousandSyncs = (sync: Units): string => {
  const thousand = (each: number): number => each * 1e3;
  const puts = sync.requests['S3 PutObject'] ?? 0;
  const sends = sync.requests['SQS SendMessage'] ?? 0;
  return money({
    [`table, ${Math.round(sync.readUnits)} read and ${Math.round(sync.writeUnits)} write units`]: thousand(
      tableCost(sync),
    ),
    [`raw answers, ${puts} objects`]: thousand(puts * PRICES.objectPut),
    [`SQS, ${3 * sends} requests`]: thousand(3 * sends * PRICES.queueRequest),
    'Lambda, a minute of waiting for the institution': thousand(
      PRICES.invocation + computing(syncScope.memoryMb, ASSUMED.syncSeconds),
    ),
    [`log and metrics, ${Math.round(sync.logBytes)} bytes`]: thousand((sync.logBytes / GB) * PRICES.logGigabyte),
  });
};

const month = (sweep: Units): string =>
  money({
    [`${ASSUMED.sweepsAMonth} sweeps`]:
      ASSUMED.sweepsAMonth *
      (tableCost(sweep) +
        PRICES.invocation +
        computing(sweeper.memoryMb, ASSUMED.sweepSeconds) +
        ((sweep.logBytes + ASSUMED.platformLogBytes) / GB) * PRICES.logGigabyte),
    [`${ALARMS.length} alarms`]: ALARMS.length * PRICES.alarmMonth,
    [`${ASSUMED.metricsInUse} metrics of ours`]: ASSUMED.metricsInUse * PRICES.metricMonth,
    dashboard: PRICES.dashboardMonth,
    'two keys': 2 * PRICES.keyMonth,
  });

export interface Counted {
  sweep: Units;
  page: Units;
  pageBytes: number;
  first: Units;
  again: Units;
  webhooks: Units;
}

export const prices = ({ sweep, page, pageBytes, first, again, webhooks }: Counted): string =>
  [
    ['A million list pages', millionReads(page, pageBytes)],
    ['A million webhooks', millionWebhooks(webhooks)],
    ['A thousand first syncs of 1,000 documents', thousandSyncs(first)],
    ['A thousand syncs that find nothing new', thousandSyncs(again)],
    ['A month of nothing', month(sweep)],
  ]
    .map(([title, text]) => `\n### ${title}\n\n${text}`)
    .join('\n');
