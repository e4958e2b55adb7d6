/** The state of an endpoint follows from its deliveries, not only from its switch. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeEndpoint as judge } from '../../../dashboard/src/webhooks/endpoint-state.ts';

const NOON = Date.parse('2026-11-22T12:00:00.000Z');
const at = (minutes: number): string => new Date(NOON - minutes * 60_000).toISOString();
const enabled = (last_success_at: string | null = null) => ({ enabled: true, last_success_at });
const tried = (minutes: number) => ({ test: false, created_at: at(minutes), last_attempt_at: at(minutes) });
const delivered = (minutes: number) => ({ status: 'delivered', error: null, ...tried(minutes) }) as const;
const failed = (minutes: number) => ({ status: 'failed', error: 'answered 500', ...tried(minutes) }) as const;
const waiting = (minutes: number) => ({ status: 'pending', error: 'answered 500', ...tried(minutes) }) as const;
const underWay = (minutes: number) => ({ status: 'delivering', error: null, ...tried(minutes) }) as const;
const untried = (minutes: number) =>
  ({ test: false, status: 'pending', error: null, created_at: at(minutes), last_attempt_at: null }) as const;
const DAY = 1_440;

const stateOf = (endpoint: Parameters<typeof judge>[0], deliveries: Parameters<typeof judge>[1]) =>
  judge(endpoint, deliveries, NOON);

describe('stateOf', () => {
  it('claims no more than is known', () => {
    expect(stateOf({ enabled: false, last_success_at: at(0) }, [delivered(0)])).toBe('disabled');
    expect(stateOf(enabled(at(0)), undefined)).toBe('enabled');
    expect(stateOf(enabled(), [])).toBe('unused');
    expect(stateOf(enabled(), [untried(0)])).toBe('unused');
    expect(stateOf(enabled(), [underWay(0)])).toBe('unused');
  });

  it('works, fails, or does both within the hour before the newest attempt', () => {
    expect(stateOf(enabled(at(0)), [delivered(0), failed(61)])).toBe('working');
    expect(stateOf(enabled(at(61)), [failed(0), failed(59), delivered(61)])).toBe('failing');
    expect(stateOf(enabled(at(59)), [failed(0), delivered(59)])).toBe('unsteady');
    expect(stateOf(enabled(), [waiting(0)])).toBe('failing');
    expect(stateOf(enabled(at(30)), [waiting(0)])).toBe('unsteady');
    expect(stateOf(enabled(at(0)), [])).toBe('working');
  });

  it('does not follow from test deliveries', () => {
    const test = { ...failed(0), test: true };
    expect(stateOf(enabled(), [test])).toBe('unused');
    expect(stateOf(enabled(at(5)), [test, delivered(5)])).toBe('working');
    expect(stateOf(enabled(), [{ ...delivered(0), test: true }, failed(5)])).toBe('failing');
  });

  it('is late when deliveries wait for their first attempt, however well the older ones went', () => {
    const backlog = Array.from({ length: 25 }, () => untried(3));
    expect(stateOf(enabled(at(DAY)), backlog)).toBe('late');
    expect(stateOf(enabled(), backlog)).toBe('late');
    expect(stateOf(enabled(at(0)), [untried(3), delivered(0)])).toBe('late');
    expect(stateOf(enabled(at(DAY)), [...backlog, failed(0)])).toBe('failing');
    expect(stateOf(enabled(at(DAY)), [untried(0), delivered(1)])).toBe('working');
    expect(stateOf(enabled(at(DAY)), [{ ...underWay(0), created_at: at(DAY) }])).toBe('working');
  });

  it('is also late by the service’s time, when the clock of the browser is behind', () => {
    expect(judge(enabled(at(DAY)), [untried(0), untried(3)], NOON - 3_600_000)).toBe('late');
    expect(judge(enabled(at(0)), [untried(3)], 0)).toBe('late');
  });

  it('never looks active while a delivery waits too long', () => {
    void fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(delivered, failed, waiting, untried), fc.integer({ min: 0, max: 200 }))),
        fc.integer({ min: 2, max: 200 }),
        fc.option(fc.integer({ min: 0, max: DAY })),
        (others, minutes, success) => {
          const deliveries = [...others.map(([make, ago]) => make(ago)), untried(minutes)];
          const state = stateOf(enabled(success === null ? null : at(success)), deliveries);
          expect(['late', 'unsteady', 'failing']).toContain(state);
        },
      ),
    );
  });

  it('never looks active when the last hour has a failure', () => {
    void fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(delivered, failed, waiting), fc.integer({ min: 0, max: 200 }))),
        fc.integer({ min: 0, max: 59 }),
        (others, minutes) => {
          const state = stateOf(enabled(), [...others.map(([make, ago]) => make(ago)), waiting(minutes), delivered(0)]);
          expect(state).toBe('unsteady');
        },
      ),
    );
  });
});
