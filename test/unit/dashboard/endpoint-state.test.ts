/** An endpoint looks like what its deliveries say, not like its switch. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stateOf } from '../../../dashboard/src/webhooks/endpoint-state.ts';

const NOON = Date.parse('2026-11-22T12:00:00.000Z');
const at = (minutes: number): string => new Date(NOON - minutes * 60_000).toISOString();
const enabled = (last_success_at: string | null = null) => ({ enabled: true, last_success_at });
const delivered = (minutes: number) => ({ status: 'delivered', error: null, last_attempt_at: at(minutes) }) as const;
const failed = (minutes: number) =>
  ({ status: 'failed', error: 'answered 500', last_attempt_at: at(minutes) }) as const;
const waiting = (minutes: number) =>
  ({ status: 'pending', error: 'answered 500', last_attempt_at: at(minutes) }) as const;
const UNTRIED = { status: 'pending', error: null, last_attempt_at: null } as const;

describe('stateOf', () => {
  it('claims no more than is known', () => {
    expect(stateOf({ enabled: false, last_success_at: at(0) }, [delivered(0)])).toBe('disabled');
    expect(stateOf(enabled(at(0)), undefined)).toBe('enabled');
    expect(stateOf(enabled(), [])).toBe('unused');
    expect(stateOf(enabled(), [UNTRIED])).toBe('unused');
    expect(stateOf(enabled(), [{ status: 'delivering', error: null, last_attempt_at: at(0) }])).toBe('unused');
  });

  it('works, fails, or does both within the hour before the newest attempt', () => {
    expect(stateOf(enabled(at(0)), [delivered(0), failed(61)])).toBe('working');
    expect(stateOf(enabled(at(61)), [failed(0), failed(59), delivered(61)])).toBe('failing');
    expect(stateOf(enabled(at(59)), [failed(0), delivered(59)])).toBe('unsteady');
    expect(stateOf(enabled(), [waiting(0)])).toBe('failing');
    expect(stateOf(enabled(at(30)), [waiting(0)])).toBe('unsteady');
    expect(stateOf(enabled(at(0)), [])).toBe('working');
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
