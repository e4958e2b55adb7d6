/** Fixtures: stored answers → rows, notices and original rows; and answers that the parser must refuse. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { banktwoBalances } from '#shared/scopes/banktwo-balances.ts';
import { banktwoMovements } from '#shared/scopes/banktwo-movements.ts';
import { source } from '#shared/sources/banktwo/source.ts';
import type { JsonObject, Notice, ParsedRow, RawAnswer } from '#shared/sources/source.ts';
import { answerOf } from './ask.ts';

const FOLDER = new URL('../../../shared/sources/banktwo/fixtures/', import.meta.url);
const SCOPES = { movements: banktwoMovements, balances: banktwoBalances };

interface Case {
  scope: keyof typeof SCOPES;
  period: string | null;
  credentials: JsonObject;
  answers: { key: string; file: string; request: JsonObject }[];
  rows: JsonObject[];
  raws?: JsonObject[];
  notices: Notice[];
  whereKept?: Notice[];
}

const CASES = readdirSync(FOLDER).filter((name) => name.endsWith('.case.json'));
const load = (name: string): Case => JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'));
const answersOf = ({ answers }: Case): RawAnswer[] =>
  answers.map(({ key, request, file }) => answerOf(key, request, readFileSync(new URL(file, FOLDER))));

const parse = ({ scope, period, credentials }: Case, answers: RawAnswer[]) => {
  const rows: ParsedRow[] = [];
  const notices: Notice[] = [];
  const whereKept: Notice[] = [];
  for (const item of source.parse({ scope, period, credentials }, answers)) {
    if ('notice' in item) notices.push(item.notice);
    else if ('whereKept' in item) whereKept.push(item.whereKept);
    else if ('row' in item) rows.push(item.row);
  }
  return { rows, notices, whereKept };
};

const refusal = (fixture: Case, answers: RawAnswer[]): unknown => {
  try {
    parse(fixture, answers);
  } catch (error) {
    return error;
  }
  return undefined;
};

describe('fixtures', () => {
  test('there are all variants of the wire', () => expect(CASES.length).toBeGreaterThanOrEqual(12));

  test.each(CASES)('%s', (name) => {
    const fixture = load(name);
    const { rows, notices, whereKept } = parse(fixture, answersOf(fixture));
    expect(rows.map(({ row }) => row)).toEqual(fixture.rows);
    expect(notices).toEqual(fixture.notices);
    expect(whereKept).toEqual(fixture.whereKept ?? []);
    if (fixture.raws) expect(rows.map(({ raw }) => raw)).toEqual(fixture.raws);
    const keys = fixture.answers.map(({ key }) => key);
    for (const { row, answerKey } of rows) {
      SCOPES[fixture.scope].parsed.parse(row);
      expect(keys).toContain(answerKey);
    }
  });

  test.each(CASES)('%s: the order of answers does not matter', (name) => {
    const fixture = load(name);
    const answers = answersOf(fixture);
    expect(parse(fixture, answers.toReversed())).toEqual(parse(fixture, answers));
  });
});

/** The document's example with one change. */
const changed = (name: string, change: (body: JsonObject) => void): [Case, RawAnswer[]] => {
  const fixture = load(name);
  const answers = answersOf(fixture);
  const last = answers.at(-1)!;
  const body = JSON.parse(new TextDecoder().decode(last.body));
  change(body);
  return [fixture, [...answers.slice(0, -1), { ...last, body: new TextEncoder().encode(JSON.stringify(body)) }]];
};

const at = (object: JsonObject, path: string): [JsonObject, string] => {
  const steps = path.split('.');
  const field = steps.pop()!;
  return [steps.reduce((inner, step) => inner[step] as JsonObject, object), field];
};

const set =
  (path: string, value: unknown) =>
  (body: JsonObject): void => {
    const [inner, field] = at(body, path);
    if (value === undefined) delete inner[field];
    else inner[field] = value as JsonObject;
  };

describe('movements: what cannot be read is named by row and field, never by value', () => {
  test.each([
    ['movementNumber', undefined],
    ['movementNumber', null],
    ['movementNumber', 812],
    ['transactionDate', undefined],
    ['transactionDate', null],
    ['transactionDate', ''],
    ['transactionDate', '1970-01-01'],
    ['transactionDate', '2026-03-05'],
    ['transactionDate', '2025-02-30'],
    ['transactionDate', '05/03/2025'],
    ['accountingDate', null],
    ['accountingDate', '2025-03-07'],
    ['accountingDate', '2025-02-28'],
    ['movementAmount', undefined],
    ['movementAmount', null],
    ['movementAmount', '-00000042500000'],
    ['movementAmount', '0000042500000-'],
    ['movementAmount', '000000042500000-'],
    ['movementAmount', '00000042500050-'],
    ['movementAmount', '00000425000.00-'],
    ['movementAmount', '00000042500000--'],
    ['movementAmount', -425000],
    ['newBalance', undefined],
    ['newBalance', null],
    ['newBalance', ''],
    ['newBalance', '11.700.000'],
    ['newBalance', 'Sin información'],
    ['chargePaymentFlag', undefined],
    ['chargePaymentFlag', 'C'],
    ['chargePaymentFlag', 'H'],
    ['mnemonic', 7],
    ['category', ['SECRETO']],
    ['observation', { text: 'SECRETO' }],
    ['counterparty', 'SECRETO'],
    ['counterparty', ''],
  ])('%s = %j', (field, value) => {
    const [fixture, answers] = changed('movements-document.case.json', set(`movements.1.${field}`, value));
    const failure = refusal(fixture, answers) as Error;
    expect(failure).toMatchObject({ name: 'SourceError', code: 'source.unexpected_response' });
    expect(failure.message).toContain('movements/account-1/1/1, row 2: ');
    expect(failure.message).toContain(field);
    if (typeof value === 'string' && value.length > 1) expect(failure.message).not.toContain(value);
  });

  test.each([
    ['currency', 'USD', 'source.unexpected_response'],
    ['accountId', '0012000000456780', 'source.wrong_company'],
    ['accountId', undefined, 'source.unexpected_response'],
    ['movements', null, 'source.unexpected_response'],
    ['movements', [1], 'source.unexpected_response'],
    ['repositioningExit', undefined, 'source.unexpected_response'],
    ['repositioningExit.recordRecover', '3', 'source.unexpected_response'],
    ['repositioningExit.recordRecover', '1', 'source.unexpected_response'],
    ['repositioningExit.recordRecover', 'dos', 'source.unexpected_response'],
    ['repositioningExit.recordRecover', undefined, 'source.unexpected_response'],
  ])('%s = %j: %s', (path, value, code) => {
    expect(refusal(...changed('movements-document.case.json', set(path, value)))).toMatchObject({ code });
  });

  test.each<[string, (body: JsonObject) => void]>([
    ['an amount of ten times as much', set('movements.0.movementAmount', '00003500000000+')],
    [
      'a movement invented between two',
      (body) => {
        const [newest, oldest] = body.movements as JsonObject[];
        body.movements = [newest!, { ...oldest!, movementNumber: '000000999' }, oldest!];
        (body.repositioningExit as JsonObject).recordRecover = '3';
      },
    ],
    ['another balance', set('movements.1.newBalance', '00001170000100+')],
    ['oldest first', (body) => void (body.movements as JsonObject[]).reverse()],
  ])('%s: the balances do not follow', (_what, change) => {
    expect(refusal(...changed('movements-document.case.json', change))).toMatchObject({
      code: 'source.unexpected_response',
      message: expect.stringContaining('newBalance'),
    });
  });

  test('a full page without a cursor', () => {
    const [fixture, [accounts, , page1]] = changed('movements-two-pages-second-round.case.json', () => {});
    const body = JSON.parse(new TextDecoder().decode(page1!.body));
    delete body.repositioningExit.initialMove;
    const answers = [accounts!, { ...page1!, body: new TextEncoder().encode(JSON.stringify(body)) }];
    expect(refusal(fixture, answers)).toMatchObject({ code: 'source.unexpected_response' });
  });

  test.each([
    ['the last page', 3],
    ['a page in between', 2],
    ['the accounts', 0],
  ])('%s is missing', (_what, missing) => {
    const fixture = load('movements-two-pages-second-round.case.json');
    const answers = answersOf(fixture).filter((_, i) => i !== missing);
    expect(refusal(fixture, answers)).toMatchObject({ code: 'source.unexpected_response' });
  });

  test('no page of an account at all', () => {
    const fixture = load('movements-document.case.json');
    expect(refusal(fixture, answersOf(fixture).slice(0, 1))).toMatchObject({ code: 'source.unexpected_response' });
  });
});

describe('accounts', () => {
  const read = (accounts: unknown) => {
    const fixture = load('movements-empty.case.json');
    const [first, page] = answersOf(fixture) as [RawAnswer, RawAnswer];
    const body = new TextEncoder().encode(JSON.stringify({ accounts }));
    return () => parse(fixture, [{ ...first, body }, page]);
  };
  const ACCOUNT = { accountId: '0012000000456789', number: '0-000-0456789-1', currency: 'CLP', status: 'ACTIVE' };

  test.each([
    ['no list', undefined],
    ['no id', [{ ...ACCOUNT, accountId: undefined }]],
    ['an id that is a path', [{ ...ACCOUNT, accountId: '../x' }]],
    ['no number', [{ ...ACCOUNT, number: ' ' }]],
    ['no currency', [{ ...ACCOUNT, currency: null }]],
    ['a currency in words', [{ ...ACCOUNT, currency: 'Pesos' }]],
    ['one account twice', [ACCOUNT, ACCOUNT]],
    ['two accounts of one number', [ACCOUNT, { ...ACCOUNT, accountId: '0013000000456789', number: '04567891' }]],
  ])('%s', (_what, accounts) => {
    expect(read(accounts)).toThrow(expect.objectContaining({ code: 'source.unexpected_response' }));
  });
});

describe('balances', () => {
  test.each([
    ['accountId', '0099000000000001', 'source.wrong_company'],
    ['currency', 'USD', 'source.unexpected_response'],
    ['asOf', undefined, 'source.unexpected_response'],
    ['asOf', null, 'source.unexpected_response'],
    ['asOf', '2025-02-30T10:00:00-03:00', 'source.unexpected_response'],
    ['asOf', '2025-03-06T24:00:00-03:00', 'source.unexpected_response'],
    ['asOf', '2025-03-06', 'source.unexpected_response'],
    ['accountingBalance', undefined, 'source.unexpected_response'],
    ['accountingBalance', null, 'source.unexpected_response'],
    ['availableBalance', '', 'source.unexpected_response'],
    ['availableBalance', '1.470.000', 'source.unexpected_response'],
    ['accountingBalance9am', undefined, 'source.unexpected_response'],
    ['withholdings', undefined, 'source.unexpected_response'],
    ['withholdings.oneDay', undefined, 'source.unexpected_response'],
    ['withholdings.oneDay', 'n/a', 'source.unexpected_response'],
    ['withholdings.twoToFourDays', 0, 'source.unexpected_response'],
  ])('%s = %j: %s', (path, value, code) => {
    expect(refusal(...changed('balances-document.case.json', set(path, value)))).toMatchObject({ code });
  });

  test('what is withheld may be negative, and is added with its sign', () => {
    const [fixture, answers] = changed(
      'balances-document.case.json',
      set('withholdings.moreThanFour', '00000050000100-'),
    );
    expect(parse(fixture, answers).rows[0]!.row.retencion).toBe('-1');
  });
});
