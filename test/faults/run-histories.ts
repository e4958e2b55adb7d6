/** Runs histories one after the other, in a process that was made virtual; reports each violation with its seed. */
import { clockMs, makeVirtual } from './machine/virtual-process.ts';

export interface Broken {
  seed: number;
  violations: string[];
  story: string[];
}

export interface Tally {
  histories: number;
  steps: number;
  faults: number;
  runs: Record<string, number>;
  /** Changes that the audit trail recorded, by action. */
  changes: Record<string, number>;
  attempts: number;
  broken: Broken[];
}

export const prepareEnvironment = async (): Promise<void> => {
  const { sourcePaceVariable } = await import('#shared/platform/needs.ts');
  const { SCOPES } = await import('#shared/scopes/scopes.gen.ts');
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'none',
    AWS_SECRET_ACCESS_KEY: 'none',
    TABLE_NAME: 'simulated',
    QUEUE_URL_PREFIX: 'http://127.0.0.1/',
    RAW_BUCKET_NAME: 'raw',
    DOCUMENT_BUCKET_NAME: 'documents',
    SCHEDULE_GROUP_NAME: 'connections',
    SCHEDULE_ROLE_ARN: 'arn:aws:iam::000000000000:role/scheduler',
    SCHEDULE_TARGET_ARN: 'arn:aws:sqs:us-east-1:000000000000:sync-requests',
    PUBLIC_ORIGIN: 'https://data.example',
    POWERTOOLS_METRICS_DISABLED: 'true',
    SCHEDULE_DEAD_LETTERS_ARN: 'arn:aws:sqs:us-east-1:000000000000:sync-requests-dead-letters',
  });
  // A plain object: each access to the real `process.env` is a system call, and a step makes dozens of them.
  process.env = { ...process.env };
  for (const { source } of SCOPES) process.env[sourcePaceVariable(source)] = '0,0,0';
};

export interface RunOptions {
  /** Prints each step. For one seed, to see what happened. */
  tell?: boolean;
  /** Stops at the first history with a violation. */
  untilBroken?: boolean;
}

export const runHistories = async (
  seeds: Iterable<number>,
  { tell = false, untilBroken = false }: RunOptions = {},
): Promise<Tally> => {
  makeVirtual();
  await prepareEnvironment();
  const { plantClock } = await import('#shared/platform/clock.ts');
  plantClock(clockMs);
  const { useWire } = await import('./world/connections.ts');
  useWire();
  const { interceptClients } = await import('./machine/services.ts');
  const { interceptReceivers } = await import('./world/receivers.ts');
  const { createWorld, live } = await import('./world/history.ts');
  const { violationsOf } = await import('./world/checks.ts');
  const { listNewest } = await import('#shared/sync/run/run.store.ts');
  interceptClients();
  interceptReceivers();

  let logs: string[] = [];
  const streams = [process.stdout, process.stderr].map((stream) => ({ stream, write: stream.write }));
  for (const { stream } of streams)
    stream.write = ((line: string) => {
      logs.push(String(line).trimEnd());
      return true;
    }) as typeof stream.write;
  const tally: Tally = { histories: 0, steps: 0, faults: 0, runs: {}, changes: {}, attempts: 0, broken: [] };
  try {
    for (const seed of seeds) {
      logs = [];
      const world = await createWorld(seed, tell);
      world.logs = logs;
      const violations: string[] = [];
      const judge = async (): Promise<void> => void violations.push(...(await violationsOf(world)));
      try {
        await live(world, judge);
        await judge();
      } catch (error) {
        violations.push((error as Error).stack ?? String(error));
      }
      tally.histories++;
      tally.steps += world.machine.steps;
      tally.attempts += world.receivers.received.length;
      for (const count of world.machine.faultsOf.values()) tally.faults += count;
      for (const { status } of await listNewest(world.organizationId, world.connection.id, 100))
        tally.runs[status] = (tally.runs[status] ?? 0) + 1;
      for (const [action, count] of Object.entries(world.audit.counts))
        tally.changes[action] = (tally.changes[action] ?? 0) + count;
      if (violations.length > 0)
        tally.broken.push({ seed, violations, story: [...world.machine.story, ...(tell ? logs : [])] });
      if (untilBroken && violations.length > 0) break;
    }
  } finally {
    for (const { stream, write } of streams) stream.write = write;
  }
  return tally;
};
