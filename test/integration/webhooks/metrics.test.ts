/** What CloudWatch receives about webhook attempts: how they ended and how late they left, never whose they were. */
import { beforeEach, expect, test, vi } from 'vitest';
import { captureLog } from '#test/helpers/log-lines.ts';
import { organization, receiver, script, useScriptedReceiver, world } from './scripted-receiver.ts';
import { createEndpoint, endRun, receive, takeNext } from './world.ts';

useScriptedReceiver();
beforeEach(() => {
  vi.stubEnv('POWERTOOLS_METRICS_DISABLED', 'false');
});

/** Attempts the next delivery `lateMs` after its due time. */
const attempt = async (lateMs: number): Promise<{ metrics: Record<string, unknown>[]; text: string }> => {
  const message = takeNext(world)!;
  world.clock.ms += lateMs;
  const captured = captureLog();
  await receive(message.body);
  const text = captured.text();
  vi.restoreAllMocks();
  const lines = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  return { metrics: lines.map(({ _aws, service, ...metric }) => metric), text };
};

test('an attempt reports how late it left and how it ended', async () => {
  const endpoint = await createEndpoint(organization, receiver.url);
  await endRun(organization);
  script.status = 500;
  const first = await attempt(0);
  expect(first.metrics).toEqual([{ DeliveryLag: 0 }, { outcome: 'http', WebhookAttempts: 1 }]);
  script.status = 204;
  const second = await attempt(42_000);
  expect(second.metrics).toEqual([{ DeliveryLag: 42_000 }, { outcome: 'delivered', WebhookAttempts: 1 }]);
  for (const id of [organization.id, endpoint.id, endpoint.secret]) expect(first.text + second.text).not.toContain(id);
});

test('a message that waits for its time reports nothing', async () => {
  await createEndpoint(organization, receiver.url);
  await endRun(organization);
  script.status = 500;
  await attempt(0);
  const [retry] = world.queue;
  const captured = captureLog();
  await receive(retry!.body);
  expect(captured.text()).toBe('');
});
