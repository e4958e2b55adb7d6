import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LOGIN_LIMITS, SYNC_LIMITS } from '#shared/sync/limits.ts';
import * as rules from '#shared/sync/login/login.rules.ts';
import { freshHistory, type Ledgers, type LoginAttempt, type LoginVerdict } from '#shared/sync/login/login.rules.ts';
import { classifyLoginFault, faultAfterLogin } from '#shared/sync/login/login-fault.rules.ts';
import { type LoginRecord, SyncRunSchema } from '#shared/sync/run.rules.ts';
import { TABLE_LIMITS } from '#shared/table/limits.ts';
import { DAY_MS, santiagoDay, santiagoMidnight } from '#shared/values/dates.ts';

type Without<Rule extends (...given: never[]) => unknown> =
  Parameters<Rule> extends [...infer Given, rules.LoginLimits] ? (...given: Given) => ReturnType<Rule> : never;

const countLogin: Without<typeof rules.countLogin> = (...given) => rules.countLogin(...given, LOGIN_LIMITS);
const settleLogin: Without<typeof rules.settleLogin> = (...given) => rules.settleLogin(...given, LOGIN_LIMITS);
const withheldLogin: Without<typeof rules.withheldLogin> = (...given) => rules.withheldLogin(...given, LOGIN_LIMITS);
const nextLogin: Without<typeof rules.nextLogin> = (...given) => rules.nextLogin(...given, LOGIN_LIMITS);

const AT_MS = Date.parse('2026-11-22T12:00:00.000Z');
const UNCLEAR: LoginVerdict = { kind: 'unclear', code: 'source.unavailable', message: 'login: HTTP 500', pauseMs: 0 };
const REFUSED: LoginVerdict = {
  kind: 'refused',
  code: 'source.invalid_credentials',
  message: 'login: refused',
  pauseMs: 0,
};
const UNREACHED: LoginVerdict = { ...UNCLEAR, kind: 'unreached' };
const ACCEPTED: LoginVerdict = { kind: 'accepted' };

const attempt = (changes: Partial<LoginAttempt> = {}): LoginAttempt => ({
  fingerprint: 'a',
  credentialsVersion: 1,
  trigger: 'manual',
  slot: 0,
  atMs: AT_MS,
  isRenewal: false,
  reason: null,
  ...changes,
});

const made = (
  at: LoginAttempt,
  verdict: LoginVerdict,
  history = freshHistory(),
  record: LoginRecord | null = null,
): Ledgers => {
  const counted = countLogin(history, record, at);
  return settleLogin(counted, at, { verdict, atMs: at.atMs + 1_000 });
};

describe('a login that is not made', () => {
  test('while another worker logs in; the next holder of its slot knows that it died', () => {
    const { history, record } = countLogin(freshHistory(), null, attempt({ slot: 0 }));
    expect(withheldLogin(history, null, attempt({ slot: 1 }))).toEqual({ kind: 'under_way' });
    expect(withheldLogin(history, record, attempt({ slot: 0 }))).toBeNull();
    const later = AT_MS + SYNC_LIMITS.leaseMs + TABLE_LIMITS.leaseMarginMs;
    expect(withheldLogin(history, null, attempt({ slot: 1, atMs: later }))).toBeNull();
  });

  test('with credentials that a schedule finds refused; a person tries them once a run', () => {
    const { history, record } = made(attempt(), REFUSED);
    const scheduled = withheldLogin(history, null, attempt({ trigger: 'schedule' }));
    expect(scheduled).toMatchObject({ kind: 'refused', fault: { code: 'source.invalid_credentials' } });
    expect(withheldLogin(history, null, attempt())).toBeNull();
    expect(withheldLogin(history, record, attempt())).toMatchObject({ kind: 'refused', fault: { code: REFUSED.code } });
    expect(withheldLogin(history, null, attempt({ fingerprint: 'new', trigger: 'schedule' }))).toBeNull();
  });

  test('after two unclear ones today: it says until when, and new credentials or a new day start again', () => {
    const first = made(attempt(), UNCLEAR);
    const second = made(attempt({ atMs: AT_MS + DAY_MS / 24 }), UNCLEAR, first.history, null);
    const third = withheldLogin(second.history, null, attempt({ atMs: AT_MS + DAY_MS / 12 }));
    const tomorrow = santiagoMidnight(santiagoDay(AT_MS + DAY_MS));
    expect(third).toEqual({
      kind: 'refused',
      fault: {
        code: 'source.unavailable',
        message: `Not tried: two unclear logins today; next try ${tomorrow} or with new credentials. Last: login: HTTP 500`,
      },
    });
    expect(withheldLogin(second.history, null, attempt({ fingerprint: 'new' }))).toBeNull();
    expect(withheldLogin(second.history, null, attempt({ atMs: Date.parse(tomorrow) }))).toBeNull();
    expect(withheldLogin(second.history, null, attempt({ atMs: Date.parse(tomorrow) - 1 }))?.kind).toBe('refused');
  });

  test('soon after an unclear one on credentials that were never accepted', () => {
    const { history } = made(attempt(), UNCLEAR);
    const untilMs = AT_MS + 1_000 + SYNC_LIMITS.unprovenLoginPauseMs;
    expect(withheldLogin(history, null, attempt({ atMs: untilMs - 1 }))).toMatchObject({ kind: 'postponed', untilMs });
    expect(withheldLogin(history, null, attempt({ atMs: untilMs }))).toBeNull();
  });

  test('soon after an unknown refusal that ended the run of another connection', () => {
    const { history } = made(attempt(), { ...UNCLEAR, code: 'source.blocked' } as LoginVerdict);
    const untilMs = AT_MS + 1_000 + SYNC_LIMITS.unprovenLoginPauseMs;
    expect(withheldLogin(history, null, attempt({ atMs: AT_MS + 2_000 }))).toMatchObject({
      kind: 'postponed',
      untilMs,
    });
    const accepted = made(attempt(), ACCEPTED).history;
    const again = made(attempt(), { ...UNCLEAR, code: 'source.blocked' } as LoginVerdict, accepted);
    expect(withheldLogin(again.history, null, attempt({ atMs: AT_MS + 2_000 }))).toBeNull();
  });

  test('a third time in a run, though the institution accepted both: the reason for a third is reported', () => {
    const first = made(attempt(), ACCEPTED);
    expect(withheldLogin(first.history, first.record, attempt())).toBeNull();
    const second = made(attempt(), ACCEPTED, first.history, first.record);
    const reason = { code: 'source.session_limit', message: 'statement: another session' } as const;
    expect(withheldLogin(second.history, second.record, attempt({ reason }))).toEqual({
      kind: 'refused',
      fault: {
        code: 'source.session_limit',
        message: 'Not tried again: two logins in this run. Last: statement: another session',
      },
    });
    expect(withheldLogin(second.history, second.record, attempt())).toMatchObject({
      fault: { code: 'source.unavailable' },
    });
    expect(withheldLogin(second.history, null, attempt())).toBeNull();
  });

  test('after the institution ended two sessions in a row, not even to renew a token', () => {
    const { history, record } = made(attempt(), ACCEPTED);
    const fault = { code: 'source.unavailable', message: 'the login form' } as const;
    const over = faultAfterLogin(record, 1, { fault, isOver: true });
    expect(withheldLogin(history, faultAfterLogin(record, 1, { fault }), attempt())).toBeNull();
    for (const isRenewal of [false, true])
      expect(withheldLogin(history, over, attempt({ isRenewal, atMs: AT_MS + DAY_MS }))).toMatchObject({
        kind: 'refused',
        fault: { code: 'source.unavailable' },
      });
  });

  test('a third time in a run, with any credentials', () => {
    const accepted = made(attempt(), ACCEPTED).history;
    const first = made(attempt(), UNCLEAR, accepted);
    const second = made(attempt(), UNREACHED, first.history, first.record);
    expect(nextLogin(second, 'a', AT_MS)).toMatchObject({ kind: 'refused', fault: { code: 'source.unavailable' } });
    const other = attempt({ atMs: AT_MS + DAY_MS, fingerprint: 'new', credentialsVersion: 2 });
    expect(withheldLogin(second.history, second.record, other)?.kind).toBe('refused');
    expect(withheldLogin(second.history, null, attempt({ atMs: AT_MS + DAY_MS / 24 }))).toBeNull();
  });
});

test('a request that did not reach the institution counts for the run, not for the day', () => {
  let history = freshHistory();
  for (let n = 0; n < 5; n++) {
    const atMs = AT_MS + n * 60_000;
    expect(withheldLogin(history, null, attempt({ atMs }))).toBeNull();
    ({ history } = made(attempt({ atMs }), UNREACHED, history));
  }
  expect(history.credentials.a).toMatchObject({ unclear: 0, standing: 'unproven' });
});

test('a run of an earlier release, which counted only unclear requests, is read and counts these', () => {
  const { login } = SyncRunSchema.shape;
  const before = login.parse({ credentialsVersion: 1, failures: 1, fault: null });
  expect(before).not.toHaveProperty('requests');
  expect(withheldLogin(freshHistory(), before, attempt())).toBeNull();
  const { history, record } = made(attempt(), ACCEPTED, freshHistory(), before);
  expect(record).toMatchObject({ requests: 2, failures: 1 });
  expect(withheldLogin(history, record, attempt())?.kind).toBe('refused');
});

test('a token that is renewed in time is not counted, one that is renewed at once is', () => {
  let { history, record } = made(attempt(), ACCEPTED);
  for (let n = 1; n <= 20; n++) {
    const at = attempt({ isRenewal: true, atMs: AT_MS + n * SYNC_LIMITS.renewalEveryMs });
    expect(withheldLogin(history, record, at)).toBeNull();
    ({ history, record } = made(at, ACCEPTED, history, record));
  }
  const soon = attempt({ isRenewal: true, atMs: AT_MS + 21 * SYNC_LIMITS.renewalEveryMs - 1 });
  ({ history, record } = made(soon, ACCEPTED, history, record));
  expect(withheldLogin(history, record, { ...soon, atMs: soon.atMs + 1 })?.kind).toBe('refused');
});

test('an unclear login that cannot lock an account is not limited by a day, and repeated soon', () => {
  const limits = { ...LOGIN_LIMITS, cannotLock: true };
  let history = freshHistory();
  for (let n = 0; n < 5; n++) {
    const at = attempt({ atMs: AT_MS + n * SYNC_LIMITS.loginPauseMs });
    expect(rules.withheldLogin(history, null, at, limits)).toBeNull();
    // The worker dies: the request stays counted.
    ({ history } = rules.countLogin(history, null, at, limits));
  }
  const settled = rules.settleLogin(
    rules.countLogin(freshHistory(), null, attempt(), limits),
    attempt(),
    { verdict: UNCLEAR, atMs: AT_MS },
    limits,
  );
  expect(settled.history.credentials.a?.notBeforeMs).toBe(AT_MS + SYNC_LIMITS.loginPauseMs);
});

test('two workers that died say that a rule waits, and until when', () => {
  const first = countLogin(freshHistory(), null, attempt());
  const { history } = countLogin(first.history, null, attempt());
  const withheld = withheldLogin(history, null, attempt());
  expect(withheld).toMatchObject({ kind: 'refused', fault: { code: 'source.timeout' } });
  const tomorrow = santiagoMidnight(santiagoDay(AT_MS + DAY_MS));
  expect(withheld).toMatchObject({ fault: { message: expect.stringContaining(`next try ${tomorrow}`) } });
});

test.each([
  ['source.timeout', false, 'unclear'],
  ['source.timeout', true, 'unreached'],
  ['source.unavailable', true, 'unreached'],
  ['source.maintenance', false, 'unreached'],
  ['source.session_limit', false, 'unreached'],
  ['source.blocked', false, 'unclear'],
  ['source.rate_limited', false, 'unclear'],
  ['source.unexpected_response', false, 'unclear'],
  ['source.invalid_credentials', false, 'refused'],
  ['source.account_locked', false, 'refused'],
  ['source.mfa_timeout', false, 'refused'],
] as const)('%s, unsent %s: %s', (code, isUnsent, kind) => {
  expect(classifyLoginFault({ code, message: '', isUnsent, retryAfterMs: undefined }).kind).toBe(kind);
});

test('an unanswered phone refuses no password: the schedule continues', () => {
  const { history } = made(attempt(), { ...REFUSED, code: 'source.mfa_timeout' });
  expect(withheldLogin(history, null, attempt({ trigger: 'schedule' }))).toBeNull();
});

interface Step {
  run: number;
  slot: number;
  passesMs: number;
  verdict: LoginVerdict | null;
  isAccepted: boolean;
}

/** Runs of two connections: some workers die, verdicts come late, time passes, and the caps are never exceeded. */
test('under any faults, at most two requests a run, and two unclear ones a day on credentials never accepted', () => {
  const step: fc.Arbitrary<Step> = fc.record({
    run: fc.nat(3),
    slot: fc.nat(1),
    passesMs: fc.constantFrom(0, 1_000, 40_000, 80_000, 800_000, 30_000_000),
    verdict: fc.constantFrom<LoginVerdict | null>(null, null, UNCLEAR, UNCLEAR, UNREACHED, REFUSED),
    isAccepted: fc.boolean(),
  });
  const property = (steps: Step[], mayAccept: boolean): void => {
    let history = freshHistory();
    const records = new Map<number, LoginRecord>();
    const ofRun = new Map<number, number>();
    const ofDay = new Map<string, number>();
    let atMs = AT_MS;
    for (const { run, slot, passesMs, verdict: drawn, isAccepted } of steps) {
      atMs += passesMs;
      const at = attempt({ slot, atMs });
      if (withheldLogin(history, records.get(run) ?? null, at)) continue;
      const counted = countLogin(history, records.get(run) ?? null, at);
      const verdict = mayAccept && isAccepted ? ACCEPTED : drawn;
      const ledgers = verdict === null ? counted : settleLogin(counted, at, { verdict, atMs });
      history = ledgers.history;
      records.set(run, ledgers.record);
      ofRun.set(run, (ofRun.get(run) ?? 0) + 1);
      if (verdict !== null && verdict.kind !== 'unclear') continue;
      const day = santiagoDay(atMs);
      ofDay.set(day, (ofDay.get(day) ?? 0) + 1);
    }
    for (const count of ofRun.values()) expect(count).toBeLessThanOrEqual(SYNC_LIMITS.loginsPerRunMax);
    if (!mayAccept) for (const count of ofDay.values()) expect(count).toBeLessThanOrEqual(SYNC_LIMITS.unclearLoginsMax);
  };
  fc.assert(fc.property(fc.array(step, { maxLength: 40 }), fc.boolean(), property));
});

test('a login remembers a limited number of passwords, the newest', () => {
  let history = freshHistory();
  for (let n = 0; n < SYNC_LIMITS.credentialsPerLoginMax + 3; n++)
    ({ history } = made(attempt({ fingerprint: `p${n}`, atMs: AT_MS + n }), REFUSED, history));
  expect(Object.keys(history.credentials)).toHaveLength(SYNC_LIMITS.credentialsPerLoginMax);
  expect(history.credentials.p0).toBeUndefined();
});
