/** A schedule on the whole local stack: virtual time makes it fire, and runs start exactly when they should. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { withStack } from '#tools/local/demo/with-stack.ts';
import type { StackFile } from '#tools/local/stack-file.ts';

const HOUR_MS = 3_600_000;
const HOURLY = { enabled: true, frequency_minutes: 60 };

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Body = any;

const clientOf = (stack: StackFile) => {
  const ask = async (method: string, path: string, body?: unknown): Promise<Body> => {
    const response = await fetch(`${stack.api}${path}`, {
      method,
      headers: { cookie: `sb-access-token=${stack.session}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(response.ok, `${method} ${path}: ${response.status}`).toBe(true);
    return response.json();
  };
  const clock = async (move?: object): Promise<number> => {
    const init = move ? { method: 'POST', body: JSON.stringify(move) } : {};
    return Date.parse(((await (await fetch(new URL('/_local/clock', stack.api), init)).json()) as Body).now);
  };
  return {
    ask,
    nowMs: () => clock(),
    /** Moves time at once, and waits for all due work. */
    pass: async (ms: number): Promise<void> => {
      await clock({ advance_ms: ms });
      await clock({ advance_ms: 1, stepwise: true });
    },
  };
};

test('fires at the right times, not while disabled, in error or running, and leaves nothing behind', async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'schedules-'));
  await withStack(dataFolder, async (stack) => {
    Object.assign(process.env, JSON.parse(readFileSync(join(dataFolder, 'environment.json'), 'utf8')));
    const { ask, nowMs, pass } = clientOf(stack);
    const { credentials, metadata } = stack.sandbox.tax!;
    const { id } = await ask('POST', '/connections', {
      external_source_code: 'tax',
      name: 'Scheduled',
      enabled_scopes: ['rcv'],
      credentials,
      metadata,
    });
    const path = `/connections/${id}`;
    const runs = async (): Promise<Body[]> => (await ask('GET', `${path}/sync-runs`)).data;
    const connection = async (): Promise<Body> => (await ask('GET', path)).data;
    const schedules = (): string[] => readdirSync(join(dataFolder, 'schedules'));
    const untilFiring = async (): Promise<number> =>
      Date.parse((await connection()).next_scheduled_sync_at) - (await nowMs());

    const { data: setting } = await ask('PUT', `${path}/schedule`, HOURLY);
    const firstMs = Date.parse(setting.next_scheduled_sync_at);
    expect(firstMs - (await nowMs())).toBeLessThanOrEqual(HOUR_MS + 301_000);
    expect(schedules()).toHaveLength(1);
    await pass((await untilFiring()) - 60_000);
    expect(await runs()).toEqual([]);
    await pass(61_000);
    const [first, ...more] = await runs();
    expect(more).toEqual([]);
    expect(first).toMatchObject({ trigger: 'schedule', status: 'succeeded', scopes: ['rcv'] });
    // The id contains the due time.
    expect(Number.parseInt(first.id.replaceAll('-', '').slice(0, 12), 16)).toBe(firstMs);
    expect(Date.parse(first.created_at)).toBeGreaterThanOrEqual(firstMs);
    expect((await connection()).next_scheduled_sync_at).toBe(new Date(firstMs + HOUR_MS).toISOString());
    expect((await ask('PUT', `${path}/schedule`, HOURLY)).data.next_scheduled_sync_at).toBe(
      new Date(firstMs + HOUR_MS).toISOString(),
    );
    await pass(HOUR_MS);
    expect(await runs()).toHaveLength(2);

    // A run that never ends.
    const key = keys.connection(stack.organization_id, id);
    await table.update(key, { add: { open_runs: new Set(['held']) } });
    await pass(HOUR_MS);
    expect(await runs()).toHaveLength(2);
    await table.update(key, { take: { open_runs: new Set(['held']) } });

    await ask('PATCH', path, { enabled: false });
    expect((await connection()).next_scheduled_sync_at).toBeNull();
    expect(schedules()).toEqual([]);
    await pass(3 * HOUR_MS);
    expect(await runs()).toHaveLength(2);
    await ask('PATCH', path, { enabled: true });
    await pass((await untilFiring()) - 1_000);
    expect(await runs()).toHaveLength(2);
    await pass(2_000);
    expect(await runs()).toHaveLength(3);

    await ask('PATCH', path, { credentials: { ...credentials, password: 'wrong' } });
    await pass(HOUR_MS);
    expect((await runs())[0]).toMatchObject({ status: 'failed', error_code: 'source.invalid_credentials' });
    expect((await connection()).status).toBe('error');
    await pass(2 * HOUR_MS);
    expect(await runs()).toHaveLength(4);
    await ask('PATCH', path, { credentials });
    await pass(HOUR_MS);
    expect((await runs())[0]).toMatchObject({ status: 'succeeded', trigger: 'schedule' });
    expect((await connection()).status).toBe('active');

    await ask('DELETE', path);
    expect(schedules()).toEqual([]);
    for (let step = 0; step < 6; step++) await pass(HOUR_MS / 4);
    expect(await table.query(keys.connectionItems(stack.organization_id, id).pk)).toEqual([]);
    expect(schedules()).toEqual([]);
  });
  rmSync(dataFolder, { recursive: true });
}, 240_000);
