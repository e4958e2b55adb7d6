/** An instance without any memory must know whose memory a call needs: every session names its owner. */
import { expect, test } from 'vitest';
import { SANDBOX_CREDENTIALS as BANKONE } from '#shared/sources/bankone/sandbox/credentials.ts';
import * as bankone from '#shared/sources/bankone/sandbox/sessions.ts';
import { SANDBOX_CREDENTIALS as BANKTHREE } from '#shared/sources/bankthree/sandbox/credentials.ts';
import * as bankthree from '#shared/sources/bankthree/sandbox/sessions.ts';
import { createProcurementSandbox } from '#shared/sources/procurement/sandbox/server.ts';
import { createTokens } from '#shared/sources/procurement/sandbox/tokens.ts';
import { createMemory } from '#shared/sources/sandbox-kit/memory.ts';
import { SANDBOX_CREDENTIALS as TAX } from '#shared/sources/tax/sandbox/credentials.ts';
import { createTaxSandbox } from '#shared/sources/tax/sandbox/server.ts';
import { loginOfToken, newToken } from '#shared/sources/tax/sandbox/session-token.ts';

const NOW_MS = Date.parse('2026-11-21T12:00:00Z');
const now = () => NOW_MS;

test('tax: 13 letters and digits, which name the RUT', () => {
  for (const { credentials } of TAX) {
    const tokens = [1, 2, 3].map((n) => newToken(credentials.rut, n));
    expect(new Set(tokens).size).toBe(3);
    for (const token of tokens) {
      expect(token).toMatch(/^[A-Z0-9]{13}$/);
      expect(loginOfToken(token)).toBe(credentials.rut);
    }
  }
});

test('bankone and bankthree: their sessions also name their owners; a page before the login belongs to no one', () => {
  const first = bankone.createSessions(now, createMemory());
  for (const { credentials } of BANKONE)
    expect(bankone.loginOfToken(first.open(credentials.rut!, 'company').token)).toBe(credentials.rut);
  const third = bankthree.createSessions(now, createMemory());
  for (const { credentials } of BANKTHREE) {
    const { token } = third.open(credentials.rut!);
    expect(token).toMatch(/^[A-Z]{24}$/);
    expect(bankthree.loginOfToken(token)).toBe(credentials.rut);
  }
  expect(bankthree.loginOfToken(third.anonymous())).toBeUndefined();
});

test('a token of somebody whom the institution does not know has no owner', async () => {
  const sandbox = createTaxSandbox({ now });
  const ownerOf = (cookie: string) => sandbox.ownerOf({ url: '/', headers: { cookie }, body: '' });
  expect(ownerOf(`TOKEN=${newToken('12345678-5', 1)}`)).toBeUndefined();
  expect(ownerOf('')).toBeUndefined();
  expect(ownerOf(`a=b; CSESSIONID=${newToken(TAX[0]!.credentials.rut, 1)}`)).toBe(TAX[0]!.credentials.rut);
  await sandbox.close();
});

test('procurement: a link leads to its target for a while, and with one character changed to nothing', () => {
  let ms = NOW_MS;
  const tokens = createTokens(
    'seed',
    () => ms,
    () => 1_000,
  );
  const elsewhere = createTokens(
    'seed',
    () => ms,
    () => 1_000,
  );
  const target = { kind: 'ficha', codigo: '1509-5-L114' } as const;
  const token = tokens.link(target);
  expect(token).toMatch(/\+\/..==$/);
  expect(elsewhere.find(token)).toEqual(target);
  expect(tokens.link(target)).not.toBe(token);
  const bent = (token[20] === 'A' ? 'B' : 'A') + token.slice(21);
  expect(tokens.find(token.slice(0, 20) + bent)).toBeUndefined();
  expect(tokens.find(encodeURIComponent(token))).toBeUndefined();
  expect(tokens.findState(`/wEP${token}`)).toBeUndefined();
  expect(
    createTokens(
      'another',
      () => ms,
      () => 1_000,
    ).find(token),
  ).toBeUndefined();
  ms += 1_000;
  expect(tokens.find(token)).toBeUndefined();
});

test('procurement: ticket, code and link lead to the same unit', async () => {
  const sandbox = createProcurementSandbox({ now, seed: 'seed' });
  const { SANDBOX_CREDENTIALS } = await import('#shared/sources/procurement/sandbox/credentials.ts');
  const { unit, credentials } = SANDBOX_CREDENTIALS[0]!;
  const qs = createTokens('seed', now, () => 1_000).link({ kind: 'ficha', codigo: `${unit}-5-L114` });
  const ownerOf = (url: string) => sandbox.ownerOf({ url, headers: {}, body: '' });
  for (const url of [`/x?ticket=${credentials.ticket}`, `/x?idlicitacion=${unit}-5-L114`, `/x?qs=${qs}`])
    expect(ownerOf(url), url).toBe(String(unit));
  expect(ownerOf('/x?ticket=nobody')).toBeUndefined();
  await sandbox.close();
});
