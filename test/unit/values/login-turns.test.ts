/**
 * Turns of a login: no window ever has more calls than allowed, over all callers, and no caller waits longer than
 * needed.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LoginTurns, type Pace, paceOfSession } from '#shared/values/login-turns.ts';
import { runs } from '#test/helpers/effort.ts';

const T0 = Date.parse('2026-11-20T15:00:00Z');
const TAX: Pace = { callDelayMs: 2_000, callsMax: 100, windowMs: 600_000 };
const LEASE_MS = 60_000;

const callFor = (turns: LoginTurns, fromMs: number, calls: number, wire = 'calls'): number[] => {
  const made: number[] = [];
  let nowMs = fromMs;
  for (let n = 0; n < calls; n++) {
    nowMs = turns.next(wire, nowMs);
    turns.count(wire, nowMs);
    made.push(nowMs);
  }
  return made;
};

test('the tax authority: 98 calls two seconds apart, then the rest of ten minutes', () => {
  const made = callFor(new LoginTurns(TAX), T0, 99);
  expect(made.slice(0, 3)).toEqual([T0, T0 + 2_000, T0 + 4_000]);
  expect(made[97]).toBe(T0 + 97 * 2_000);
  // All calls in a twentieth of the window count as made at its end.
  expect(made[98]! - T0).toBeGreaterThan(600_000);
  expect(made[98]! - T0).toBeLessThanOrEqual(630_000);
});

test('the last two calls of a window are left to those who leave', () => {
  const turns = new LoginTurns(TAX);
  const lastMs = callFor(turns, T0, 98).at(-1)!;
  expect(turns.next('calls', lastMs)).toBeGreaterThan(lastMs + 300_000);
  expect(turns.next('calls', lastMs, { isLast: true })).toBe(lastMs + 2_000);
});

test('a login begins where its calls fit into the window, and not before', () => {
  const turns = new LoginTurns(TAX);
  const lastMs = callFor(turns, T0, 88).at(-1)!;
  const begunMs = turns.next('calls', lastMs, { isLogin: true });
  expect(turns.next('calls', lastMs)).toBe(lastMs + 2_000);
  expect(begunMs).toBeGreaterThan(lastMs + 300_000);
  const login = callFor(turns, begunMs, 10);
  expect(login.at(-1)! - login[0]!).toBe(9 * 2_000);
});

test('without a pace every turn is now, and nothing is stored', () => {
  const turns = new LoginTurns({ callDelayMs: 0, callsMax: 0, windowMs: 0 });
  expect(callFor(turns, T0, 3)).toEqual([T0, T0, T0]);
  turns.countUnknown(T0, LEASE_MS);
  expect(turns.toStored(T0)).toEqual({});
});

test('two wires are counted apart, a dead worker’s calls on both', () => {
  const turns = new LoginTurns({ callDelayMs: 0, callsMax: 3, windowMs: 60_000 });
  callFor(turns, T0, 3, 'api');
  expect(turns.next('api', T0)).toBeGreaterThan(T0);
  expect(turns.next('web', T0)).toBe(T0);
  turns.countUnknown(T0, LEASE_MS);
  expect(turns.next('web', T0)).toBeGreaterThan(T0);
});

test('a minute at two seconds a call is thirty calls at most', () => {
  const turns = new LoginTurns(TAX);
  turns.countUnknown(T0, LEASE_MS);
  expect(callFor(turns, T0 + LEASE_MS, 68).at(-1)).toBeLessThan(T0 + 300_000);
});

test('sessions that do not know of each other share the window', () => {
  expect(paceOfSession({ callDelayMs: 0, callsMax: 50, windowMs: 60_000 }, 5).callsMax).toBe(10);
  expect(paceOfSession({ callDelayMs: 0, callsMax: 3, windowMs: 60_000 }, 5).callsMax).toBe(1);
  expect(paceOfSession({ callDelayMs: 0, callsMax: 0, windowMs: 0 }, 5).callsMax).toBe(0);
});

test('what is stored does not grow with the calls, and ends with the window', () => {
  const turns = new LoginTurns({ callDelayMs: 1, callsMax: 9_500, windowMs: 86_400_000 });
  const lastMs = callFor(turns, T0, 5_000).at(-1)!;
  expect(JSON.stringify(turns.toStored(lastMs)).length).toBeLessThan(900);
  expect(turns.toStored(lastMs + 2 * 86_400_000)).toEqual({});
});

describe('under any faults of its workers', () => {
  const pace = fc.record({
    callDelayMs: fc.constantFrom(0, 1, 700, 2_000),
    callsMax: fc.integer({ min: 1, max: 40 }),
    windowMs: fc.constantFrom(20, 60_000, 600_000),
  });
  const act = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ kind: fc.constant('call' as const), pauseMs: fc.integer({ min: 0, max: 5_000 }) }),
    },
    { weight: 1, arbitrary: fc.constant({ kind: 'handover' as const }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'death' as const }) },
  );

  test('calls keep their distance, and no window has more than it may', () => {
    fc.assert(
      fc.property(pace, fc.array(act, { maxLength: 120 }), (of, acts) => {
        const made: number[] = [];
        let nowMs = T0;
        let stored = {};
        let renewedMs = T0;
        let turns = new LoginTurns(of);
        for (const one of acts) {
          // A living worker renews its lease, and stores its calls with it.
          if (nowMs - renewedMs >= LEASE_MS) {
            stored = turns.toStored(nowMs);
            renewedMs = nowMs;
          }
          if (one.kind === 'call') {
            const turnMs = turns.next('calls', nowMs + one.pauseMs);
            if (turnMs - renewedMs >= LEASE_MS) {
              stored = turns.toStored(turnMs);
              renewedMs = turnMs;
            }
            nowMs = turnMs;
            turns.count('calls', nowMs);
            made.push(nowMs);
          } else if (one.kind === 'handover') {
            stored = JSON.parse(JSON.stringify(turns.toStored(nowMs)));
            turns = new LoginTurns(of, stored);
          } else {
            const expiresAtMs = renewedMs + LEASE_MS;
            turns = new LoginTurns(of, stored);
            turns.countUnknown(expiresAtMs, LEASE_MS);
            nowMs = Math.max(nowMs, expiresAtMs);
            stored = turns.toStored(nowMs);
            renewedMs = nowMs;
          }
        }
        for (const [n, atMs] of made.entries()) {
          if (n > 0) expect(atMs - made[n - 1]!).toBeGreaterThanOrEqual(of.callDelayMs);
          const inWindow = made.filter((other) => other > atMs - of.windowMs && other <= atMs);
          expect(inWindow.length).toBeLessThanOrEqual(of.callsMax);
        }
      }),
      { numRuns: runs(300) },
    );
  });

  test('nobody waits for longer than a window, its twentieth and the distance', () => {
    fc.assert(
      fc.property(pace, fc.integer({ min: 1, max: 100 }), (of, calls) => {
        const made = callFor(new LoginTurns(of), T0, calls);
        for (const [n, atMs] of made.entries())
          if (n > 0) expect(atMs - made[n - 1]!).toBeLessThanOrEqual(of.windowMs * 1.05 + of.callDelayMs + 1);
      }),
      { numRuns: runs(100) },
    );
  });
});
