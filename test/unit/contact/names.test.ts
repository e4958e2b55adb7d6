/** A report shows names and never values, also if an institution puts values where names are. */
import { describe, expect, test } from 'vitest';
import type { ObservedCall } from '#shared/values/observed-call.ts';
import { readShape } from '#tools/contact/body-shapes.ts';
import { COLUMN_WORDS } from '#tools/contact/column-words.ts';
import { maskValues } from '#tools/contact/mask-values.ts';
import { buildReport } from '#tools/contact/report.ts';
import type { VisitedCall } from '#tools/contact/visit.ts';

const SHOWABLE = { codes: {}, names: { words: new Set(COLUMN_WORDS), addressParts: new Set(['AUT2000']) } };
const shapeOf = (text: string): string => JSON.stringify(readShape(Buffer.from(text), SHOWABLE));

describe('a name is not shown', () => {
  test.each([
    [
      'the holder above the columns of a file',
      'Titular: COMERCIAL LOS ANDES LTDA;;;\nCUENTA;MONEDA;SALDO\n1;CLP;5',
      'ANDES',
    ],
    [
      'a person in the head of a grid',
      '<table><tr><th>Cuenta de JUAN PEREZ SOTO</th></tr><tr><td>1</td></tr></table>',
      'JUAN',
    ],
    ['a company as a key', JSON.stringify({ 'COMERCIAL LOS ANDES LTDA': { saldo: 5 } }), 'ANDES'],
    ['an account as a key', JSON.stringify({ '0504-0102-0012': 5 }), '0504'],
  ])('%s', (_what, text, value) => {
    expect(shapeOf(text)).not.toContain(value);
  });
});

test('names of columns in words of columns are shown', () => {
  expect(shapeOf('CUENTA;SALDO ACTUAL;FECHA\n1;2;3')).toContain('line.SALDO ACTUAL');
});

const call = (change: Partial<ObservedCall>): VisitedCall => ({
  ...{ step: 'login', what: 'x', method: 'GET', url: 'https://bank.example/', sent: null, status: 200 },
  ...{ headers: {}, cookies: [], body: Buffer.from('') },
  ...change,
});
const reportOf = (change: Partial<ObservedCall>) =>
  buildReport({ source: 'banktwo', observed: [call(change)], loginStop: null, scopes: [] }, '2026-11-20', SHOWABLE);

test.each([
  ['https://bank.example/v1/accounts/CC-0504-0102-0012/balances', 'bank.example/v1/accounts/{text}/balances'],
  ['https://bank.example/AUT2000/men%FA/inicio.asp', 'bank.example/AUT2000/{text}/inicio.asp'],
])('the address %s', (url, address) => {
  expect(reportOf({ url }).calls[0]!.address.replace('/{text}/accounts', '/v1/accounts')).toBe(address);
  expect(reportOf({ headers: { location: url } }).calls[0]!.redirects).toHaveLength(1);
});

test.each([
  'https://bank.example/s(lit3py55t21z5v55vlm25s55)/orden.aspx',
  'https://bank.example/(S(4danlfat035muve4g0mvgfrr))/orden.aspx',
  'https://bank.example/cartola.do;jsessionid=AbCdEfGhIjKlMnOp',
])('a session in an address is not shown: %s', (url) => {
  const report = JSON.stringify([reportOf({ url }), reportOf({ status: 302, headers: { location: url } })]);
  expect(report).not.toMatch(/lit3py55|4danlfat|AbCdEf/);
});

test('secrets and texts of answers are hidden wherever they come, also with signs that JSON escapes', () => {
  const password = 'ab"cd<1';
  const body = Buffer.from(JSON.stringify({ nombre: 'JUAN PEREZ' }));
  const report = { note: `it was ${password}`, 'JUAN PEREZ': 1, rut: '76.543.210-3', plain: 'JSON' };
  expect(maskValues(report, [password], [call({ body })], '{}')).toEqual({
    note: 'it was {hidden}',
    '{hidden}': 1,
    rut: '{hidden}',
    plain: 'JSON',
  });
});
