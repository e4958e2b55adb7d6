/** Every queue at its worst: three messages in ten come twice, late and out of order. */
import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { beforeAll, expect, test } from 'vitest';
import { addMonths, santiagoPeriod } from '#shared/values/dates.ts';
import type { Run } from '#test/helpers/e2e-integrator.ts';
import { asLedger, pick } from '#test/helpers/e2e-register.ts';
import { useStack } from '#test/helpers/e2e-stack.ts';

const RUT = '70000002-8';
const RUNS = 4;

const stage = useStack({ LOCAL_AT_LEAST_ONCE: '0.3' });
let connectionId: string;
let endpoint: { id: string; secret: string };
let periods: string[];
let runs: Run[];

beforeAll(async () => {
  const { api, doors } = stage;
  endpoint = await api.subscribe();
  stage.secrets.add(endpoint.secret);
  connectionId = await api.connect({ rut: RUT, password: 'clave-de-prueba' });
  const current = santiagoPeriod(await doors.nowMs());
  periods = [addMonths(current, -1), addMonths(current, -2)];
  // Several runs at a time, which wait for one another: more messages, and more of them twice.
  const ids: string[] = [];
  for (let n = 0; n < RUNS; n++) ids.push(await api.sync(connectionId, periods));
  runs = [];
  for (const id of ids) runs.push(await api.finished(connectionId, id, doors.jump));
  // Long enough for the sweeper to check everything once more.
  await doors.walk(120_000);
});

test('every run ends succeeded, and together they create every document once', async () => {
  const ledger = pick(await stage.doors.ledger(RUT), periods);
  const count = periods.reduce((sum, period) => sum + (ledger[period]?.count ?? 0), 0);
  expect(runs.map(({ status, records_found }) => [status, records_found])).toEqual(
    runs.map(() => ['succeeded', count]),
  );
  const created = runs.map(({ records_created }) => records_created ?? 0);
  expect(created.reduce((sum, each) => sum + each)).toBe(count);
  expect(runs.every(({ records_updated }) => records_updated === 0)).toBe(true);
  const rows = await stage.api.allDocuments(connectionId);
  expect(asLedger(rows, periods)).toEqual(ledger);
  expect(rows).toHaveLength(count);
});

test('one login a run, none left open', async () => {
  const { logins, sessions } = await stage.doors.logins(RUT);
  expect(sessions).toBe(0);
  expect(logins).toBeLessThanOrEqual(RUNS);
});

test('each run has exactly one event and one delivery, attempted once', async () => {
  const { stack, api, doors } = stage;
  const { region, credentials } = stack;
  const client = new DynamoDBClient({ endpoint: stack.endpoints.dynamodb, region, credentials });
  const events: unknown[] = [];
  // Deliveries contain their event. The table may hold more than this story's endpoint, and more than one page.
  const pages = paginateScan(
    { client },
    {
      TableName: stack.environment.TABLE_NAME,
      FilterExpression: 'begins_with(sk, :delivery) AND contains(pk, :endpoint)',
      ExpressionAttributeValues: { ':delivery': { S: 'DELIVERY#' }, ':endpoint': { S: endpoint.id } },
    },
  );
  for await (const { Items = [] } of pages) events.push(...Items.map(({ event_id }) => event_id?.S));
  client.destroy();
  expect(events.every((id) => typeof id === 'string')).toBe(true);
  expect(events).toHaveLength(RUNS);
  expect(new Set(events).size).toBe(RUNS);

  const deliveries = await api.get(`/webhooks/${endpoint.id}/deliveries`);
  expect(deliveries).toHaveLength(RUNS);
  for (const delivery of deliveries) expect(delivery).toMatchObject({ status: 'delivered', attempts: 1 });
  for (const { id } of runs) expect(await doors.received(id)).toHaveLength(1);
});
