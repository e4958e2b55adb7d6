import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AttemptResult,
  claim,
  countsAsFailed,
  type Delivery,
  type DeliveryAttempt,
  type DeliverySchedule,
  interrupt,
  NoSuchMove,
  newDelivery,
  postpone,
  resend,
  settle,
  stop,
  untilDueMs,
} from '#shared/webhooks/delivery.rules.ts';

const SCHEDULE: DeliverySchedule = {
  attemptsMax: 4,
  retryDelaysMs: [60_000, 1_800_000, 7_200_000],
  claimMs: 60_000,
  graceMs: 60_000,
};
const START_MS = Date.parse('2026-11-02T12:00:00.000Z');
const NAMED = {
  organizationId: 'o',
  endpointId: 'e',
  id: 'd',
  eventId: 'v',
  eventType: 'sync.succeeded',
} as const;

const fresh = (): Delivery => newDelivery(NAMED, START_MS, SCHEDULE);
const failure: AttemptResult = { ok: false, failure: 'http', status: 500, error: 'answered 500' };
const success: AttemptResult = { ok: true, status: 200 };

const attemptAt = (atMs: number): DeliveryAttempt => ({ id: `attempt at ${atMs}`, atMs });

/** One attempt: how late it begins, how long it takes, how it ends. */
const attempt = fc.record({
  lateMs: fc.nat(5_000_000),
  tookMs: fc.nat(20_000),
  generationsWaiting: fc.nat(4),
  end: fc.constantFrom('success', 'failure', 'crash' as const),
});
type Play = typeof attempt extends fc.Arbitrary<infer T> ? T : never;

interface Story {
  delivery: Delivery;
  generations: number[];
  calls: { beganMs: number; endedMs: number; dueMs: number }[];
}

/** Plays attempts one after the other until the delivery ends. */
const play = (attempts: readonly Play[], begin: Delivery = fresh(), fromMs = START_MS): Story => {
  let delivery = begin;
  let nowMs = fromMs;
  const story: Story = { delivery, generations: [delivery.generation], calls: [] };
  const go = (next: Delivery) => {
    delivery = next;
    story.generations.push(next.generation);
  };
  for (const { lateMs, tookMs, generationsWaiting, end } of attempts) {
    if (delivery.status !== 'pending') break;
    for (let step = 0; step < generationsWaiting; step++) go(postpone(delivery, Date.parse(delivery.nextCheckAt!)));
    const dueMs = Date.parse(delivery.dueAt!);
    nowMs = Math.max(nowMs, dueMs) + lateMs;
    const beganMs = nowMs;
    go(claim(delivery, attemptAt(nowMs), SCHEDULE));
    nowMs += end === 'crash' ? SCHEDULE.claimMs + lateMs : tookMs;
    const ended =
      end === 'crash'
        ? interrupt(delivery, nowMs, SCHEDULE)
        : settle(delivery, end === 'success' ? success : failure, nowMs, SCHEDULE);
    go(ended);
    story.calls.push({ beganMs, endedMs: nowMs, dueMs });
  }
  return { ...story, delivery };
};

const attempts = fc.array(attempt, { minLength: 4, maxLength: 8 });

describe('a delivery', () => {
  it('ends, and counts exactly the attempts made', () => {
    fc.assert(
      fc.property(attempts, (list) => {
        const { delivery, calls } = play(list);
        const firstSuccess = list.findIndex(({ end }) => end === 'success');
        const wanted = firstSuccess >= 0 && firstSuccess < 4 ? 'delivered' : 'failed';
        expect(delivery.status).toBe(wanted);
        expect(delivery.attempts).toBe(calls.length);
        expect(delivery.attempts).toBe(wanted === 'delivered' ? firstSuccess + 1 : 4);
        expect([delivery.dueAt, delivery.nextCheckAt]).toEqual([null, null]);
      }),
    );
  });

  it('never begins early: each delay runs from the end of the failed attempt', () => {
    fc.assert(
      fc.property(attempts, (list) => {
        const { calls } = play(list);
        expect(calls[0]!.dueMs).toBe(START_MS);
        for (let n = 1; n < calls.length; n++) {
          expect(calls[n]!.dueMs).toBe(calls[n - 1]!.endedMs + SCHEDULE.retryDelaysMs[n - 1]!);
          expect(calls[n]!.beganMs).toBeGreaterThanOrEqual(calls[n]!.dueMs);
        }
      }),
    );
  });

  it('raises its generation with every move, so that an older message is stale for ever', () => {
    fc.assert(
      fc.property(attempts, (list) => {
        const { generations } = play(list);
        for (let n = 1; n < generations.length; n++) expect(generations[n]).toBe(generations[n - 1]! + 1);
      }),
    );
  });

  it('always has a time to be looked at until it has ended', () => {
    fc.assert(
      fc.property(attempts, fc.nat(8), (list, cut) => {
        const { delivery } = play(list.slice(0, cut));
        const hasEnded = delivery.status === 'delivered' || delivery.status === 'failed';
        expect(delivery.nextCheckAt === null).toBe(hasEnded);
      }),
    );
  });

  it('is resent once, without retries and without counting', () => {
    fc.assert(
      fc.property(attempts, attempt, fc.nat(1_000_000), (list, again, laterMs) => {
        const { delivery } = play(list.map((each) => ({ ...each, end: 'failure' as const })));
        expect(countsAsFailed(delivery)).toBe(true);
        const nowMs = START_MS + 10 ** 8 + laterMs;
        const pending = resend(delivery, nowMs, SCHEDULE);
        expect(untilDueMs(pending, nowMs)).toBe(0);
        const after = play([again, again], pending, nowMs).delivery;
        expect(after.attempts).toBe(5);
        expect(after.status).toBe(again.end === 'success' ? 'delivered' : 'failed');
        expect(countsAsFailed(after)).toBe(false);
      }),
    );
  });

  it('is resent once even if it had attempts left', () => {
    const stopped = stop(
      play([{ lateMs: 0, tookMs: 1, generationsWaiting: 0, end: 'failure' }]).delivery,
      'endpoint disabled',
    );
    expect(stopped).toMatchObject({ status: 'failed', attempts: 1, error: 'endpoint disabled', dueAt: null });
    expect(countsAsFailed(stopped)).toBe(false);
    const again = claim(resend(stopped, START_MS, SCHEDULE), attemptAt(START_MS), SCHEDULE);
    expect(settle(again, failure, START_MS, SCHEDULE)).toMatchObject({ status: 'failed', attempts: 2 });
  });

  it('reports only the last attempt', () => {
    const first = claim(fresh(), attemptAt(START_MS), SCHEDULE);
    expect(first).toMatchObject({ status: 'delivering', attempts: 1, responseStatus: null, error: null });
    const failed = settle(first, failure, START_MS + 5, SCHEDULE);
    expect(failed).toMatchObject({ status: 'pending', responseStatus: 500, error: 'answered 500', failure: 'http' });
    const second = claim(failed, attemptAt(START_MS + 60_005), SCHEDULE);
    expect(second).toMatchObject({ attempts: 2, responseStatus: null, error: null });
    const delivered = settle(second, success, START_MS + 60_006, SCHEDULE);
    expect(delivered).toMatchObject({ status: 'delivered', responseStatus: 200, error: null, failure: null });
  });

  it('refuses moves that its state does not have', () => {
    const pending = fresh();
    const delivering = claim(pending, attemptAt(START_MS), SCHEDULE);
    const delivered = settle(delivering, success, START_MS, SCHEDULE);
    expect(() => claim(pending, attemptAt(START_MS - 1), SCHEDULE)).toThrow(NoSuchMove);
    expect(() => claim(delivering, attemptAt(START_MS), SCHEDULE)).toThrow(NoSuchMove);
    expect(() => settle(pending, success, START_MS, SCHEDULE)).toThrow(NoSuchMove);
    expect(() => resend(delivered, START_MS, SCHEDULE)).toThrow(NoSuchMove);
    expect(() => stop(delivered, 'why')).toThrow(NoSuchMove);
    expect(() => postpone(delivering, START_MS)).toThrow(NoSuchMove);
    expect(() => interrupt(delivering, START_MS + SCHEDULE.claimMs - 1, SCHEDULE)).toThrow(NoSuchMove);
  });
});
