/** The adapter against the simulated institution over real HTTP: every row of the credential table, and sessions. */
import { describe, expect, test } from 'vitest';
import type { Row } from '#shared/scopes/scope.ts';
import { SessionExpired } from '#shared/sources/source.ts';
import { manifest } from '#shared/sources/tax/manifest.ts';
import { SANDBOX_CREDENTIALS } from '#shared/sources/tax/sandbox/credentials.ts';
import { source } from '#shared/sources/tax/source.ts';
import { addMonths, periodsBetween } from '#shared/values/dates.ts';
import { sampled } from '#test/helpers/effort.ts';
import { createAsk } from './ask.ts';
import {
  baseUrl,
  connect,
  failureOf,
  inSession,
  io,
  ioWith,
  knobs,
  LARGE_MS,
  labelled,
  PERIOD,
  parseAll,
  pull,
  pullScope,
  requestOf,
  sandbox,
  TAX_SCOPES,
  withKnobs,
} from './tax-stage.ts';
import { SCOPES, tallyRows } from './tax-tally.ts';

const ENTRIES = SANDBOX_CREDENTIALS.flatMap((entry) => TAX_SCOPES.map((scope) => [scope, entry.label, entry] as const));

describe('every row of the credential table', { timeout: LARGE_MS }, () => {
  test.each(sampled(ENTRIES, 14))('%s: %s', async (scope, _label, entry) => {
    const { expected, credentials } = entry;
    await knobs({ rut: credentials.rut, reset: true });
    const settings = entry.behaviour === 'slow' ? { callTimeoutMs: 150 } : {};
    const failure = await failureOf(async () => {
      const { rows } = await pullScope<Row>(scope, entry, PERIOD, createAsk(), settings);
      expect(tallyRows(scope, rows)).toEqual(sandbox.ledger(credentials.rut, PERIOD)[scope][PERIOD]);
      for (const row of rows) SCOPES[scope].parsed.parse(row);
    });
    const wanted = expected.connect === 'ok' ? expected.pull[scope] : expected.connect;
    if (wanted === undefined) expect(failure).toBeUndefined();
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

/** Months that the first sync reads (decisions.md §5). */
const BACKFILL = periodsBetween(addMonths(PERIOD, 1 - manifest.backfillMonths), PERIOD);
const TOLD = SANDBOX_CREDENTIALS.filter(({ label }) => /^notice|^works: (?:small|old)|^empty/.test(label));

describe('over the months of the first sync', { timeout: LARGE_MS }, () => {
  test.each(sampled(TOLD, 10).map((entry) => [entry.label, entry] as const))('%s', async (_label, entry) => {
    const ledger = sandbox.ledger(entry.credentials.rut);
    const loginsBefore = sandbox.logins(entry.credentials.rut);
    await inSession(entry, async (session) => {
      for (const scope of TAX_SCOPES) {
        const codes = new Set<string>();
        for (const period of BACKFILL) {
          const asked = createAsk();
          await source.pull(requestOf(entry, period, scope), { session, ask: asked.ask, io: io(), progress: () => {} });
          const { rows, notices } = parseAll<Row>(entry.credentials, asked, period, scope);
          for (const { code } of notices) codes.add(code);
          expect([period, tallyRows(scope, rows)]).toEqual([period, ledger[scope][period]]);
        }
        expect([...codes].toSorted()).toEqual(entry.notices?.[scope] ?? []);
      }
    });
    // One login for the three scopes.
    expect(sandbox.logins(entry.credentials.rut)).toBe(loginsBefore + 1);
  });
});

describe('sessions', () => {
  test('the cap refuses a fourth session, and a logout frees a slot', async () => {
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

describe('its gate', () => {
  const gate = async (hold: string | null | number): Promise<number> => {
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`${baseUrl()}/_sandbox/gate`, { method: 'POST', headers, body: JSON.stringify({ hold }) }))
      .status;
  };
  const held = async (): Promise<number> =>
    ((await (await fetch(`${baseUrl()}/_sandbox/gate`)).json()) as { held: number }).held;
  const PAGE = '/AUT2000/InicioAutenticacion/IngresoRutClave.html';

  test('holds what contains the text until it opens, and nothing else', async () => {
    expect(await gate('IngresoRut')).toBe(204);
    let answered = 0;
    const first = fetch(`${baseUrl()}${PAGE}?1`).then(() => answered++);
    const second = fetch(`${baseUrl()}${PAGE}?2`).then(() => answered++);
    await expect.poll(held).toBe(2);
    expect((await fetch(`${baseUrl()}/elsewhere`)).status).toBe(404);
    expect(await gate('IngresoRutClave.html?2')).toBe(204);
    await first;
    expect([answered, await held()]).toEqual([1, 1]);
    expect(await gate(null)).toBe(204);
    await second;
    expect(await held()).toBe(0);
  });

  test('forgets who hangs up, and refuses what it does not know', async () => {
    await gate('');
    const leaving = new AbortController();
    const gone = fetch(`${baseUrl()}${PAGE}`, { signal: leaving.signal }).catch(({ name }: Error) => name);
    await expect.poll(held).toBe(1);
    leaving.abort();
    expect(await gone).toBe('AbortError');
    await expect.poll(held).toBe(0);
    expect(await gate(3)).toBe(400);
    await gate(null);
  });
});
