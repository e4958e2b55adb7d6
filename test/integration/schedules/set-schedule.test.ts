/** The schedule endpoint and everything else that changes a schedule. */
import { describe, expect, test } from 'vitest';
import { callersOf } from '#test/helpers/callers.ts';
import { connectionApi } from '#test/helpers/connection-api.ts';
import {
  created,
  firing,
  HOUR_MS,
  held,
  hourly,
  OURS,
  put,
  revisionHeld,
  stored,
  useSchedules,
  world,
} from '#test/helpers/schedules.ts';

useSchedules();

describe('the answer', () => {
  test('is the setting with its next firing, and the connection shows it', async () => {
    const id = await created();
    const answer = await put(id, hourly);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        data: { enabled: true, frequency_minutes: 60, next_scheduled_sync_at: firing(id, '2026-11-05T13:00:00.000Z') },
      },
    ]);
    expect((await world.api.get(id)).body.data).toMatchObject({
      sync_schedule_enabled: true,
      sync_frequency_minutes: 60,
      next_scheduled_sync_at: firing(id, '2026-11-05T13:00:00.000Z'),
    });
    expect(held(id)).toMatchObject({
      ScheduleExpression: 'rate(60 minutes)',
      StartDate: new Date(firing(id, '2026-11-05T13:00:00Z')),
    });
  });

  test('of an unchanged setting keeps the next firing and asks nothing of Scheduler', async () => {
    const id = await created();
    const first = await put(id, hourly);
    world.clockMs += 59 * 60_000;
    world.scheduler.calls.length = 0;
    expect((await put(id, { ...hourly, ...first.body.data })).text).toBe(first.text);
    expect(world.scheduler.calls).toEqual([]);
    world.clockMs = Date.parse(firing(id, '2026-11-05T13:00:00.000Z'));
    expect((await put(id, hourly)).body.data.next_scheduled_sync_at).toBe(firing(id, '2026-11-05T14:00:00.000Z'));
  });

  test('of a changed one begins again', async () => {
    const id = await created();
    await put(id, hourly);
    world.clockMs += 30 * 60_000;
    const answer = await put(id, { enabled: true, frequency_minutes: 1440 });
    expect(answer.body.data.next_scheduled_sync_at).toBe(firing(id, '2026-11-06T12:30:00.000Z'));
    expect(held(id)?.ScheduleExpression).toBe('rate(1440 minutes)');
    expect(revisionHeld(id)).toBe(2);
  });

  test.each([
    [{ enabled: false }, null],
    [{ enabled: false, frequency_minutes: null }, null],
    [{ enabled: false, frequency_minutes: 360 }, 360],
  ])('of %j: no firing, frequency %j', async (body, frequency) => {
    const id = await created();
    await put(id, hourly);
    expect((await put(id, body)).body.data).toEqual({
      enabled: false,
      frequency_minutes: frequency,
      next_scheduled_sync_at: null,
    });
    expect(held(id)).toBeUndefined();
  });

  test('ignores the read-only echo with any value', async () => {
    const id = await created();
    const answer = await put(id, { ...hourly, next_scheduled_sync_at: { not: 'a date' } });
    expect(answer.body.data.next_scheduled_sync_at).toBe(firing(id, '2026-11-05T13:00:00.000Z'));
  });
});

describe('refusals', () => {
  test.each([30, 60.5, '60', 0, -60, 1e9, true, [], {}])(
    'frequency %j: 422 schedule_invalid_frequency',
    async (bad) => {
      for (const enabled of [true, false]) {
        const answer = await put(await created(), { enabled, frequency_minutes: bad });
        expect([answer.status, answer.body.error]).toEqual([
          422,
          { code: 'schedule_invalid_frequency', message: 'frequency_minutes must be one of 60, 360, 720, 1440' },
        ]);
      }
    },
  );

  test.each([{ enabled: true }, { enabled: true, frequency_minutes: null }])('%j: no frequency', async (body) => {
    const answer = await put(await created(), body);
    expect([answer.status, answer.body.error.code]).toEqual([422, 'schedule_invalid_frequency']);
  });

  test.each([{}, { enabled: 'true', frequency_minutes: 60 }, { ...hourly, x: 1 }])('%j: 422', async (body) => {
    const answer = await put(await created(), body);
    expect([answer.status, answer.body.error.code]).toEqual([422, 'validation_error']);
  });

  test('an access token: 403 with the decided words', async () => {
    const answer = await put(await created(), hourly, world.callers['access-token']);
    expect([answer.status, answer.body]).toEqual([
      403,
      { error: { code: 'forbidden', message: 'OAuth access tokens cannot perform this action' } },
    ]);
  });

  test('an unknown, foreign or malformed id: the same 404', async () => {
    const id = await created();
    const { key } = await callersOf('22222222-2222-4222-8222-222222222222');
    const foreign = await put(id, hourly, key);
    expect([foreign.status, foreign.body.error.code]).toEqual([404, 'connection_not_found']);
    expect((await put('x', hourly)).text).toBe(foreign.text);
    expect((await put('33333333-3333-4333-8333-333333333333', hourly)).text).toBe(foreign.text);
  });
});

describe('disabling, enabling, deleting', () => {
  test('a disabled connection has no firing but keeps the setting, which restarts one period later', async () => {
    const id = await created();
    await put(id, hourly);
    await world.api.update(id, { enabled: false });
    expect(held(id)).toBeUndefined();
    expect((await world.api.get(id)).body.data).toMatchObject({
      status: 'disabled',
      sync_schedule_enabled: true,
      sync_frequency_minutes: 60,
      next_scheduled_sync_at: null,
    });
    expect((await put(id, { enabled: true, frequency_minutes: 360 })).body.data).toEqual({
      enabled: true,
      frequency_minutes: 360,
      next_scheduled_sync_at: null,
    });
    expect(held(id)).toBeUndefined();
    world.clockMs += 10 * HOUR_MS;
    // The session of ten hours ago has expired.
    const enabled = await connectionApi((await callersOf(OURS)).session).update(id, { enabled: true });
    expect(enabled.body.data.next_scheduled_sync_at).toBe(firing(id, '2026-11-06T04:00:00.000Z'));
    expect(held(id)?.StartDate).toEqual(new Date(firing(id, '2026-11-06T04:00:00.000Z')));
  });

  test('sending what is so already changes no firing', async () => {
    const id = await created();
    await put(id, hourly);
    world.clockMs += 10_000;
    const answer = await world.api.update(id, { enabled: true, name: 'Other' });
    expect(answer.body.data.next_scheduled_sync_at).toBe(firing(id, '2026-11-05T13:00:00.000Z'));
    expect(revisionHeld(id)).toBe(1);
  });

  test('a deleted connection leaves no schedule', async () => {
    const id = await created();
    await put(id, hourly);
    await world.api.remove(id);
    expect(world.scheduler.held.size).toBe(0);
  });

  test('changes at the same time all count', async () => {
    const id = await created();
    await put(id, hourly);
    await Promise.all([
      put(id, { enabled: true, frequency_minutes: 720 }),
      world.api.update(id, { enabled: false }),
      world.api.update(id, { name: 'Renamed' }),
      put(id, { enabled: true, frequency_minutes: 720 }),
    ]);
    const connection = await stored(id);
    expect(connection).toMatchObject({ name: 'Renamed', status: 'disabled' });
    expect(connection.schedule).toMatchObject({ enabled: true, frequencyMinutes: 720 });
    expect(held(id)).toBeUndefined();
  });
});
