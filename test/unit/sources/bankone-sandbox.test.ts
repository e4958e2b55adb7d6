/** The sandbox's data, its endpoints for tests, and its table of credentials. */
import { describe, expect, test } from 'vitest';
import { manifest } from '#shared/sources/bankone/manifest.ts';
import { SANDBOX_CREDENTIALS } from '#shared/sources/bankone/sandbox/credentials.ts';
import { generateMonth } from '#shared/sources/bankone/sandbox/generate.ts';
import type { SandboxAccount } from '#shared/sources/bankone/sandbox/movement.ts';
import { normalizeRut } from '#shared/values/rut.ts';
import { type Answer, logIn } from './bankone-client.ts';
import { entryOf, knobs, LARGE_MS, loginOf, url } from './bankone-stage.ts';

describe('data', () => {
  const account: SandboxAccount = { company: '76000002-K', number: '1', alias: 'x', currency: 'CLP' };
  const month = { seed: 's', account, period: '2026-10', count: 2_000, behaviour: 'works' } as const;
  const { movements, failed } = generateMonth(month);

  test('come only from the seed', () => {
    expect(generateMonth(month)).toEqual({ movements, failed });
    expect(generateMonth({ ...month, seed: 'other' }).movements).not.toEqual(movements);
  });

  test('are plausible', () => {
    expect(movements).toHaveLength(2_001);
    const transfers = movements.flatMap(({ transfer }) => transfer ?? []);
    expect(transfers.every(({ rut }) => normalizeRut(rut) === rut)).toBe(true);
    expect(transfers.some(({ name }) => /Ñ/.test(name)) && transfers.some(({ name }) => /[ÁÉÍÓÚ]/.test(name))).toBe(
      true,
    );
    expect(movements.some(({ day }) => day === '2026-10-31')).toBe(true);
    expect(movements.some(({ booked, day }) => booked > day)).toBe(true);
    const equals = Map.groupBy(movements, ({ day, document, minor }) => `${day}/${document}/${minor}`);
    expect([...equals.values()].some(({ length }) => length === 2)).toBe(true);
  });
});

describe('doors for tests', { timeout: LARGE_MS }, () => {
  const get = async (path: string): Promise<Answer> => (await fetch(`${url}/_sandbox/${path}`)).json();

  test('the ledger covers what the bank shows, and its sides add up', async () => {
    const login = loginOf(entryOf('works'));
    const ledger = await get(`ledger?login=${login}`);
    expect(Object.keys(ledger)).toEqual(['transfers', 'balances', 'movements', 'nominas']);
    expect(Object.keys(ledger.movements)).toHaveLength(25);
    expect(Object.keys(ledger.transfers)).toHaveLength(13);
    const { count, by } = ledger.movements['2026-10'];
    expect(by.received.count + by.issued.count).toBe(count);
    expect(await get(`ledger?login=${login}&period=2026-10`)).toEqual({
      transfers: { '2026-10': ledger.transfers['2026-10'] },
      balances: ledger.balances,
      movements: { '2026-10': ledger.movements['2026-10'] },
      nominas: { '2026-10': ledger.nominas['2026-10'] },
    });
  });

  test('logins are counted', async () => {
    const entry = entryOf('locked');
    await knobs({ rut: loginOf(entry), reset: true });
    await logIn(entry);
    await logIn(entry);
    expect(await get(`logins?login=${loginOf(entry)}`)).toEqual({ logins: 2, sessions: 0 });
  });

  test.each([{ knob: 1 }, { arrive: 1 }, { rut: 'x' }, { latencyMs: -1 }, { sessionEnd: 'never' }, []])(
    'unknown or faulty: %j',
    async (change) => expect(await knobs(change)).toBe(400),
  );
});

describe('the credential table', () => {
  test('is what the manifest accepts', () => {
    for (const { credentials, metadata } of SANDBOX_CREDENTIALS) {
      expect(manifest.credentialsSchema.safeParse(credentials).success).toBe(true);
      expect(manifest.metadataSchema.safeParse(metadata).success).toBe(true);
    }
  });

  test('has every RUT and every behaviour once, and begins with one that works', () => {
    const ruts = SANDBOX_CREDENTIALS.map(loginOf);
    expect(new Set(ruts).size).toBe(ruts.length);
    expect(SANDBOX_CREDENTIALS[0]).toMatchObject({ behaviour: 'works', outcomes: {} });
  });
});
