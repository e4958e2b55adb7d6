/** A heartbeat renews the lease while its worker works, and stops the worker in time. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { OutOfTime, startHeartbeat } from '#shared/sync/task/heartbeat.ts';
import type { SyncTask } from '#shared/sync/task/task.rules.ts';
import { type Lease, LeaseLost } from '#shared/table/lease.ts';

const renew = vi.hoisted(() => vi.fn());
vi.mock('#shared/sync/task/lease.store.ts', async (original) => ({ ...(await original<object>()), renew }));

const lease = { fence: 1 } as Lease;
const task = { generation: 2 } as SyncTask;
const HOUR_MS = 3_600_000;

beforeEach(() => {
  vi.useFakeTimers();
  renew.mockReset().mockResolvedValue(undefined);
});
afterEach(() => vi.useRealTimers());

test('the lease is renewed again and again, until it is stopped', async () => {
  const heartbeat = startHeartbeat(lease, task, HOUR_MS);
  await vi.advanceTimersByTimeAsync(3 * SYNC_LIMITS.leaseRenewMs);
  expect(renew.mock.calls).toEqual([
    [lease, task],
    [lease, task],
    [lease, task],
  ]);
  heartbeat.stop();
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(renew).toHaveBeenCalledTimes(3);
  expect(heartbeat.signal.aborted).toBe(false);
});

test('a lease that cannot be renewed stops the work', async () => {
  renew.mockRejectedValue(new Error('the table is away'));
  const heartbeat = startHeartbeat(lease, task, HOUR_MS);
  await vi.advanceTimersByTimeAsync(SYNC_LIMITS.leaseRenewMs - 1);
  expect(heartbeat.signal.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(heartbeat.signal.reason).toBeInstanceOf(LeaseLost);
  heartbeat.stop();
});

test('an invocation that is nearly over stops the work, with time left to hand it over', async () => {
  const heartbeat = startHeartbeat(lease, task, HOUR_MS);
  await vi.advanceTimersByTimeAsync(HOUR_MS - SYNC_LIMITS.invocationMarginMs - 1);
  expect(heartbeat.signal.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(heartbeat.signal.reason).toBeInstanceOf(OutOfTime);
  heartbeat.stop();
});
