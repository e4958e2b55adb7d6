/** Impossible or suspicious content in the answers of two banks: dates, currencies, lists, lost statements. */
import { describe, expect, test } from 'vitest';
import { source as bankone } from '#shared/sources/bankone/source.ts';
import { source as bankthree } from '#shared/sources/bankthree/source.ts';
import type { JsonObject, Parsed, RawAnswer, SourceAdapter } from '#shared/sources/source.ts';
import { type KnownAccounts, NOTHING_KNOWN } from '#shared/values/known-accounts.ts';
import { answerOf } from './ask.ts';
import { FORMS, type Shown } from './closed-forms.ts';

const TODAY = '2026-10-20';
const PERIOD = '2026-09';
const [ONE, THREE] = FORMS as [(typeof FORMS)[number], (typeof FORMS)[number]];

const parse = (source: SourceAdapter, scope: string, answers: RawAnswer[], known = NOTHING_KNOWN): Parsed[] => {
  const { credentials } = source === bankone ? ONE : THREE;
  return [...source.parse({ scope, period: scope === 'balances' ? null : PERIOD, credentials, known }, answers)];
};
const codesOf = (parsed: Parsed[]) => parsed.flatMap((item) => ('notice' in item ? [item.notice.code] : []));
const json = (key: string, request: JsonObject, body: unknown) => answerOf(key, request, JSON.stringify(body));
const REFUSED = expect.objectContaining({ code: 'source.unexpected_response' });
const refusal = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

const month = (period: string, opening: number, changes: Partial<Shown> = {}): Shown => ({
  period,
  from: `${period}-01`,
  to: period === PERIOD ? '2026-09-30' : '2026-08-31',
  isOpen: false,
  opening,
  lines: [{ day: `${period}-10`, document: 7, pesos: 500 }],
  today: TODAY,
  ...changes,
});
const AFTER = month('2026-10', 1_500, { isOpen: true, to: TODAY, lines: [] });
const right = (form: (typeof FORMS)[number], known?: KnownAccounts, shown = month(PERIOD, 1_000)) =>
  parse(form.source, 'movements', form.answers(shown, month('2026-08', 500), AFTER), known);

describe('balances', () => {
  const accounts = json(
    'accounts',
    { list: 'accounts', today: TODAY },
    { rutEmpresa: '076990123K', cuentas: [{ numero: ONE.account, moneda: 'CLP' }] },
  );
  const balance = (fechaConsulta: string) =>
    json(
      'balance/1',
      { list: 'balance', account: ONE.account },
      {
        rutEmpresa: '076990123K',
        numeroCuenta: ONE.account,
        moneda: 'CLP',
        fechaConsulta,
        saldoContable: '1',
        saldoDisponible: '1',
        saldoProvisorio: '',
      },
    );
  const page = answerOf(
    'accounts',
    { page: 'accounts' },
    `<select name="cuenta"><option value="${THREE.account}">Cta. Cte. CLP</option></select><select name="fecha"><option value="ACTUAL">x</option></select>`,
  );
  const file = (currency: string, day: string, account = THREE.account) =>
    answerOf(
      'balances',
      { page: 'balances', today: TODAY },
      `CUENTA;MONEDA;FECHA;HORA;SALDO CONTABLE;SALDO DISPONIBLE\r\n${account};${currency};${day};10:00;1,00;1,00\r\n`,
    );

  test.each([
    ['bankone, of another year', () => parse(bankone, 'balances', [accounts, balance('20200320 10:00:00')])],
    ['bankthree, of another year', () => parse(bankthree, 'balances', [page, file('CLP', '20/10/2020')])],
    [
      'bankthree, in another currency than the account',
      () => parse(bankthree, 'balances', [page, file('USD', '20/10/2026')]),
    ],
  ])('%s: refused', (_, work) => expect(refusal(work)).toEqual(REFUSED));

  test('an account that is not in both lists, or was listed before: one notice', () => {
    expect(codesOf(parse(bankone, 'balances', [accounts, balance('20261020 10:00:00')]))).toEqual([]);
    const known = { ...NOTHING_KNOWN, accounts: ['1230045607', '999'] };
    expect(codesOf(parse(bankone, 'balances', [accounts, balance('20261020 10:00:00')], known))).toEqual([
      'bankone.accounts_gone',
    ]);
    const other = [page, file('CLP', '20/10/2026', '000000000000999')];
    expect(codesOf(parse(bankthree, 'balances', other, known))).toEqual(['bankthree.accounts_gone']);
  });
});

describe('closed statements', () => {
  test('a late booking may be first; further back, or later in the list, it is refused', () => {
    const days = (...all: string[]) =>
      month(PERIOD, 1_000, { lines: all.map((day, at) => ({ day, document: at, pesos: at === 0 ? 501 : -1 })) });
    expect(codesOf(right(ONE, undefined, days('2026-08-31', '2026-09-10')))).toEqual([]);
    for (const wrong of [
      days('2026-08-20', '2026-09-10'),
      days('2026-09-10', '2026-08-31'),
      days('2026-09-10', '2026-10-01'),
    ])
      expect(refusal(() => right(ONE, undefined, wrong))).toEqual(REFUSED);
  });

  test('bankthree: the currency of the file is that of the account', () => {
    const page = answerOf(
      'accounts',
      { page: 'accounts' },
      `<select name="cuenta"><option value="${THREE.account}">1 USD</option></select><select name="fecha"><option value="202609">x</option></select>`,
    );
    const answers = THREE.answers(month(PERIOD, 1_000), month('2026-08', 500), AFTER);
    expect(codesOf(parse(bankthree, 'movements', answers))).toEqual([]);
    expect(refusal(() => parse(bankthree, 'movements', [page, ...answers]))).toEqual(REFUSED);
  });

  test('bankthree: an open file of many years is refused', () => {
    const [asked, ...beside] = THREE.answers(
      month(PERIOD, 1_000, { isOpen: true, from: '1970-01-01' }),
      month('2026-08', 500),
      AFTER,
    );
    const open = { ...asked!, request: { ...asked!.request, fecha: 'ACTUAL' } };
    expect(refusal(() => parse(bankthree, 'movements', [open, ...beside]))).toEqual(REFUSED);
  });

  test('bankone: a month that closed during its request says nothing of its opening', () => {
    const closed = json('beside/1/2026-10', { list: 'beside/1/2026-10' }, { codigo: 'PERIODO_CERRADO' });
    const answers = ONE.answers(month(PERIOD, 1_000), month('2026-08', 500), AFTER);
    const changed = answers.map((answer) => (answer.key === closed.key ? closed : answer));
    expect(codesOf(parse(bankone, 'movements', changed))).toEqual([]);
  });

  test('bankone: a dollar account that becomes one of pesos is reported once', () => {
    const answers = ONE.answers(month(PERIOD, 1_000), month('2026-08', 500), AFTER).map((answer) =>
      answer.key === 'accounts'
        ? { ...answer, body: Buffer.from(Buffer.from(answer.body).toString().replace('CLP', 'USD')) }
        : answer,
    );
    const known = (isOpen: boolean): KnownAccounts => ({
      accounts: [],
      statements: { [PERIOD]: { '1230045607': { opening: '1000', closing: '1500', isOpen, rows: 1 } } },
    });
    expect(codesOf(parse(bankone, 'movements', answers, known(true)))).toEqual(['bankone.movements.currency_lost']);
    expect(codesOf(parse(bankone, 'movements', answers, known(false)))).toEqual([]);
  });
});

describe('bankone: the list of closed statements', () => {
  const withList = (cartolas: { folio: string; periodo: string }[], known = NOTHING_KNOWN) => {
    const answers = ONE.answers(month(PERIOD, 1_000), month('2026-08', 500), AFTER);
    const list = { numeroCuenta: ONE.account, cartolas };
    const request = { list: 'statements', account: ONE.account, today: '2026-12-20' };
    const changed = answers.map((answer) =>
      answer.key === 'statements/1' ? json('statements/1', request, list) : answer,
    );
    const later = changed.map((answer) =>
      answer.key === 'accounts' ? { ...answer, request: { ...answer.request, today: '2026-12-20' } } : answer,
    );
    return parse(bankone, 'movements', later, known);
  };
  const folios = (...periods: string[]) => periods.map((periodo, at) => ({ folio: `0000${at}`, periodo }));

  test('a month in another form is refused', () => {
    expect(refusal(() => withList(folios('2026-10', '09/2026')))).toEqual(REFUSED);
  });

  test.each([
    ['the asked month between others', folios('2026-10', '2026-08')],
    ['an older one between others', folios('2026-09', '2026-07')],
    ['the asked month after older ones', folios('2026-08', '2026-07')],
  ])('%s is left out: reported', (_, list) => {
    expect(codesOf(withList(list))).toEqual(['bankone.movements.statement_missing']);
  });

  test('an account that is younger than the month has nothing to report', () => {
    expect(codesOf(withList(folios('2026-11', '2026-10')))).toEqual([]);
  });
});
