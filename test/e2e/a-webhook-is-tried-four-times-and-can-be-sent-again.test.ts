/** Retries over two and a half hours of virtual time: at once, after 60 s, 30 min and 2 h. */
import { beforeAll, expect, test } from 'vitest';
import { until } from '#test/helpers/e2e-integrator.ts';
import { useSharedStack } from '#test/helpers/e2e-stack.ts';
import type { InboxItem } from '#tools/local/inbox.ts';

const DELAYS_MS = [60_000, 1_800_000, 7_200_000];
/** The queue delays by whole seconds, rounded up. */
const QUEUE_LATE_MS_MAX = 1_000;
/** Time jumps to shortly before an attempt, and then moves in steps. */
const BEFORE_MS = 10_000;
const STEP_MS = 5_000;

const stage = useSharedStack();
let connectionId: string;
let endpoint: { id: string; secret: string };

beforeAll(async () => {
  endpoint = await stage.api.subscribe();
  stage.secrets.add(endpoint.secret);
  connectionId = await stage.api.connect({ rut: '70000005-2', password: 'clave-de-prueba' });
});

const finish = async (): Promise<string> => {
  const { api, doors } = stage;
  return (await api.finished(connectionId, await api.sync(connectionId), doors.jump)).id;
};

/** The delivery as the API returns it, after its attempt has ended. */
const deliveryOf = ({ headers }: InboxItem) =>
  until('the end of the attempt', async () => {
    const deliveries: Record<string, unknown>[] = await stage.api.get(`/webhooks/${endpoint.id}/deliveries`);
    const found = deliveries.find(({ id }) => id === headers['webhook-id']);
    return found !== undefined && found.status !== 'delivering' && found;
  });

const at = ({ received_at }: InboxItem): number => Date.parse(received_at);

/** Moves time to the next attempt and returns all attempts so far. */
const nextAttempt = async (runId: string, delayMs: number): Promise<InboxItem[]> => {
  const { doors } = stage;
  const before = await doors.received(runId);
  const soonMs = at(before.at(-1)!) + delayMs - BEFORE_MS - (await doors.nowMs());
  if (soonMs > 0) await doors.advance(soonMs);
  return until(
    'the next attempt',
    async () => {
      const received = await doors.received(runId);
      return received.length > before.length && received;
    },
    () => doors.walk(STEP_MS),
  );
};

/** All four attempts of a run's webhook, the first `failures` refused. */
const attempts = async (failures: number, status: number): Promise<InboxItem[]> => {
  const { doors } = stage;
  await doors.failNext(failures, status);
  let sinceMs = performance.now();
  const runId = await finish();
  let received = [await doors.webhookOf(runId)];
  for (const [n, delayMs] of DELAYS_MS.entries()) {
    expect(await deliveryOf(received[0]!)).toMatchObject({
      status: 'pending',
      attempts: n + 1,
      response_status: status,
    });
    const askedMs = performance.now();
    received = await nextAttempt(runId, delayMs);
    expect(received).toHaveLength(n + 2);
    const waitedMs = at(received[n + 1]!) - at(received[n]!);
    expect(waitedMs).toBeGreaterThanOrEqual(delayMs);
    // Virtual time also moves with this machine's clock, so the machine's time does not count as lateness.
    const machineMs = performance.now() - sinceMs;
    expect(waitedMs).toBeLessThanOrEqual(delayMs + QUEUE_LATE_MS_MAX + STEP_MS + machineMs);
    sinceMs = askedMs;
  }
  return received;
};

test('three failures, then delivered: on time, the same id and bytes, each with a new signature', async () => {
  const received = await attempts(3, 500);
  const distinct = (what: (item: InboxItem) => unknown) => new Set(received.map(what)).size;
  expect(distinct(({ headers }) => headers['webhook-id'])).toBe(1);
  expect(distinct(({ body }) => body)).toBe(1);
  expect(distinct(({ headers }) => headers['webhook-timestamp'])).toBe(4);
  expect(distinct(({ headers }) => headers['webhook-signature'])).toBe(4);
  expect(received.map(({ verified, answered }) => [verified, answered])).toEqual([
    [true, 500],
    [true, 500],
    [true, 500],
    [true, 204],
  ]);
  const delivery = await deliveryOf(received[0]!);
  expect(delivery).toMatchObject({ status: 'delivered', attempts: 4, response_status: 204, error: null });
  const path = `/webhooks/${endpoint.id}/deliveries/${delivery.id}/resend`;
  const again = await stage.api.call('POST', path);
  expect([again.status, again.body.error.code]).toEqual([409, 'webhook_delivery_not_failed']);
});

test('a fourth failure is the end, until somebody sends it again', async () => {
  const { api, doors } = stage;
  const received = await attempts(4, 410);
  const failed = await deliveryOf(received[0]!);
  expect(failed).toMatchObject({ status: 'failed', attempts: 4, response_status: 410 });
  expect(failed.error).toEqual(expect.any(String));
  await doors.advance(3 * 7_200_000);
  await doors.walk(120_000);
  const runId = JSON.parse(received[0]!.body).data.syncRunId;
  expect(await doors.received(runId)).toHaveLength(4);

  const path = `/webhooks/${endpoint.id}/deliveries/${failed.id}/resend`;
  expect((await api.must(202, 'POST', path)).data).toMatchObject({ id: failed.id, status: 'pending' });
  const fifth = await until('the resend', async () => (await doors.received(runId))[4]);
  expect(fifth).toMatchObject({ verified: true, answered: 204, body: received[0]!.body });
  expect(fifth.headers['webhook-id']).toBe(failed.id);
  expect(await deliveryOf(fifth)).toMatchObject({ status: 'delivered', attempts: 5, response_status: 204 });
});
