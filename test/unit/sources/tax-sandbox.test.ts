/** The adapter against the simulated institution over real HTTP: every row of the credential table, and sessions. */
import { describe, expect, test } from 'vitest';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';
import { SessionExpired } from '#shared/sources/source.ts';
import { SANDBOX_CREDENTIALS } from '#shared/sources/tax/sandbox/credentials.ts';
import { source } from '#shared/sources/tax/source.ts';
import { createAsk } from './ask.ts';
import {
  connect,
  failureOf,
  inSession,
  io,
  ioWith,
  knobs,
  LARGE_MS,
  labelled,
  PERIOD,
  pull,
  sandbox,
  tallyOf,
  withKnobs,
} from './tax-stage.ts';

describe('every row of the credential table', { timeout: LARGE_MS }, () => {
  test.each(SANDBOX_CREDENTIALS.map((entry) => [entry.label, entry] as const))('%s', async (_label, entry) => {
    const { expected, credentials } = entry;
    await knobs({ rut: credentials.rut, reset: true });
    const settings = entry.behaviour === 'slow' ? { callTimeoutMs: 150 } : {};
    const failure = await failureOf(async () => {
      const { rows } = await pull(entry, PERIOD, createAsk(), settings);
      expect(tallyOf(rows)).toEqual(sandbox.ledger(credentials.rut, PERIOD).rcv[PERIOD]);
      for (const row of rows) taxRcv.parsed.parse(row);
    });
    const wanted = expected.connect === 'ok' ? expected.pull : expected.connect;
    if (wanted === 'ok') expect(failure).toBeUndefined();
    else if (wanted === 'session_expired') expect(failure).toBeInstanceOf(SessionExpired);
    else expect(failure).toMatchObject({ name: 'SourceError', code: wanted });
    expect(sandbox.logins(credentials.rut)).toBe(1);
    expect(sandbox.openSessions(credentials.rut)).toBe(0);
    if (failure instanceof Error) {
      expect(failure.message).not.toContain(credentials.password);
      expect(failure.message).not.toMatch(/\d{7}/);
    }
  });
});

describe('sessions', () => {
  test('the cap refuses a fourth session, and a logout frees a place', async () => {
    const entry = labelled('works: a person');
    await inSession(entry, () =>
      inSession(entry, async () => {
        await inSession(entry, async () => {
          expect(await failureOf(() => connect(entry))).toMatchObject({ code: 'source.session_limit' });
        });
        await inSession(entry, async () => {});
      }),
    );
    expect(sandbox.openSessions(entry.credentials.rut)).toBe(0);
  });

  test('a logout of a session that is gone, or of an institution that is gone, is no error', async () => {
    await inSession(labelled('works: small company'), async (session) => {
      await knobs({ expireSessions: true });
      await source.disconnect(session, ioWith(new AbortController().signal, 'http://127.0.0.1:1'));
    });
    await source.disconnect({}, io());
  });

  test.each(['Path=/; Domain=.sii.cl; Secure', 'Path=/', '', 'Path=/; HttpOnly; SameSite=Lax'])(
    'cookies set with "%s" work over a base URL',
    async (cookieAttributes) => {
      for (const loginRedirects of [false, true]) {
        const usual = { cookieAttributes: 'Path=/; Domain=.sii.cl; Secure', loginRedirects: false };
        await withKnobs({ cookieAttributes, loginRedirects }, usual, async () => {
          const { rows } = await pull(labelled('works: small company'), '2026-08');
          expect(rows.length).toBeGreaterThan(50);
        });
      }
    },
  );
});
