/** A deployed stack: its own key service, parameter store, scheduler and table, as its functions use them. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { GetScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { beforeAll, expect, test } from 'vitest';
import { findCredentials } from '#shared/connections/connection.store.ts';
import { scheduleName } from '#shared/connections/schedule.rules.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { addMonths, santiagoPeriod } from '#shared/values/dates.ts';
import { until } from '#test/helpers/e2e-integrator.ts';
import { useStack } from '#test/helpers/e2e-stack.ts';

const stage = useStack();
let connectionId: string;
let credentials: Record<string, string>;
let scheduler: SchedulerClient;
/** Read before the connection is deleted. */
let kept: Uint8Array;

const scheduleOf = async (): Promise<string | undefined> => {
  const { SCHEDULE_GROUP_NAME: GroupName } = process.env;
  try {
    const { ScheduleExpression, State } = await scheduler.send(
      new GetScheduleCommand({ GroupName, Name: scheduleName(stage.api.file.organization_id, connectionId) }),
    );
    return `${State} ${ScheduleExpression}`;
  } catch (error) {
    if ((error as Error).name === 'ResourceNotFoundException') return undefined;
    throw error;
  }
};

beforeAll(async () => {
  // All variables of its functions.
  const environment = readFileSync(join(dirname(process.env.STACK_FILE!), 'environment.json'), 'utf8');
  Object.assign(process.env, JSON.parse(environment));
  scheduler = new SchedulerClient({});
  credentials = stage.api.file.sandbox.tax!.credentials as Record<string, string>;
  connectionId = await stage.api.connect(credentials, 'Desplegada');
  kept = (await findCredentials(stage.api.file.organization_id, connectionId))!.ciphertext;
});

test('credentials are in the table, encrypted by the key service', () => {
  const bytes = Buffer.from(kept);
  expect(bytes.length).toBeGreaterThan(JSON.stringify(credentials).length);
  expect(bytes.includes(Buffer.from(credentials.password!))).toBe(false);
  // The message contains the name of the key that wrapped its data key, in clear text.
  expect(bytes.toString('latin1')).toContain(process.env.ENCRYPTION_KEY_ARN);
});

test('a schedule is created in the scheduler, updated, and deleted with its connection', async () => {
  const { api } = stage;
  const set = (body: object) => api.must(200, 'PUT', `/connections/${connectionId}/schedule`, { body });
  await set({ enabled: true, frequency_minutes: 360 });
  expect(await scheduleOf()).toBe('ENABLED rate(360 minutes)');
  await set({ enabled: false });
  expect(await scheduleOf()).not.toBe('ENABLED rate(360 minutes)');
  await set({ enabled: true, frequency_minutes: 60 });

  const month = addMonths(santiagoPeriod(Date.now()), -1);
  const run = await api.finished(connectionId, await api.sync(connectionId, [month]));
  expect(run.status).toBe('succeeded');
  expect((await api.allDocuments(connectionId)).length).toBe(run.records_found);

  await api.must(200, 'DELETE', `/connections/${connectionId}`, { as: 'session' });
  expect((await api.call('GET', `/connections/${connectionId}`)).status).toBe(404);
  expect(await scheduleOf()).toBeUndefined();
  const { pk } = keys.connection(api.file.organization_id, connectionId);
  // The rest of a purge is stored next to the connection, and is deleted last.
  await until('the end of the purge', async () => !JSON.stringify(await table.query(pk)).includes(connectionId));
});

test('what the gateway answers itself, and what the default route answers', async () => {
  const { api } = stage;
  expect((await api.call('GET', '/nothing-here')).body.error.code).toBe('not_found');
  expect((await api.call('PATCH', '/external-sources')).body.error.code).toBe('method_not_allowed');
});
