import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildOutcome, newTask, type SyncTask } from '#shared/sync/task/task.rules.ts';
import {
  daysBetween,
  plannedTenders,
  planTenders,
  type TenderTask,
  tenderDone,
  tenderGivenUp,
} from '#shared/tenders/tender-task.rules.ts';

const upper = (asked: string): string | null => (/^[\w-]+$/.test(asked) ? asked.toUpperCase() : null);
const CODES = ['1-1-LE26', '1-2-LE26', '1-3-LE26'];

const outcome = (tenders: TenderTask | null, failure: Parameters<typeof buildOutcome>[2] = null) => {
  const ids = { organizationId: 'o', connectionId: 'c', runId: 'r', source: 'procurement', scope: 'ofertas' };
  const task: SyncTask = { ...newTask(ids, 0), firstLeasedAt: '2026-11-21T10:00:00.000Z', tenders };
  return buildOutcome(task, Date.parse('2026-11-21T10:00:05.000Z'), failure);
};

describe('the plan', () => {
  test('has every code once, in upper case, up to the limit; the rest is counted', () => {
    expect(planTenders(['a-1', 'B-2', 'A-1', 'ñ!', 'c-3', 'ñ!'], 2, upper)).toEqual({
      codigos: ['A-1', 'B-2'],
      more: 1,
      invalid: ['ñ!'],
    });
  });

  test('days are all of them, over the end of a month and a change of the clocks', () => {
    expect(daysBetween('2026-08-30', '2026-09-07')).toHaveLength(9);
    expect(daysBetween('2026-02-27', '2026-03-01')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
    expect(daysBetween('2026-09-06', '2026-09-06')).toEqual(['2026-09-06']);
  });
});

describe('the outcome', () => {
  test('of a scope that was not planned, or not finished, is never ok', () => {
    expect(outcome(null).status).toBe('failed');
    expect(outcome(plannedTenders(CODES)).status).toBe('failed');
    const begun = tenderDone(plannedTenders(CODES), CODES[0]!, { found: 2, created: 1, updated: 1 });
    expect(outcome(begun)).toMatchObject({ status: 'partial', errorCode: 'sync.internal_error', recordsFound: 2 });
  });

  test('of a scope without tenders is ok', () => {
    expect(outcome(plannedTenders([]))).toMatchObject({ status: 'ok', recordsFound: 0, period: null, periods: [] });
  });

  test('sums what was done; the first that was given up is reported', () => {
    const given = fc.array(fc.record({ found: fc.nat(9), created: fc.nat(9), updated: fc.nat(9), ok: fc.boolean() }));
    fc.assert(
      fc.property(given, (steps) => {
        const codes = steps.map((_, n) => `1-${n}-LE26`);
        let task = plannedTenders(codes);
        for (const [n, { ok, ...counts }] of steps.entries())
          task = ok
            ? tenderDone(task, codes[n]!, counts)
            : tenderGivenUp(task, codes[n]!, 'source.unexpected_response', `tender ${n}`);
        const clean = steps.filter(({ ok }) => ok);
        const first = steps.findIndex(({ ok }) => !ok);
        expect(outcome(task)).toMatchObject({
          status: first < 0 ? 'ok' : clean.length > 0 ? 'partial' : 'failed',
          recordsFound: clean.reduce((sum, { found }) => sum + found, 0),
          recordsCreated: clean.reduce((sum, { created }) => sum + created, 0),
          recordsUpdated: clean.reduce((sum, { updated }) => sum + updated, 0),
          errorCode: first < 0 ? null : 'source.unexpected_response',
          errorMessage: first < 0 ? null : expect.stringMatching(new RegExp(`^ofertas, .+: tender ${first}$`)),
        });
      }),
    );
  });
});
