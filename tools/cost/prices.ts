/**
 * AWS list prices of us-east-1 in dollars: on demand, ARM, without free tier. They are from November 2026 and were not
 * checked against AWS's pages. No other file contains a price.
 */

interface Price {
  dollars: number;
  /** Number of units that `dollars` pays for; `what` names the unit. */
  per: number;
  what: string;
  /** URL of the AWS page with the price. */
  page: string;
}

export const PRICES = {
  readUnit: { dollars: 0.125, per: 1e6, what: 'read units of the table', page: 'Amazon DynamoDB pricing, on-demand' },
  writeUnit: { dollars: 0.625, per: 1e6, what: 'write units of the table', page: 'Amazon DynamoDB pricing, on-demand' },
  httpRequest: { dollars: 1, per: 1e6, what: 'requests of an HTTP API', page: 'Amazon API Gateway pricing' },
  invocation: { dollars: 0.2, per: 1e6, what: 'invocations', page: 'AWS Lambda pricing' },
  gigabyteSecond: { dollars: 13.3334, per: 1e6, what: 'GB-seconds, ARM', page: 'AWS Lambda pricing' },
  queueRequest: { dollars: 0.4, per: 1e6, what: 'requests of a queue', page: 'Amazon SQS pricing, standard queues' },
  objectPut: { dollars: 0.005, per: 1e3, what: 'puts of an object', page: 'Amazon S3 pricing, requests' },
  objectByteMonth: { dollars: 0.023, per: 1e9, what: 'bytes of objects, a month', page: 'Amazon S3 pricing, storage' },
  tableByteMonth: {
    dollars: 0.25,
    per: 1e9,
    what: 'bytes of the table, a month',
    page: 'Amazon DynamoDB pricing, storage',
  },
  backupByteMonth: {
    dollars: 0.2,
    per: 1e9,
    what: 'bytes of its point-in-time backup, a month',
    page: 'Amazon DynamoDB pricing, backup',
  },
  edgeRequest: {
    dollars: 0.01,
    per: 1e4,
    what: 'HTTPS requests of CloudFront',
    page: 'Amazon CloudFront pricing, requests',
  },
  scheduleFiring: {
    dollars: 1,
    per: 1e6,
    what: 'firings of a schedule',
    page: 'Amazon EventBridge pricing, Scheduler',
  },
  logByte: { dollars: 0.5, per: 1e9, what: 'bytes of log', page: 'Amazon CloudWatch pricing, logs' },
  alarmMetric: { dollars: 0.1, per: 1, what: 'metric of an alarm, a month', page: 'Amazon CloudWatch pricing, alarms' },
  metric: { dollars: 0.3, per: 1, what: 'custom metric, a month', page: 'Amazon CloudWatch pricing, custom metrics' },
  board: { dollars: 3, per: 1, what: 'dashboard, a month', page: 'Amazon CloudWatch pricing, dashboards' },
  trace: { dollars: 5, per: 1e6, what: 'traces recorded', page: 'AWS X-Ray pricing' },
  key: { dollars: 1, per: 1, what: 'key, a month', page: 'AWS KMS pricing' },
  keyRequest: { dollars: 0.03, per: 1e4, what: 'requests of a key', page: 'AWS KMS pricing' },
  byteOut: { dollars: 0.09, per: 1e9, what: 'bytes to the internet', page: 'Amazon EC2 pricing, data transfer' },
} as const satisfies Record<string, Price>;

export type PriceName = keyof typeof PRICES;

/** @returns dollars for `count` units of the price */
export const toDollars = (name: PriceName, count: number): number => (count * PRICES[name].dollars) / PRICES[name].per;
