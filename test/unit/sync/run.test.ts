import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  chooseEventType,
  eventData,
  freshOutcome,
  isDone,
  mostSevereError,
  type OutcomeStatus,
  type ScopeOutcome,
  type SyncRun,
  sumCounter,
  terminalStatus,
} from '#shared/sync/run.rules.ts';
import { SYNC_ERRORS, type SyncErrorCode } from '#shared/values/sync-errors.ts';

const SCOPES = ['rcv', 'boletas', 'guias'];
const STATUSES: OutcomeStatus[] = ['queued', 'running', 'ok', 'partial', 'failed', 'cancelled'];
const codes = Object.keys(SYNC_ERRORS) as SyncErrorCode[];

const outcome = fc.record({ status: fc.constantFrom(...STATUSES), errorCode: fc.option(fc.constantFrom(...codes)) });
const outcomes = fc
  .tuple(...SCOPES.map(() => fc.option(outcome)))
  .map(
    (list) =>
      Object.fromEntries(
        list.flatMap((given, at) => (given ? [[SCOPES[at]!, { ...freshOutcome(SCOPES[at]!), ...given }]] : [])),
      ) as Record<string, ScopeOutcome>,
  );

describe('terminal status', () => {
  test('succeeded only when every scope has an outcome and each is ok', () => {
    fc.assert(
      fc.property(outcomes, (given) => {
        const allOk = SCOPES.every((scope) => given[scope]?.status === 'ok');
        expect(terminalStatus(SCOPES, given, null) === 'succeeded').toBe(allOk);
      }),
    );
  });

  test('no status while a scope is not done; then failed exactly when nothing came', () => {
    fc.assert(
      fc.property(outcomes, (given) => {
        const status = terminalStatus(SCOPES, given, null);
        const done = SCOPES.every((scope) => isDone(given[scope]));
        expect(status === null).toBe(!done);
        if (!done) return;
        const something = SCOPES.some((scope) => ['ok', 'partial'].includes(given[scope]!.status));
        expect(status === 'failed').toBe(!something);
      }),
    );
  });

  test('cancelled whenever the stamp is there', () => {
    fc.assert(
      fc.property(outcomes, (given) => {
        expect(terminalStatus(SCOPES, given, '2026-11-21T00:00:00.000Z')).toBe('cancelled');
      }),
    );
  });

  test('a run without scopes never succeeds', () => {
    expect(terminalStatus([], {}, null)).toBeNull();
  });
});

describe('error code of a run', () => {
  test('owner before source before us, ties by scope order', () => {
    const given = {
      rcv: { ...freshOutcome('rcv'), errorCode: 'sync.internal_error' as const, errorMessage: 'a' },
      boletas: { ...freshOutcome('boletas'), errorCode: 'source.unavailable' as const, errorMessage: 'b' },
      guias: { ...freshOutcome('guias'), errorCode: 'source.maintenance' as const, errorMessage: 'c' },
    };
    expect(mostSevereError(SCOPES, given)).toEqual({ code: 'source.unavailable', message: 'b' });
    const owner = { ...given, guias: { ...given.guias, errorCode: 'source.account_locked' as const } };
    expect(mostSevereError(SCOPES, owner)?.code).toBe('source.account_locked');
    expect(mostSevereError(SCOPES, {})).toBeNull();
  });
});

const run = (status: SyncRun['status'], given: Record<string, ScopeOutcome>): SyncRun => ({
  id: 'r',
  organizationId: 'o',
  connectionId: 'c',
  source: 'tax',
  trigger: 'manual',
  status,
  scopes: ['rcv'],
  outcomes: given,
  inputMetadata: {},
  version: 1,
  createdAt: '',
  startedAt: null,
  finishedAt: null,
  cancelledAt: null,
  errorCode: null,
  errorMessage: null,
  login: null,
});

describe('what is reported of a run', () => {
  const ok: ScopeOutcome = { ...freshOutcome('rcv'), status: 'ok', recordsFound: 7, durationMs: 12, period: '2026-10' };

  test('counters are null until it runs, then sums', () => {
    expect(sumCounter(run('queued', { rcv: freshOutcome('rcv') }), 'recordsFound')).toBeNull();
    expect(sumCounter(run('running', { rcv: freshOutcome('rcv') }), 'recordsFound')).toBe(0);
    expect(sumCounter(run('succeeded', { rcv: ok }), 'recordsFound')).toBe(7);
  });

  test('event data have exactly the promised fields', () => {
    expect(eventData(run('succeeded', { rcv: ok }), 'succeeded')).toEqual({
      syncRunId: 'r',
      organizationId: 'o',
      connectionId: 'c',
      status: 'succeeded',
      scopes: ['rcv'],
      scopeOutcomes: [{ scope: 'rcv', status: 'ok', recordsFound: 7, durationMs: 12, period: '2026-10' }],
    });
    const failed: ScopeOutcome = { ...freshOutcome('rcv'), status: 'failed', errorCode: 'source.blocked' };
    const data = eventData(run('failed', { rcv: failed }), 'failed');
    expect(data.errorCode).toBe('source.blocked');
    expect(data.scopeOutcomes).toEqual([
      { scope: 'rcv', status: 'failed', recordsFound: 0, durationMs: 0, period: null },
    ]);
  });

  test('a cancelled run has no event', () => {
    expect(chooseEventType('cancelled')).toBeNull();
    expect(chooseEventType('partial')).toBe('sync.partial');
  });
});
