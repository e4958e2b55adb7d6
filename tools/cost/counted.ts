/** Reads the committed results of `npm run cost:count`, which runs the real handlers and the real engine. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

export const COUNTED_FILE = join(import.meta.dirname, 'counted.json');

const count = z.number().nonnegative();

const Units = z.strictObject({
  readUnits: count,
  writeUnits: count,
  tableCalls: count,
  /** Number of requests by service and command, such as `S3 PutObject`. */
  requests: z.record(z.string(), count),
  /** Bytes of the objects that S3 stores. */
  objectBytes: count,
  /** Bytes of the log lines and metrics that our own code writes. */
  logBytes: count,
});

export const OPERATIONS = {
  page: 'list page of 50 rows',
  pageFarIn: 'list page of 50 rows, offset 400, by period',
  changesPage: 'page of 200 changes, of a new copy',
  changesIdle: 'poll of changes that finds nothing',
  firstSync: 'first sync of 1,000 documents',
  syncAgain: 'the same sync again, nothing new',
  webhook: 'webhook: event, delivery, one attempt',
  sweep: 'sweep that finds nothing',
} as const;

export type CountedOperation = keyof typeof OPERATIONS;

const Counted = z.strictObject({
  countedOn: z.iso.date(),
  operations: z.record(z.enum(Object.keys(OPERATIONS) as [CountedOperation, ...CountedOperation[]]), Units),
  /** Bytes of a list page as plain text; `packedPageBytes` is its size after gzip. */
  pageBytes: count,
  packedPageBytes: count,
  /** Bytes that one webhook attempt sends: TLS handshake, head and body. */
  webhookBytesOut: count,
  /** Metrics that a sweep writes when it finds nothing, which are the only metrics of an idle month. */
  idleMetrics: z.array(z.string()),
});

export type Counted = z.output<typeof Counted>;
export type CountedUnits = z.output<typeof Units>;

/** @throws Error when the file is missing or invalid. */
export const readCounted = (): Counted => Counted.parse(JSON.parse(readFileSync(COUNTED_FILE, 'utf8')));

export const writeCounted = (counted: Counted): void =>
  writeFileSync(COUNTED_FILE, `${JSON.stringify(Counted.parse(counted), null, 2)}\n`);
