/**
 * Fixtures: stored answers → rows, closed accounts, notices and original rows; and answers that a parser must refuse.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bankthreeBalances } from '#shared/scopes/bankthree-balances.ts';
import { bankthreeMovements } from '#shared/scopes/bankthree-movements.ts';
import { formBody } from '#shared/sources/bankthree/form.ts';
import { source } from '#shared/sources/bankthree/source.ts';
import type { JsonObject, Notice, ParsedRow, RawAnswer } from '#shared/sources/source.ts';
import { answerOf } from './ask.ts';

const FOLDER = new URL('../../../shared/sources/bankthree/fixtures/', import.meta.url);

interface Case {
  scope: string;
  period: string | null;
  credentials: JsonObject;
  answers: { key: string; file: string; request: JsonObject }[];
  rows: JsonObject[];
  raws?: JsonObject[];
  closed: string[];
  notices: Notice[];
}

const CASES = readdirSync(FOLDER).filter((name) => name.endsWith('.case.json'));
const load = (name: string): Case => JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'));
const bytesOf = (file: string): Buffer => readFileSync(new URL(file, FOLDER));

const parse = (
  { scope, period, credentials }: Pick<Case, 'scope' | 'period' | 'credentials'>,
  answers: RawAnswer[],
) => {
  const rows: ParsedRow[] = [];
  const closed: string[] = [];
  const notices: Notice[] = [];
  for (const item of source.parse({ scope, period, credentials }, answers)) {
    if ('notice' in item) notices.push(item.notice);
    else if ('closed' in item) closed.push(item.closed);
    else if ('row' in item) rows.push(item.row);
  }
  return { rows, closed, notices };
};

describe('fixtures', () => {
  test('there are all variants of the wire', () => expect(CASES.length).toBeGreaterThanOrEqual(12));

  test.each(CASES)('%s', (name) => {
    const fixture = load(name);
    const answers = fixture.answers.map(({ key, request, file }) => answerOf(key, request, bytesOf(file)));
    const { rows, closed, notices } = parse(fixture, answers);
    expect(rows.map(({ row }) => row)).toEqual(fixture.rows);
    expect(closed).toEqual(fixture.closed);
    expect(notices).toEqual(fixture.notices);
    if (fixture.raws) expect(rows.map(({ raw }) => raw)).toEqual(fixture.raws);
    const schema = fixture.scope === 'balances' ? bankthreeBalances.parsed : bankthreeMovements.parsed;
    for (const { row, answerKey } of rows) {
      schema.strict().parse(row);
      expect(answerKey).toBe(fixture.answers.at(-1)!.key);
    }
  });
});

const CREDENTIALS = { rut: '12345678-5', company_rut: '76990123-K' };
const FEBRUARY = { scope: 'movements', period: '2025-02', credentials: CREDENTIALS };
const NOW = { scope: 'balances', period: null, credentials: CREDENTIALS };
const KEY = 'statement/1/closed';

const textOf = (file: string): string => bytesOf(file).toString('latin1');
const statement = (text: string, fecha = '202502'): RawAnswer =>
  answerOf(KEY, { page: 'statement', account: '12345678', fecha }, Buffer.from(text, 'latin1'));
const balances = (text: string): RawAnswer =>
  answerOf('balances', { page: 'balances', today: '2025-03-06' }, Buffer.from(text, 'latin1'));

const refusal = (request: typeof FEBRUARY | typeof NOW, answer: RawAnswer): unknown => {
  try {
    parse(request, [answer]);
  } catch (error) {
    return error;
  }
  return undefined;
};

/** `line` counts from 1, `at` as in the positions of the wire document. */
const put = (text: string, line: number, at: number, what: string): string =>
  text
    .split('\r\n')
    .map((old, i) => (i + 1 === line ? old.slice(0, at - 1) + what + old.slice(at - 1 + what.length) : old))
    .join('\r\n');

describe('an impossible statement is refused by line and field, never by value', () => {
  const file = textOf('closed.txt');
  const lines = file.split('\r\n');

  test.each<[string, string, string]>([
    ['no header', lines.slice(1).join('\r\n'), 'line 1: header'],
    ['an empty file', '', 'line 1: header'],
    ['a company RUT with a wrong check digit', put(file, 1, 11, '9'), 'line 1: company RUT'],
    ['another account', put(file, 1, 76, '9'), 'line 1: account'],
    ['an account with letters', put(file, 1, 76, 'X'), 'line 1: account'],
    ['no currency', put(file, 1, 77, '   '), 'line 1: currency'],
    ['another month', file.replaceAll('/02/2025', '/01/2025'), 'line 1: first day or last day'],
    ['a state unheard of', put(file, 1, 100, 'X'), 'line 1: state'],
    ['a date that does not exist', put(file, 3, 2, '30/02/2025'), 'line 3: date'],
    ['a date of another order', put(file, 3, 2, '2025/02/03'), 'line 3: date'],
    ['a date without its year', put(file, 3, 2, '10/02     '), 'line 3: date'],
    ['a date outside the statement', put(file, 4, 2, '01/03/2025'), 'line 4: date'],
    ['a document with letters', put(file, 2, 65, 'A'), 'line 2: document'],
    ['a type unheard of', put(file, 2, 71, 'D'), 'line 2: type'],
    ['a slipped column', put(file, 2, 72, '-'), 'line 2: column 72'],
    ['an amount with a sign', put(file, 2, 80, '-'), 'line 2: amount'],
    ['an amount with thousands', file.replace('     1300000,00', '  1.300.000,00 '), 'line 2: amount'],
    ['an amount with a point', file.replace('1300000,00 ', '1300000.00 '), 'line 2: amount'],
    ['an amount without decimals', file.replace('  1300000,00', '1300000     '), 'line 2: amount'],
    ['no amount', put(file, 2, 73, ' '.repeat(18)), 'line 2: amount and balance'],
    ['cents of a peso', file.replace('1300000,00 ', '1300000,50 '), 'line 2: amount'],
    ['a charge that is called a credit', put(file, 2, 71, 'A'), 'line 2: balance'],
    ['a balance that does not follow', file.replace('12000000,00', '12000001,00'), 'line 3: balance'],
    ['an unknown record', put(file, 3, 1, '9'), 'line 3: record'],
    ['a line too few', [lines[0], lines[1], lines[2], lines[4], ''].join('\r\n'), 'number of movements'],
    ['a wrong count', put(file, 5, 8, '4'), 'line 5: number of movements'],
    ['a wrong opening balance', file.replace('9800000,00  ', '9800001,00  '), 'line 2: balance'],
    ['a wrong total of charges', put(file, 5, 44, '1'), 'line 5: total of charges'],
    ['a wrong total of credits', put(file, 5, 62, '1'), 'line 5: total of credits'],
    ['a wrong closing balance', put(file, 5, 80, '1'), 'line 5: closing balance'],
    ['no trailer', lines.slice(0, 4).join('\r\n'), 'line 4: trailer'],
    ['a header and nothing else', lines[0]!, 'line 1: trailer'],
    ['a trailer in the middle', [...lines.slice(0, 5), lines[1]].join('\r\n'), 'line 6: trailer'],
  ])('%s', (_what, text, where) => {
    const failure = refusal(FEBRUARY, statement(text));
    expect(failure).toMatchObject({ name: 'SourceError', code: 'source.unexpected_response' });
    expect((failure as Error).message).toContain(`movements 2025-02, ${KEY}, `);
    expect((failure as Error).message).toContain(where);
    expect((failure as Error).message).not.toMatch(/\d{5}/);
  });

  test('read as UTF-8 its columns would slip: such a file is refused', () => {
    const utf8 = { ...statement(''), body: new Uint8Array(Buffer.from(file, 'utf8')) };
    expect(refusal(FEBRUARY, utf8)).toMatchObject({ code: 'source.unexpected_response' });
  });

  test('another company is for the owner to fix', () => {
    const other = { ...FEBRUARY, credentials: { ...FEBRUARY.credentials, company_rut: '12345678-5' } };
    expect(refusal(other, statement(file))).toMatchObject({ code: 'source.wrong_company' });
  });

  test('line ends, trailing blanks and blank lines at the end may be missing or more', () => {
    const rows = parse(FEBRUARY, [statement(file)]);
    for (const other of [file.replaceAll('\r\n', '\n'), file.trimEnd(), `${file}\r\n  \r\n`]) {
      expect(parse(FEBRUARY, [statement(other)])).toEqual(rows);
    }
  });

  test('a statement called closed or open is what its header says', () => {
    const open = parse(FEBRUARY, [statement(put(file, 1, 100, 'P'))]);
    expect(open.rows.every(({ row }) => row.provisional)).toBe(true);
    expect(open.closed).toEqual([]);
    const closed = parse(FEBRUARY, [statement(file, 'ACTUAL')]);
    expect(closed.rows.every(({ row }) => !row.provisional)).toBe(true);
    expect(closed.closed).toEqual(['000000012345678']);
  });
});

describe('balances that cannot be read are refused by line and column, never by value', () => {
  const file = textOf('balances.csv');
  test.each<[string, string, string]>([
    ['a column that is gone', file.replaceAll(/;[^;\r]*\r/g, '\r'), 'line 1: SALDO DISPONIBLE'],
    ['a column that is there twice', file.replace('SALDO DISPONIBLE', 'SALDO CONTABLE'), 'line 1: SALDO CONTABLE'],
    ['a line that is short', file.replace(';0,00\r', '\r'), 'line 3: line'],
    ['a line that is long', file.replace(';0,00\r', ';0,00;1\r'), 'line 3: line'],
    ['no account', file.replace('000000012345678', ''), 'line 2: CUENTA'],
    ['no currency', file.replace(';CLP;', ';;'), 'line 2: MONEDA'],
    ['a date that does not exist', file.replace('06/03', '31/02'), 'line 2: FECHA'],
    ['no time', file.replace(';16:30;', ';;'), 'line 2: HORA'],
    ['a time that does not exist', file.replace(';16:30;', ';24:00;'), 'line 2: HORA'],
    ['words', file.replace('12.345.678,00', 'Sin información'), 'line 2: SALDO CONTABLE'],
    ['a decimal point', file.replace('12.345.678,00', '12345678.00'), 'line 2: SALDO CONTABLE'],
    ['groups of two', file.replace('12.345.678,00', '12.34.678,00'), 'line 2: SALDO CONTABLE'],
    ['a sign behind', file.replace('-1.520,75', '1.520,75-'), 'line 3: SALDO CONTABLE'],
    ['cents of a peso', file.replace('12.345.678,00', '12.345.678,01'), 'line 2: SALDO CONTABLE'],
    ['two balances of one account', `${file}${file.split('\r\n')[2]!.replace('75', '76')}\r\n`, 'line 4: CUENTA'],
    ['a cut line', file.slice(0, -6), 'line 3: end of the line'],
    ['a line cut behind its separator', file.slice(0, file.lastIndexOf(';') + 1), 'line 3: end of the line'],
  ])('%s', (_what, text, where) => {
    const failure = refusal(NOW, balances(text));
    expect(failure).toMatchObject({ name: 'SourceError', code: 'source.unexpected_response' });
    expect((failure as Error).message).toContain(`balances, balances, ${where}`);
    expect((failure as Error).message).not.toMatch(/\d{5}/);
  });

  test('an empty list gives no balances', () => {
    expect(parse(NOW, [balances(`${file.split('\r\n')[0]}\r\n`)])).toEqual({ rows: [], closed: [], notices: [] });
  });

  test('without dots the amount is the same', () => {
    const text = file.replace('12.345.678,00', '12345678,00');
    expect(parse(NOW, [balances(text)]).rows.map(({ row }) => row)).toEqual(
      parse(NOW, [balances(file)]).rows.map(({ row }) => row),
    );
  });
});

describe('the page of accounts and months', () => {
  const page = textOf('accounts.body');
  test.each([
    ['no select of accounts', page.replace('"cuenta"', '"otra"')],
    ['an account without a number', page.replace('"000000098765432"', '"Operación"')],
    [
      'more accounts than a company has',
      page.replace('</select>', `${Array.from({ length: 201 }, (_, i) => `<option value="9${i}">`).join('')}</select>`),
    ],
  ])('%s', (_what, html) => {
    const answer = answerOf('accounts', { page: 'accounts' }, Buffer.from(html, 'latin1'));
    expect(refusal(FEBRUARY, answer)).toMatchObject({ code: 'source.unexpected_response' });
  });
});

test('a form is posted in the charset of its page', () => {
  expect(formBody({ clave: 'ñandú +%&1.-_*', dv: 'K' })).toBe('clave=%F1and%FA+%2B%25%261.-_*&dv=K');
  expect(formBody({ clave: 'n\u0303' })).toBe('clave=%F1');
  expect(formBody({ clave: '€' })).toBe('clave=%26%238364%3B');
});
