/** The table of the sandbox's logins: complete, and accepted by the manifest. */
import { expect, test } from 'vitest';
import { manifest } from '#shared/sources/tax/manifest.ts';
import { SANDBOX_CREDENTIALS } from '#shared/sources/tax/sandbox/credentials.ts';

test('is accepted by the manifest, has every RUT once, and begins with one that simply works', () => {
  for (const { credentials, metadata } of SANDBOX_CREDENTIALS) {
    expect(manifest.credentialsSchema.safeParse(credentials).success).toBe(true);
    expect(manifest.metadataSchema.safeParse(metadata).success).toBe(true);
    expect(Object.keys(credentials)[0]).toBe('rut');
  }
  const ruts = SANDBOX_CREDENTIALS.map(({ credentials }) => credentials.rut);
  expect(new Set(ruts).size).toBe(ruts.length);
  expect(SANDBOX_CREDENTIALS[0]).toMatchObject({ behaviour: 'works', outcomes: {} });
});

test('names scopes of the manifest, and nothing that is named by * as well', () => {
  for (const { outcomes, notices = {} } of SANDBOX_CREDENTIALS) {
    const scopes = [...Object.keys(outcomes), ...Object.keys(notices)].filter((scope) => scope !== '*');
    for (const scope of scopes) expect(manifest.scopes).toContain(scope);
    if ('*' in outcomes) expect(Object.keys(outcomes)).toEqual(['*']);
  }
});

test('every code that ends a scope of this source, and every notice, has an entry', () => {
  const seen = new Set(
    SANDBOX_CREDENTIALS.flatMap(({ outcomes, notices = {} }) => [
      ...Object.values(outcomes),
      ...Object.values(notices).flat(),
    ]),
  );
  expect([...seen].toSorted()).toEqual([
    'source.account_locked',
    'source.blocked',
    'source.invalid_credentials',
    'source.login_not_allowed',
    'source.maintenance',
    'source.password_expired',
    'source.session_limit',
    'source.timeout',
    'source.unavailable',
    'source.unexpected_response',
    'source.wrong_company',
    'tax.boletas.total_only',
    'tax.boletas.totals_differ',
    'tax.guias.fewer_than_total',
    'tax.guias.lines_unreadable',
    'tax.guias.out_of_window',
    'tax.guias.totals_differ',
    'tax.rcv.columns_missing',
    'tax.rcv.lines_unreadable',
    'tax.rcv.total_only',
    'tax.rcv.totals_differ',
  ]);
});

test('temporary faults are also in it', () => {
  const passing = SANDBOX_CREDENTIALS.filter(
    ({ outcomes, expected }) => Object.keys(outcomes).length === 0 && Object.keys(expected.pull).length > 0,
  );
  expect(passing.map(({ behaviour }) => behaviour)).toEqual(['rate_limited', 'session_expires']);
});
