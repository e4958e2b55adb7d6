/** The adapter against the simulated bank over real HTTP: every row of the credential table, and sessions. */
import { describe, expect, test } from 'vitest';
import { SANDBOX_CREDENTIALS } from '#shared/sources/bankthree/sandbox/credentials.ts';
import { source } from '#shared/sources/bankthree/source.ts';
import { SessionExpired, type SourceError } from '#shared/sources/source.ts';
import { sampled } from '#test/helpers/effort.ts';
import { createAsk, createIo } from './ask.ts';
import {
  BACKFILL,
  balancesTally,
  clock,
  connect,
  entryOf,
  failureOf,
  inSession,
  io,
  knobs,
  LARGE_MS,
  movementsTally,
  PERIOD,
  pull,
  requestOf,
  sandbox,
  synchronize,
  withKnobs,
} from './bankthree-stage.ts';

describe('every row of the credential table', { timeout: LARGE_MS }, () => {
  const cases = SANDBOX_CREDENTIALS.flatMap((entry) =>
    ['movements', 'balances'].map((scope) => [entry.label, scope, entry] as const),
  );
  test.each(sampled(cases, 10))('%s: %s', async (_label, scope, entry) => {
    const { credentials, outcomes, notices } = entry;
    const login = credentials.rut!;
    await knobs({ rut: login, reset: true });
    const settings = entry.behaviour === 'slow' ? { callTimeoutMs: 150, downloadTimeoutMs: 150 } : {};
    const ended = await synchronize(entry, scope, settings);
    expect(ended.outcome).toBe(outcomes[scope] ?? outcomes['*'] ?? 'ok');
    expect([...new Set(ended.notices)]).toEqual(notices?.[scope] ?? []);
    if (ended.outcome === 'ok') {
      const ledger = sandbox.ledger(login);
      if (scope === 'balances') expect(balancesTally(ended.rows.get(null)!)).toEqual(ledger.balances.now);
      else {
        const empty = movementsTally([]);
        for (const period of BACKFILL) {
          expect(movementsTally(ended.rows.get(period)!)).toEqual(ledger.movements[period] ?? empty);
        }
      }
    }
    expect(sandbox.openSessions(login)).toBe(0);
    for (const { message } of ended.errors) {
      expect(message).not.toContain(credentials.password);
      // The message contains no RUT, account number or amount.
      expect(message).not.toMatch(/\d{5}/);
    }
  });

  test.each(['wrong_password', 'locked', 'login_blocked'] as const)(
    '%s: one login post and no more',
    async (behaviour) => {
      const entry = entryOf(behaviour);
      await knobs({ rut: entry.credentials.rut, reset: true });
      await synchronize(entry, 'movements');
      expect(sandbox.logins(entry.credentials.rut!)).toBe(1);
    },
  );
});

describe('refusals', () => {
  test('a pause is requested with its length', async () => {
    const failure = await failureOf(() => pull(entryOf('always_rate_limited')));
    expect(failure).toMatchObject({ code: 'source.rate_limited', retryAfterMs: 10_000 });
  });

  test.each(['page_for_data', 'mislabelled', 'truncated', 'malformed_row', 'missing_field'] as const)(
    '%s: the unreadable answer is passed on to be stored',
    async (behaviour) => {
      for (const period of [PERIOD, null]) {
        const failure = await failureOf(() => pull(entryOf(behaviour), period));
        expect(failure).toMatchObject({ code: 'source.unexpected_response' });
        const { unread } = failure as SourceError;
        expect(unread?.body.byteLength).toBeGreaterThan(10);
        expect(JSON.stringify(unread?.request)).not.toMatch(/clave|ASPSESSIONID|contrase/i);
      }
    },
  );

  test('also of a login', async () => {
    const failure = await failureOf(() => connect(entryOf('login_unknown')));
    expect((failure as SourceError).unread?.request).toEqual({ page: 'login' });
  });

  test('an answer that was refused is requested again', async () => {
    const asked = createAsk();
    const entry = entryOf('truncated');
    await failureOf(() => pull(entry, PERIOD, asked));
    await failureOf(() => pull(entry, PERIOD, asked));
    expect(asked.fetched).toEqual(['accounts', 'statement/1/open', 'statement/1/open']);
    expect([...asked.kept.keys()]).toEqual(['accounts']);
  });

  test('maintenance every night, when the sandbox keeps it', async () => {
    const before = clock.nowMs;
    const night = { nightlyMaintenance: true };
    await withKnobs(night, { nightlyMaintenance: false }, async () => {
      await inSession(entryOf('works'), async (session) => {
        clock.nowMs = Date.parse('2026-11-21T02:29:00Z');
        await inSession(entryOf('works'), async () => {});
        clock.nowMs = Date.parse('2026-11-21T02:31:00Z');
        for (const work of [
          () => connect(entryOf('works')),
          () =>
            source.pull(requestOf(entryOf('works')), { session, ask: createAsk().ask, io: io(), progress: () => {} }),
        ]) {
          expect(await failureOf(work)).toMatchObject({ code: 'source.maintenance' });
        }
      });
    }).finally(() => {
      clock.nowMs = before;
    });
  });
});

describe('sessions', () => {
  test.each(['form', 'redirect'])('an idle session is reported by a %s', async (expiredAnswer) => {
    const entry = entryOf('works');
    const before = clock.nowMs;
    await withKnobs({ expiredAnswer }, { expiredAnswer: 'form' }, async () => {
      for (const period of [PERIOD, null]) {
        const session = await connect(entry);
        clock.nowMs += 600_000;
        const failure = await failureOf(() =>
          source.pull(requestOf(entry, period), { session, ask: createAsk().ask, io: io(), progress: () => {} }),
        );
        expect(failure).toBeInstanceOf(SessionExpired);
      }
    }).finally(() => {
      clock.nowMs = before;
    });
  });

  test('continues in another worker as plain JSON, and is logged out', async () => {
    const entry = entryOf('works');
    const asked = createAsk();
    const session = await connect(entry);
    expect(sandbox.openSessions(entry.credentials.rut!)).toBe(1);
    const other = JSON.parse(JSON.stringify(session));
    await source.pull(requestOf(entry), { session: other, ask: asked.ask, io: io(), progress: () => {} });
    expect(asked.kept.size).toBe(4);
    await source.disconnect(other, io());
    expect(sandbox.openSessions(entry.credentials.rut!)).toBe(0);
  });

  test('a logout of a session that is gone, or of a bank that is gone, is no error', async () => {
    const session = await connect(entryOf('works'));
    await knobs({ expireSessions: true });
    await source.disconnect(session, createIo('http://127.0.0.1:1', clock));
    await source.disconnect(session, io());
    await source.disconnect({}, io());
  });

  test('the same login has one name however its RUT is written', () => {
    expect(source.loginOf({ rut: '12.345.678-5', password: 'x', company_rut: '76990123-K' })).toBe('12345678-5');
  });
});

describe('pace', () => {
  test('a download every 2 s is not too fast, any faster is', async () => {
    const entry = entryOf('works');
    const before = clock.nowMs;
    await withKnobs({ downloadIntervalMs: 2_000 }, { downloadIntervalMs: 0 }, async () => {
      expect(await failureOf(() => pull(entry))).toMatchObject({ code: 'source.rate_limited' });
      const paced = await pull(entry, PERIOD, createAsk(), { pace: source.manifest.pace });
      expect(paced.rows.length).toBeGreaterThan(10);
    }).finally(() => {
      clock.nowMs = before;
    });
  });
});
