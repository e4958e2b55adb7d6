/** Counts what AWS would bill: capacity units as the table reports them, requests by service. */
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { documentClient } from '#shared/platform/aws.ts';

export interface Units {
  readUnits: number;
  writeUnits: number;
  tableCalls: number;
  /** Requests by service and command, `S3 PutObject`. */
  requests: Record<string, number>;
  /** Bytes of the objects that S3 stores. */
  objectBytes: number;
  /** Bytes of the service's own lines: log and metrics. */
  logBytes: number;
  /** The lines themselves. */
  printed: string;
  /** Time on this machine, table included: an order of magnitude. */
  milliseconds: number;
}

interface Capacity {
  CapacityUnits?: number;
}

const READS = new Set(['GetCommand', 'QueryCommand', 'BatchGetCommand', 'GetItemCommand', 'BatchGetItemCommand']);
const nothing = (): Units => ({
  readUnits: 0,
  writeUnits: 0,
  tableCalls: 0,
  requests: {},
  objectBytes: 0,
  logBytes: 0,
  printed: '',
  milliseconds: 0,
});

let units = nothing();

const countTable = (): void => {
  documentClient().middlewareStack.add(
    (next, context) => async (given) => {
      const input = { ...(given.input as object), ReturnConsumedCapacity: 'TOTAL' };
      const result = await next({ ...given, input } as typeof given);
      const { ConsumedCapacity: told } = result.output as { ConsumedCapacity?: Capacity | Capacity[] };
      if (told === undefined) throw new Error(`${context.commandName} tells no capacity`);
      const used = [told].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
      units[READS.has(context.commandName ?? '') ? 'readUnits' : 'writeUnits'] += used;
      units.tableCalls++;
      return result;
    },
    { step: 'initialize', name: 'count-units' },
  );
};

const bytesOf = (body: unknown): number => {
  if (typeof body === 'string' || body instanceof Uint8Array) return Buffer.byteLength(body);
  throw new Error('an object is put whose size is unknown');
};

const countRequests = (service: string, prototype: { send: unknown }): void => {
  const { send } = prototype as { send: (...given: unknown[]) => unknown };
  prototype.send = function (this: unknown, ...given: unknown[]) {
    const what = `${service} ${(given[0] as object).constructor.name.replace(/Command$/, '')}`;
    units.requests[what] = (units.requests[what] ?? 0) + 1;
    if (given[0] instanceof PutObjectCommand) units.objectBytes += bytesOf(given[0].input.Body);
    return send.apply(this, given);
  };
};

/** Call it after queues and buckets were replaced with fakes, whose calls count. */
export const startCounting = (): void => {
  countTable();
  countRequests('SQS', SQSClient.prototype as never);
  countRequests('S3', S3Client.prototype as never);
};

export const unitsOf = async (work: () => Promise<unknown>): Promise<Units> => {
  units = nothing();
  const startedMs = performance.now();
  const { write } = process.stdout;
  process.stdout.write = ((line: string) => {
    units.logBytes += Buffer.byteLength(line);
    units.printed += line;
    return true;
  }) as typeof write;
  try {
    await work();
  } finally {
    process.stdout.write = write;
  }
  return { ...units, milliseconds: performance.now() - startedMs };
};

export const each = (total: Units, count: number): Units => ({
  readUnits: total.readUnits / count,
  writeUnits: total.writeUnits / count,
  tableCalls: total.tableCalls / count,
  requests: Object.fromEntries(Object.entries(total.requests).map(([what, sum]) => [what, sum / count])),
  objectBytes: total.objectBytes / count,
  logBytes: total.logBytes / count,
  printed: total.printed,
  milliseconds: total.milliseconds / count,
});
