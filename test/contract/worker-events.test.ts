/** Payloads as SQS and Scheduler send them: stale payloads, as in these files, end quietly and are acknowledged. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Context, SQSEvent } from 'aws-lambda';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { FUNCTIONS, variantScope, WORKER_FUNCTIONS } from '#infra/manifest.ts';
import { VARIABLES } from '#shared/platform/needs.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const files = globSync('*.json', { cwd: join(ROOT, 'events') });
const filesOf = (functionId: string) => files.filter((file) => basename(file).split('.')[0] === functionId);

let table: EngineTable;
beforeAll(async () => {
  table = await startEngineTable();
});
afterAll(() => table.stop());

test.each(FUNCTIONS.map(({ functionId }) => functionId))('%s has a payload to try it with', (functionId) => {
  expect(filesOf(functionId)).not.toEqual([]);
});

const cases = WORKER_FUNCTIONS.flatMap((worker) => filesOf(worker.functionId).map((file) => [file, worker] as const));

test.each(cases)('%s', async (file, { contract, variant }) => {
  if (variant) vi.stubEnv(VARIABLES.scope, variantScope(variant));
  const event = JSON.parse(readFileSync(join(ROOT, 'events', file), 'utf8')) as SQSEvent;
  const { handler } = (await import(join(ROOT, 'functions', 'workers', contract.id, 'handler.ts'))) as {
    handler(event: SQSEvent, context: Context): Promise<unknown>;
  };
  const context = { getRemainingTimeInMillis: () => 60_000 } as Context;
  const answer = await handler(event, context);
  if (event.Records) expect(answer).toEqual({ batchItemFailures: [] });
  else expect(answer).toBeUndefined();
});
