/** The attempts that a delivery shows. */
import { describe, expect, it } from 'vitest';
import { contract as getContract } from '#functions/api/webhooks/get-webhook-delivery/contract.ts';
import { handler as get } from '#functions/api/webhooks/get-webhook-delivery/handler.ts';
import { newId } from '#shared/platform/ids.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { deliveryMessage, resend } from '#shared/webhooks/delivery.rules.ts';
import * as deliveries from '#shared/webhooks/delivery.store.ts';
import { WEBHOOK_LIMITS } from '#shared/webhooks/limits.ts';
import { tableCallsOf } from '#test/bench/table-calls.ts';
import { startTable } from '#test/helpers/dynamo.ts';
import { call } from '#test/helpers/http.ts';
import {
  claimAndDie,
  find,
  organization,
  receiver,
  script,
  storedBody,
  useScriptedReceiver,
  world,
} from './scripted-receiver.ts';
import { createEndpoint, drain, endRun, newOrganization, receive, sweepDeliveries, takeNext } from './world.ts';

useScriptedReceiver(startTable);

const ask = (id: string, deliveryId: string) =>
  call(getContract, get, { headers: organization.headers, params: { id, deliveryId } });
const read = async (id: string, deliveryId: string) => (await ask(id, deliveryId)).body.data;

const announced = async () => {
  const { id } = await createEndpoint(organization, receiver.url);
  const [deliveryId] = await endRun(organization);
  return { id, deliveryId: deliveryId! };
};

const at = (ms: number) => new Date(ms).toISOString();

/** A worker dies within its attempt, and the sweeper finds it. */
const dieAndSweep = async (id: string, deliveryId: string) => {
  const startedMs = world.clock.ms;
  await claimAndDie(id, deliveryId);
  world.clock.ms += WEBHOOK_LIMITS.webhookClaimMs;
  expect(await sweepDeliveries(organization)).toBe(1);
  return startedMs;
};

describe('get-webhook-delivery', () => {
  it('shows the body as it is sent, the headers without the signature, and when the next attempt is due', async () => {
    script.status = 503;
    const { id, deliveryId } = await announced();
    const waiting = await read(id, deliveryId);
    expect(waiting).toMatchObject({ status: 'pending', next_attempt_at: at(world.clock.ms), attempt_log: [] });
    await receive(takeNext(world)!.body);
    const shown = await read(id, deliveryId);
    expect(shown.next_attempt_at).toBe(at(world.clock.ms + 60_000));
    const [{ headers, body }] = receiver.received as [(typeof receiver.received)[0]];
    expect(Buffer.from(shown.body)).toEqual(body);
    expect(Buffer.from(shown.body)).toEqual(Buffer.from(await storedBody(id, deliveryId)));
    const { host: _, connection: __, 'content-length': ___, 'webhook-signature': signature, ...sent } = headers;
    expect(shown.headers).toEqual(sent);
    expect(JSON.stringify(shown)).not.toContain(signature);
  });

  it('shows every attempt: a refusal, two workers that died, one that is under way, a success', async () => {
    script.status = 500;
    const { id, deliveryId } = await announced();
    const startedMs = [world.clock.ms];
    script.meanwhile = () => {
      world.clock.ms += 120;
    };
    await receive(takeNext(world)!.body);
    for (let n = 0; n < 2; n++) {
      world.clock.ms = takeNext(world)!.visibleMs + 7;
      if (n === 1) world.clock.ms = Math.max(world.clock.ms, Date.parse((await find(id, deliveryId))!.dueAt!));
      startedMs.push(await dieAndSweep(id, deliveryId));
    }
    script.status = 200;
    let underWay: unknown;
    world.queue.splice(0, world.queue.length - 1);
    script.meanwhile = async () => {
      underWay = (await read(id, deliveryId)).attempt_log.at(-1);
      world.clock.ms += 40;
    };
    await drain(world);
    const last = await read(id, deliveryId);
    startedMs.push(Date.parse(last.last_attempt_at));
    const lost = { ended_at: null, status: 'failed', response_status: null, cause: 'interrupted', milliseconds: null };
    const error = 'the attempt was interrupted and its outcome is unknown';
    expect(last.attempt_log).toEqual([
      {
        number: 1,
        started_at: at(startedMs[0]!),
        ended_at: at(startedMs[0]! + 120),
        status: 'failed',
        response_status: 500,
        cause: 'http',
        error: 'answered 500',
        milliseconds: 120,
      },
      { number: 2, started_at: at(startedMs[1]!), ...lost, error },
      { number: 3, started_at: at(startedMs[2]!), ...lost, error },
      {
        number: 4,
        started_at: at(startedMs[3]!),
        ended_at: at(startedMs[3]! + 40),
        status: 'delivered',
        response_status: 200,
        cause: null,
        error: null,
        milliseconds: 40,
      },
    ]);
    expect(underWay).toMatchObject({ number: 4, ended_at: null, status: 'in_progress', milliseconds: null });
    expect(last).toMatchObject({ status: 'delivered', next_attempt_at: null, attempts: 4 });
  });

  it('shows the attempts of a delivery that was stopped and sent again', async () => {
    script.status = 500;
    const { id, deliveryId } = await announced();
    await receive(takeNext(world)!.body);
    await deliveries.stopWaiting(organization.id, id, 'the reason');
    expect(await read(id, deliveryId)).toMatchObject({ error: 'the reason', attempt_log: [{ error: 'answered 500' }] });
    const stopped = (await find(id, deliveryId))!;
    const again = resend(stopped, world.clock.ms, deliveries.SCHEDULE);
    await deliveries.advance(stopped, again);
    await receive(deliveryMessage(again));
    const { attempt_log } = await read(id, deliveryId);
    expect(attempt_log.map(({ number }: { number: number }) => number)).toEqual([1, 2]);
  });

  it('shows the newest ten', async () => {
    script.status = 500;
    const { id, deliveryId } = await announced();
    await drain(world);
    for (let n = 0; n < WEBHOOK_LIMITS.webhookAttemptsShownMax; n++) {
      const failed = (await find(id, deliveryId))!;
      const again = resend(failed, world.clock.ms, deliveries.SCHEDULE);
      await deliveries.advance(failed, again);
      await receive(deliveryMessage(again));
    }
    const { attempts, attempt_log } = await read(id, deliveryId);
    expect(attempts).toBe(14);
    expect(attempt_log.map(({ number }: { number: number }) => number)).toEqual([5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
  });

  it('costs nothing at a first attempt, and one write unit at each later one', async () => {
    script.status = 500;
    const { id, deliveryId } = await announced();
    const counted = async () => {
      const before = (await find(id, deliveryId))!;
      world.clock.ms = Date.parse(before.dueAt!);
      const message = { ...deliveryMessage(before) };
      return tableCallsOf(() => receive(message));
    };
    const first = await counted();
    const second = await counted();
    expect([first.writeUnits, second.writeUnits, second.calls - first.calls]).toEqual([6, 7, 1]);
  });

  it('reads a delivery that an earlier release stored: of its attempts, the last', async () => {
    script.status = 500;
    const { id, deliveryId } = await announced();
    await receive(takeNext(world)!.body);
    await receive(takeNext(world)!.body);
    await table.update(keys.delivery(organization.id, id, deliveryId), { remove: ['took'] });
    await table.remove(keys.webhookAttempt(organization.id, id, deliveryId, 1));
    expect((await read(id, deliveryId)).attempt_log).toMatchObject([
      { number: 2, ended_at: null, status: 'failed', cause: 'http' },
    ]);
  });

  it('knows no other delivery and no other organization', async () => {
    const { id, deliveryId } = await announced();
    const codeOf = async (...path: [string, string]) => (await ask(...path)).body.error.code;
    expect(await codeOf(id, newId())).toBe('webhook_delivery_not_found');
    expect(await codeOf(newId(), deliveryId)).toBe('webhook_endpoint_not_found');
    const other = await newOrganization();
    const { body } = await call(getContract, get, { headers: other.headers, params: { id, deliveryId } });
    expect(body.error.code).toBe('webhook_endpoint_not_found');
  });
});
