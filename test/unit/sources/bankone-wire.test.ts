/** The adapter against the simulated bank over real HTTP: every scope, every period, every row of the credential table. */
import { describe, expect, test } from 'vitest';
import { SANDBOX_CREDENTIALS } from '#shared/sources/bankone/sandbox/credentials.ts';
import { SessionExpired } from '#shared/sources/source.ts';
import { addMonths } from '#shared/values/dates.ts';
import type { SourceErrorCode } from '#shared/values/sync-errors.ts';
import { sampled } from '#test/helpers/effort.ts';
import { createAsk } from './ask.ts';
import {
  type Credential,
  connect,
  entryOf,
  failureOf,
  held,
  knobs,
  LARGE_MS,
  LAST_MONTH,
  loginOf,
  PERIOD,
  pull,
  SCOPES,
  sandbox,
  tallyOf,
} from './bankone-stage.ts';

const NAMES = Object.keys(SCOPES);
const WORKS = entryOf('works');

describe('rows are what the bank holds, to the last decimal', { timeout: LARGE_MS }, () => {
  const periods = Array.from({ length: 25 }, (_, i) => addMonths(PERIOD, -i));

  test.each(sampled(periods, 10))('movements and nominas of %s', async (period) => {
    for (const scope of ['movements', 'nominas']) {
      const { rows } = await pull(WORKS, scope, period);
      expect(tallyOf(scope, rows)).toEqual(held(WORKS, scope, period));
      expect(rows.length).toBeGreaterThan(2);
    }
  });

  test.each(sampled(periods.slice(0, 13), 10))('transfers of %s', async (period) => {
    const { rows } = await pull(WORKS, 'transfers', period);
    expect(tallyOf('transfers', rows)).toEqual(held(WORKS, 'transfers', period));
    expect(rows.length).toBeGreaterThan(2);
  });

  test('balances', async () => {
    const { rows } = await pull(WORKS, 'balances');
    expect(tallyOf('balances', rows)).toEqual(held(WORKS, 'balances'));
    expect(rows.map(({ currency, saldo_provisorio }) => [currency, saldo_provisorio === null])).toEqual([
      ['CLP', false],
      ['USD', true],
    ]);
    expect(rows.some(({ saldo_contable }) => String(saldo_contable).startsWith('-'))).toBe(true);
  });

  test('5,000 movements a month, open and closed, their transfers, and a batch of 5,000 payments', async () => {
    const entry = entryOf('large');
    for (const [scope, period] of [
      ['movements', PERIOD],
      ['movements', LAST_MONTH],
      ['transfers', LAST_MONTH],
      ['nominas', PERIOD],
    ] as const) {
      const { rows } = await pull(entry, scope, period);
      expect(tallyOf(scope, rows), `${scope} ${period}`).toEqual(held(entry, scope, period));
    }
    expect(held(entry, 'movements', LAST_MONTH)!.count).toBeGreaterThan(5_000);
    expect(held(entry, 'nominas', PERIOD)!.by!.pagos!.count).toBeGreaterThan(5_000);
  });
});

/**
 * Faults that disappear when the scope is tried again; the scope ends `ok`. Each with the error of the first attempt.
 */
const PASSING: Partial<Record<Credential['behaviour'], SourceErrorCode | 'session_expired'>> = {
  rate_limited: 'source.rate_limited',
  session_in_use: 'source.rate_limited',
  session_expires: 'session_expired',
  session_taken_over: 'session_expired',
};
/** The engine reports an error when a second session of the same attempt has also ended. */
const ENDING = new Set(['session_never_lasts', 'page_for_data']);

const wanted = ({ behaviour, outcomes }: Credential, scope: string) =>
  PASSING[behaviour] ??
  (ENDING.has(behaviour) ? 'session_expired' : (outcomes[scope] ?? outcomes['*'] ?? ('ok' as const)));

describe('every row of the credential table', { timeout: LARGE_MS }, () => {
  const table = SANDBOX_CREDENTIALS.filter(({ behaviour }) => behaviour !== 'large');

  test.each(sampled(table, 8).map((entry) => [entry.label, entry] as const))('%s', async (_label, entry) => {
    for (const scope of NAMES) {
      // A closed month and the balances need few calls: the temporary faults come with the fourth.
      await knobs({ rut: loginOf(entry), reset: true });
      const settings = entry.behaviour === 'slow' ? { callTimeoutMs: 150 } : {};
      const asked = createAsk();
      const failure = await failureOf(async () => {
        const { rows } = await pull(entry, scope, LAST_MONTH, asked, settings);
        expect(tallyOf(scope, rows)).toEqual(held(entry, scope, LAST_MONTH));
      });
      const expected = scope === 'balances' && PASSING[entry.behaviour] && !failure ? 'ok' : wanted(entry, scope);
      if (expected === 'ok') expect(failure, scope).toBeUndefined();
      else if (expected === 'session_expired') expect(failure, scope).toBeInstanceOf(SessionExpired);
      else expect(failure, scope).toMatchObject({ name: 'SourceError', code: expected });
      expect(sandbox.logins(loginOf(entry))).toBe(1);
      expect(sandbox.openSessions(loginOf(entry))).toBe(0);
      if (failure instanceof Error) {
        expect(failure.message).not.toContain(entry.credentials.password);
        expect(failure.message).not.toMatch(/\d{7}/);
      }
    }
  });

  test.each(Object.keys(PASSING))(
    '%s: the next attempts complete it, and nothing is requested twice',
    async (behaviour) => {
      const entry = entryOf(behaviour as Credential['behaviour']);
      for (const scope of ['transfers', 'movements', 'nominas']) {
        await knobs({ rut: loginOf(entry), reset: true });
        const asked = createAsk();
        let failures = 0;
        let read: Awaited<ReturnType<typeof pull>> | undefined;
        while (read === undefined && failures < 4) {
          read = await pull(entry, scope, LAST_MONTH, asked).catch(() => undefined);
          if (read === undefined) failures++;
        }
        expect(failures, scope).toBeGreaterThan(0);
        expect(tallyOf(scope, read!.rows)).toEqual(held(entry, scope, LAST_MONTH));
        // Only failed requests were repeated.
        expect(asked.fetched.length, scope).toBe(asked.kept.size + failures);
      }
    },
  );
});

describe('one attempt', () => {
  test('and a question that the bank does not know', async () => {
    const entry = {
      ...entryOf('no_data_code'),
      credentials: { ...entryOf('no_data_code').credentials, password: 'x' },
    };
    await knobs({ rut: loginOf(entry), reset: true });
    const codes: unknown[] = [];
    for (let i = 0; i < 4; i++) codes.push(((await failureOf(() => connect(entry))) as { code: string }).code);
    const wrong = 'source.invalid_credentials';
    expect(codes).toEqual([wrong, wrong, wrong, 'source.account_locked']);
    expect(sandbox.logins(loginOf(entry))).toBe(4);
    await knobs({ rut: loginOf(entry), reset: true });
  });
});
