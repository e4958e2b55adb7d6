import { describe, expect, it } from 'vitest';
import { type Gap, gapsOf, type Judged } from '#shared/mcp/gaps.rules.ts';
import { type ScopeState, scopeStateOf } from '#shared/mcp/scope-states.rules.ts';
import { freshOutcome, type ScopeOutcome, type SyncRun } from '#shared/sync/run.rules.ts';
import { ERROR_CATALOGUE } from '#shared/values/error-catalogue.ts';
import { NOTICE_CATALOGUE } from '#shared/values/notice-catalogue.ts';

const NOW = Date.parse('2026-11-10T12:00:00.000Z');
const HOUR = 3_600_000;
const at = (hoursAgo: number): string => new Date(NOW - hoursAgo * HOUR).toISOString();

const outcome = (changes: Partial<ScopeOutcome>): ScopeOutcome => ({ ...freshOutcome('rcv'), ...changes });

const run = (hoursAgo: number, changes: Partial<ScopeOutcome>, isOpen = false): SyncRun =>
  ({
    id: String(hoursAgo),
    createdAt: at(hoursAgo + 1),
    finishedAt: isOpen ? null : at(hoursAgo),
    outcomes: { rcv: outcome(changes) },
  }) as unknown as SyncRun;

describe('the state of a scope', () => {
  it('is that of the newest outcome that ended, and of the newest that brought rows', () => {
    const failed = run(1, { status: 'failed', errorCode: 'source.timeout' });
    const state = scopeStateOf('rcv', [
      run(0, { status: 'running' }, true),
      failed,
      run(5, { status: 'ok' }),
      run(9, { status: 'ok' }),
    ]);
    expect(state).toEqual({
      last: { outcome: failed.outcomes.rcv, endedAt: at(1) },
      syncedAt: at(5),
      isUnderWay: true,
    });
  });

  it('is nothing where no run has the scope', () => {
    expect(scopeStateOf('guias', [run(1, { status: 'ok' })])).toEqual({
      last: null,
      syncedAt: null,
      isUnderWay: false,
    });
  });

  it('of a run that ended leaves nothing under way', () => {
    expect(scopeStateOf('rcv', [run(1, { status: 'queued' })]).isUnderWay).toBe(false);
  });
});

const judged = (state: Partial<ScopeState>, connection: Partial<Judged['connection']> = {}): Judged => ({
  connection: { status: 'active', enabledScopes: ['rcv'], syncedScopes: ['rcv'], ...connection },
  scopes: { rcv: { last: null, syncedAt: null, isUnderWay: false, ...state } },
  nowMs: NOW,
  staleMs: 48 * HOUR,
});

const ended = (hoursAgo: number, changes: Partial<ScopeOutcome>): Partial<ScopeState> => ({
  last: { outcome: outcome(changes), endedAt: at(hoursAgo) },
  syncedAt: changes.status === 'ok' || changes.status === 'partial' ? at(hoursAgo) : null,
});

const codes = (gaps: readonly Gap[]): string[] => gaps.map(({ code }) => code);

describe('gaps', () => {
  it('are none where the newest sync ended well a moment ago', () => {
    expect(gapsOf(judged(ended(1, { status: 'ok' })))).toEqual([]);
  });

  it.each([
    [47, []],
    [49, ['stale']],
  ] as const)('after %s hours: %j', (hours, expected) => {
    expect(codes(gapsOf(judged(ended(hours, { status: 'ok' }))))).toEqual(expected);
  });

  it.each(ERROR_CATALOGUE.map((about) => [about.code, about] as const))(
    '%s: who mends it and what to do',
    (code, about) => {
      const [gap] = gapsOf(
        judged({ ...ended(1, { status: 'failed', errorCode: code, errorMessage: 'said' }), syncedAt: at(2) }),
      );
      expect(gap).toEqual({
        scope: 'rcv',
        code,
        who: about.mender,
        what_to_do: about.en,
        detail: 'said',
        since: at(1),
      });
    },
  );

  it('tell every notice with its catalogue’s words and the run’s own', () => {
    for (const { code, mender, todo } of NOTICE_CATALOGUE) {
      const [gap] = gapsOf(judged(ended(1, { status: 'ok', notices: [{ code, message: '2026-10: x' }] })));
      expect(gap).toMatchObject({ code, who: mender, detail: '2026-10: x' });
      expect(gap!.what_to_do).toContain(todo);
    }
  });

  it('tell what never came, what is switched off, and what is under way', () => {
    const never = { syncedScopes: [] };
    expect(codes(gapsOf(judged({}, never)))).toEqual(['never_synchronized']);
    expect(codes(gapsOf(judged({ isUnderWay: true }, never)))).toEqual(['sync_under_way']);
    expect(codes(gapsOf(judged({}, { enabledScopes: [] })))).toEqual(['scope_not_enabled']);
    const failed = ended(1, { status: 'failed', errorCode: 'source.invalid_credentials' });
    expect(codes(gapsOf(judged(failed, never)))).toEqual(['source.invalid_credentials', 'never_synchronized']);
    expect(codes(gapsOf(judged({ isUnderWay: true })))).toEqual(['sync_under_way', 'stale']);
    const off = gapsOf(judged(ended(1, { status: 'ok' }), { status: 'disabled' }));
    expect(off).toMatchObject([{ scope: null, code: 'connection_disabled', who: 'owner' }]);
  });

  it('call rows stale whose runs are forgotten, and those of before a row of failures', () => {
    expect(codes(gapsOf(judged({})))).toEqual(['stale']);
    const failures = ended(1, { status: 'failed', errorCode: 'source.maintenance' });
    expect(codes(gapsOf(judged(failures)))).toEqual(['source.maintenance', 'stale']);
    expect(codes(gapsOf(judged({ ...failures, syncedAt: at(3) })))).toEqual(['source.maintenance']);
  });

  it('name a code of another release as ours to look at', () => {
    const state = ended(1, { status: 'failed', errorCode: 'source.of_tomorrow' as never });
    expect(gapsOf(judged({ ...state, syncedAt: at(2) }))).toMatchObject([{ code: 'source.of_tomorrow', who: 'us' }]);
  });
});
