import { describe, expect, it } from 'vitest';
import { type CollectedMonth, findGaps, type Gap, type GapInput, type ScopeState } from '#shared/mcp/gaps.rules.ts';
import { MCP_LIMITS } from '#shared/mcp/limits.ts';
import { ERROR_CATALOGUE } from '#shared/values/error-catalogue.ts';
import { NOTICE_CATALOGUE } from '#shared/values/notice-catalogue.ts';

const NOW = Date.parse('2026-11-10T12:00:00.000Z');
const HOUR = 3_600_000;
const at = (hoursAgo: number): string => new Date(NOW - hoursAgo * HOUR).toISOString();

const month = (period: string | null, changes: Partial<CollectedMonth> = {}): CollectedMonth => ({
  period,
  state: 'complete',
  reason: null,
  asOf: at(1),
  verdict: 'equal',
  ...changes,
});

const NOVEMBER = month('2026-11');
const NOTHING = { lastAttempt: null, lastSuccessAt: null, months: [], message: null, notices: [], isUnderWay: false };
const WELL: ScopeState = {
  ...NOTHING,
  lastAttempt: { finishedAt: at(1), errorCode: null },
  lastSuccessAt: at(1),
  months: [NOVEMBER, month('2026-10'), month('2026-09')],
};

const gapsFor = (state: Partial<ScopeState>, connection: Partial<GapInput['connection']> = {}): Gap[] =>
  findGaps({
    connection: { status: 'active', enabledScopes: ['rcv'], ...connection },
    scopes: { rcv: { ...WELL, ...state } },
    nowMs: NOW,
    staleMs: 48 * HOUR,
  });

const told = (gaps: readonly Gap[]): string[] => gaps.map(({ code, periods }) => [code, ...periods].join(' '));

describe('gaps', () => {
  it('do not exist if every month was synchronized completely a moment ago', () => {
    expect(gapsFor({})).toEqual([]);
  });

  it.each([
    [47, []],
    [49, ['stale']],
  ] as const)('after %s hours: %j', (hours, expected) => {
    const months = [month('2026-11', { asOf: at(hours) })];
    expect(told(gapsFor({ lastSuccessAt: at(hours), months }))).toEqual(expected);
  });

  it('treat the data of one month as fresh, even if the whole scope did not succeed', () => {
    expect(told(gapsFor({ lastSuccessAt: at(90), months: [NOVEMBER, month('2026-10', { asOf: at(80) })] }))).toEqual(
      [],
    );
  });

  it.each(ERROR_CATALOGUE.map((about) => [about.code, about] as const))(
    '%s: who mends it and what to do',
    (code, about) => {
      const [gap] = gapsFor({ lastAttempt: { finishedAt: at(2), errorCode: code }, message: 'said' });
      expect(gap).toEqual({
        scope: 'rcv',
        code,
        periods: [],
        further_periods: 0,
        who: about.mender,
        what_to_do: about.en,
        detail: 'said',
        since: at(2),
      });
    },
  );

  it('contain every notice with its catalogue’s text and the run’s own', () => {
    for (const { code, mender, todo } of NOTICE_CATALOGUE) {
      const [gap] = gapsFor({ notices: [{ code, message: '2026-10: x' }] });
      expect(gap).toMatchObject({ code, who: mender, detail: '2026-10: x' });
      expect(gap!.what_to_do).toContain(todo);
    }
  });

  it('report a notice and the months that it left incomplete once, with the run’s message', () => {
    const { code } = NOTICE_CATALOGUE[0]!;
    const months = [NOVEMBER, month('2026-10', { state: 'partial', reason: code }), month('2026-09')];
    const gaps = gapsFor({ notices: [{ code, message: 'x' }], months });
    expect(gaps).toMatchObject([{ code, periods: ['2026-10'], detail: 'x' }]);
  });

  it('list incomplete months, by the reason of each', () => {
    const months = [
      NOVEMBER,
      month('2026-10', { state: 'partial', reason: 'source.timeout', asOf: at(300) }),
      month('2026-09', { state: 'never', reason: 'source.timeout', asOf: null }),
      month('2026-08', { state: 'partial' }),
    ];
    const gaps = gapsFor({ months });
    expect(told(gaps)).toEqual(['source.timeout 2026-10 2026-09', 'not_complete 2026-08']);
    expect(gaps[0]).toMatchObject({ since: at(300) });
  });

  it('report missing months between others, but not those before the first', () => {
    expect(told(gapsFor({ months: [NOVEMBER, month('2026-07')] }))).toEqual([
      'not_synchronized 2026-10 2026-09 2026-08',
    ]);
    expect(told(gapsFor({ months: [NOVEMBER] }))).toEqual([]);
    expect(told(gapsFor({ months: [month('2026-10')] }))).toEqual([]);
    expect(told(gapsFor({ months: [month('2026-09')] }))).toEqual(['not_synchronized 2026-10']);
  });

  it('report a month that was read before it was over, and who can fix it', () => {
    const early = month('2026-10', { state: 'partial', reason: 'read_before_month_end', asOf: at(300) });
    const gaps = gapsFor({ months: [NOVEMBER, early] });
    expect(told(gaps)).toEqual(['read_before_month_end 2026-10']);
    expect(gaps[0]).toMatchObject({ who: 'owner', since: at(300) });
    expect(gaps[0]!.what_to_do).toContain('last read before their end');
  });

  it('report months whose rows do not add up to the institution’s totals, complete or not', () => {
    const months = [
      month('2026-11', { verdict: 'differs' }),
      month('2026-10', { verdict: 'not_told' }),
      month('2026-09', { state: 'partial', verdict: 'differs' }),
    ];
    expect(told(gapsFor({ months }))).toEqual(['totals_differ 2026-11 2026-09', 'not_complete 2026-09']);
  });

  it('of observations are of no month', () => {
    expect(gapsFor({ months: [month(null)] })).toEqual([]);
    const failed = month(null, { state: 'partial', reason: 'source.timeout' });
    expect(told(gapsFor({ months: [failed] }))).toEqual(['source.timeout']);
  });

  it('report what never came, what is switched off, and what is under way', () => {
    expect(told(gapsFor(NOTHING))).toEqual(['never_synchronized']);
    expect(told(gapsFor({ ...NOTHING, isUnderWay: true }))).toEqual(['sync_under_way']);
    expect(told(gapsFor({}, { enabledScopes: [] }))).toEqual(['scope_not_enabled']);
    const failed = { ...NOTHING, lastAttempt: { finishedAt: at(1), errorCode: 'source.invalid_credentials' } };
    expect(told(gapsFor(failed))).toEqual(['source.invalid_credentials', 'never_synchronized']);
    expect(told(gapsFor({ isUnderWay: true }))).toEqual(['sync_under_way']);
    expect(gapsFor({}, { status: 'disabled' })).toMatchObject([
      { scope: null, code: 'connection_disabled', who: 'owner' },
    ]);
  });

  it('name a code of another release as ours to look at', () => {
    const lastAttempt = { finishedAt: at(2), errorCode: 'source.of_tomorrow' };
    expect(gapsFor({ lastAttempt })).toMatchObject([{ code: 'source.of_tomorrow', who: 'us' }]);
  });

  it('name as many months as an answer holds, newest first, and count the others', () => {
    const [gap] = gapsFor({ months: [NOVEMBER, month('0202-01')] });
    expect(gap!.code).toBe('not_synchronized');
    expect(gap!.periods).toHaveLength(120);
    expect(gap!.periods.slice(0, 2)).toEqual(['2026-10', '2026-09']);
    // From February 202 to October 2026.
    expect(gap!.periods.length + gap!.further_periods).toBe((2026 - 202) * 12 + 9);
    expect(Buffer.byteLength(JSON.stringify(gap))).toBeLessThan(MCP_LIMITS.agentAnswerBytesMax / 2);
  });
});
