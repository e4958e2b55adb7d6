import { expect, test } from 'vitest';
import { itemKind, parseSecretKey } from '#shared/table/item-kind.ts';
import { type Key, keys } from '#shared/table/keys.ts';

const ORGANIZATION = 'organization-1';
const CONNECTION = 'connection-1';
const ROW = 'a1b2c3';
const SCOPE = { organizationId: ORGANIZATION, connectionId: CONNECTION, scope: 'rcv' };
const TENDER = { organizationId: ORGANIZATION, connectionId: CONNECTION, codigo: '1-2-LE26' };
const credentials = keys.credentials(ORGANIZATION, CONNECTION);
const logins = keys.logins(ORGANIZATION, 'tax', 'hmac');

const KINDS: readonly (readonly [Key, string])[] = [
  [keys.token('sha256'), 'TOKEN'],
  [keys.connection(ORGANIZATION, CONNECTION), 'CONFIG CONN'],
  [keys.webhookCount(ORGANIZATION), 'CONFIG HOOKS'],
  [keys.consentCount(ORGANIZATION), 'CONFIG GRANTS'],
  [credentials, 'CONN CREDENTIALS'],
  [keys.run(ORGANIZATION, CONNECTION, 'run-1'), 'CONN RUN'],
  [keys.waiter(keys.waiters(ORGANIZATION, CONNECTION, 'rcv'), 'now', 'run-1', 'rcv'), 'CONN WAIT'],
  [logins, 'LOGIN LOGINS'],
  [{ pk: keys.rows(SCOPE, '2026-10', 'issued'), sk: `2026-10-05#now#${ROW}` }, 'ROWS'],
  [keys.fullRow(SCOPE, ROW), 'ROW'],
  [keys.childRows(SCOPE, ROW, 1), 'ROW'],
  [keys.summary(SCOPE), 'INDEX SUMMARY'],
  [keys.searchPart(SCOPE, '2026-10', 'digest', 1), 'INDEX SEARCH'],
  [keys.tenderRow(TENDER, 'ofertas', ROW), 'MP OFERTA'],
  [keys.fileOf(ORGANIZATION, CONNECTION, 'document-1'), 'TENDERS FILE'],
  [keys.documentFile(ORGANIZATION, 'document-1', CONNECTION), 'FILE'],
  [keys.scheduleComparison(), 'SCHEDULES COMPARISON'],
  [keys.idempotency(ORGANIZATION, 'hash'), 'IDEM'],
];

test.each(KINDS)('%o is %s', (key, kind) => {
  expect(itemKind(key)).toBe(kind);
});

test('credentials and logins name the owner of their secret, other items do not', () => {
  expect(parseSecretKey(credentials)).toEqual({
    kind: 'credentials',
    organizationId: ORGANIZATION,
    connectionId: CONNECTION,
  });
  expect(parseSecretKey(logins)).toEqual({
    kind: 'logins',
    organizationId: ORGANIZATION,
    source: 'tax',
    login: 'hmac',
  });
  for (const [key] of KINDS.filter(([each]) => each !== credentials && each !== logins))
    expect(parseSecretKey(key)).toBeUndefined();
});
