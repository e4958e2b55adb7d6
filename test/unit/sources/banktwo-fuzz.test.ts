/** Mutated answers give right rows or a SourceError, never another crash, a wrong sign or a silent gap. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { banktwoBalances } from '#shared/scopes/banktwo-balances.ts';
import { type BanktwoMovement, banktwoMovements } from '#shared/scopes/banktwo-movements.ts';
import { SHARED_NUMBERS_MAX } from '#shared/sources/banktwo/limits.ts';
import { source } from '#shared/sources/banktwo/source.ts';
import { type ParsedRow, type RawAnswer, SourceError } from '#shared/sources/source.ts';
import { runs } from '#test/helpers/effort.ts';
import { answerOf } from './ask.ts';

/** Every run uses the same cases, so a failure comes from the code and not from chance. */
fc.configureGlobal({ seed: 20_261_120 });

const WINDOW = { openingDate: '2026-10-01', closingDate: '2026-10-31', earliestDate: '2025-05-20' };
const accountsAnswer = (currency: string): RawAnswer =>
  answerOf(
    'accounts',
    { call: 'accounts', ...WINDOW },
    JSON.stringify({ accounts: [{ accountId: '0012000000456789', number: '0-000-0456789-1', currency }] }),
  );

const PAGE_REQUEST = { call: 'transactions', accountId: '0012000000456789', ...WINDOW, round: 1, page: 1 };
const pageOf = (movements: unknown, currency = 'CLP'): string =>
  JSON.stringify({
    accountId: '0012000000456789',
    currency,
    movements,
    repositioningExit: { recordRecover: String((movements as unknown[]).length ?? 0) },
  });

const parse = (scope: string, answers: RawAnswer[]): ParsedRow[] | undefined => {
  const rows: ParsedRow[] = [];
  try {
    for (const item of source.parse(
      { scope, period: scope === 'movements' ? '2026-10' : null, credentials: {} },
      answers,
    ))
      if ('row' in item) rows.push(item.row);
  } catch (error) {
    expect(error).toBeInstanceOf(SourceError);
    expect(['source.unexpected_response', 'source.wrong_company']).toContain((error as SourceError).code);
    return undefined;
  }
  return rows;
};
const parsePage = (body: string | Uint8Array, currency = 'CLP') =>
  parse('movements', [accountsAnswer(currency), answerOf('movements/account-1/1/1', PAGE_REQUEST, body)]);
const parseBalances = (body: string | Uint8Array, currency = 'CLP') =>
  parse('balances', [
    accountsAnswer(currency),
    answerOf('balances/account-1', { call: 'balances', accountId: '0012000000456789' }, body),
  ]);

/** For any input, every row is valid for the scope, with its key, its sign and its month. */
const expectSound = (rows: ParsedRow[] | undefined): void => {
  for (const { row, raw } of rows ?? []) {
    const parsed = banktwoMovements.parsed.parse(row) as BanktwoMovement;
    expect(parsed.movement_number).toBeTruthy();
    expect(parsed.fecha_contable).toMatch(/^2026-10-/);
    expect(parsed.amount).not.toBeNull();
    const isCharge = raw.chargePaymentFlag === 'D';
    expect([parsed.tipo, parsed.direction]).toEqual(isCharge ? ['C', 'issued'] : ['A', 'received']);
    if (!/^-?0+(?:\.0+)?$/.test(parsed.amount!)) expect(parsed.amount!.startsWith('-')).toBe(isCharge);
  }
};

const ROW = {
  movementNumber: '000000812',
  transactionDate: '2026-10-05',
  accountingDate: '2026-10-06',
  operationTime: '18:27:31',
  movementAmount: '00000350000000+',
  chargePaymentFlag: 'H',
  mnemonic: 'TEFR',
  category: 'TRANSFERENCIA',
  observation: 'Transf. de INVENTOS SA',
  newBalance: '00001520000000+',
  counterparty: { rut: '00765432103', name: 'INVENTOS SA', bankCode: '016', accountNumber: '000012345' },
};
const BALANCES = {
  accountId: '0012000000456789',
  currency: 'CLP',
  asOf: '2026-10-06T16:30:02-03:00',
  accountingBalance: '00001520000000+',
  availableBalance: '00001470000000+',
  accountingBalance9am: '00001200000000+',
  withholdings: { oneDay: '00000030000000+', twoToFourDays: '00000020000000+', moreThanFour: '00000000000000+' },
};

const anyCell = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>('', ' ', '-', null, '0', '00000000000000', '00000000000100-', '00000000000001+', 'D', 'H'),
  fc.constantFrom<unknown>('2026-10-31', '2026-11-01', '2026-02-30', '1e9', '\u0000', 'Sin información', 1e21),
  fc.integer(),
);

describe('movements', () => {
  const keys = Object.keys(ROW);

  test('any field may hold anything', () => {
    const changes = fc.dictionary(fc.constantFrom(...keys), anyCell, { maxKeys: 4 });
    void fc.assert(
      fc.property(changes, fc.constantFrom('CLP', 'USD'), (change, currency) =>
        expectSound(parsePage(pageOf([{ ...ROW, ...change }], currency), currency)),
      ),
      { numRuns: runs(700) },
    );
  });

  test('any field may be gone: only what is not required may be', () => {
    const assumed = ['operationTime', 'mnemonic', 'category', 'observation', 'counterparty'];
    for (const key of keys) {
      const { [key as 'category']: _, ...row } = ROW;
      expect(parsePage(pageOf([row])) === undefined, key).toBe(!assumed.includes(key));
    }
  });

  test('amounts keep their sign and every digit', () => {
    const hundredths = fc.bigInt({ min: 0n, max: 99_999_999_999_999n });
    void fc.assert(
      fc.property(
        hundredths,
        fc.constantFrom('+', '-', ' ', ''),
        fc.constantFrom('CLP', 'USD'),
        (n, sign, currency) => {
          const value = currency === 'CLP' ? n - (n % 100n) : n;
          const digits = String(value).padStart(14, '0');
          const row = { ...ROW, movementAmount: digits + sign, chargePaymentFlag: sign === '-' ? 'D' : 'H' };
          const [whole, cents] = [String(value / 100n), String(value % 100n).padStart(2, '0')];
          const minus = sign === '-' && value > 0n ? '-' : '';
          const wanted = minus + whole + (currency === 'CLP' ? '' : `.${cents}`);
          expect(parsePage(pageOf([row], currency), currency)?.[0]?.row.amount).toBe(wanted);
        },
      ),
      { numRuns: runs(300) },
    );
  });

  test('a sign that does not agree with the flag is never turned', () => {
    void fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999 }), fc.boolean(), (pesos, isCharge) => {
        const movementAmount = String(pesos * 100).padStart(14, '0') + (isCharge ? '+' : '-');
        expect(
          parsePage(pageOf([{ ...ROW, movementAmount, chargePaymentFlag: isCharge ? 'D' : 'H' }])),
        ).toBeUndefined();
      }),
    );
  });

  test('cut anywhere: all rows or a refusal', () => {
    const text = pageOf([ROW, { ...ROW, movementNumber: '000000811' }]);
    void fc.assert(
      fc.property(fc.nat(text.length - 1), (length) => {
        expect(parsePage(text.slice(0, length))).toBeUndefined();
      }),
      { numRuns: runs(300) },
    );
  });

  test('characters changed, inserted or removed', () => {
    const text = pageOf([ROW, { ...ROW, movementNumber: '000000811' }]);
    const edit = fc.record({
      at: fc.nat(text.length),
      drop: fc.nat(3),
      put: fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom('"', '-', '+', ' ', '0', ',', 'ñ', '}', 'null')),
    });
    void fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), (edits) => {
        let changed = text;
        for (const { at, drop, put } of edits) changed = changed.slice(0, at) + put + changed.slice(at + drop);
        expectSound(parsePage(changed));
      }),
      { numRuns: runs(500) },
    );
  });

  test('any JSON and any bytes', () => {
    void fc.assert(fc.property(fc.jsonValue(), (value) => expectSound(parsePage(JSON.stringify(value)))));
    void fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => expectSound(parsePage(bytes))));
  });

  test('a few numbers that repeat never lose a movement, more are refused', () => {
    const movement = fc.record({
      number: fc.integer({ min: 1, max: 3 }),
      day: fc.constantFrom('2026-10-05', '2026-10-06'),
      pesos: fc.integer({ min: 1, max: 3 }),
    });
    void fc.assert(
      fc.property(fc.uniqueArray(movement, { selector: (m) => JSON.stringify(m), maxLength: 18 }), (movements) => {
        const balanceOf = (at: number) => movements.slice(at).reduce((sum, { pesos }) => sum + pesos * 100, 0);
        const rows = parsePage(
          pageOf(
            movements.map(({ number, day, pesos }, at) => ({
              ...ROW,
              movementNumber: String(number).padStart(9, '0'),
              accountingDate: day,
              movementAmount: String(pesos * 100).padStart(14, '0'),
              newBalance: String(balanceOf(at)).padStart(14, '0'),
            })),
          ),
        );
        const numbers = new Set(movements.map(({ number, day }) => `${day} ${number}`));
        if (movements.length - numbers.size > SHARED_NUMBERS_MAX) expect(rows).toBeUndefined();
        else
          expect(new Set(rows!.map(({ row }) => banktwoMovements.naturalKey(row).join('|'))).size).toBe(
            movements.length,
          );
      }),
    );
  });
});

describe('balances', () => {
  const expectBalances = (rows: ParsedRow[] | undefined): void => {
    for (const { row } of rows ?? []) banktwoBalances.parsed.parse(row);
  };

  test('any field may hold anything', () => {
    const changes = fc.dictionary(fc.constantFrom(...Object.keys(BALANCES)), anyCell, { maxKeys: 3 });
    const holds = fc.dictionary(fc.constantFrom(...Object.keys(BALANCES.withholdings)), anyCell, { maxKeys: 3 });
    void fc.assert(
      fc.property(changes, holds, (change, hold) => {
        const withholdings = { ...BALANCES.withholdings, ...hold };
        expectBalances(parseBalances(JSON.stringify({ ...BALANCES, withholdings, ...change })));
      }),
      { numRuns: runs(500) },
    );
  });

  test('no field may be gone', () => {
    for (const key of Object.keys(BALANCES)) {
      const { [key as 'asOf']: _, ...rest } = BALANCES;
      expect(parseBalances(JSON.stringify(rest)), key).toBeUndefined();
    }
  });

  test('any JSON and any bytes', () => {
    void fc.assert(fc.property(fc.jsonValue(), (value) => expectBalances(parseBalances(JSON.stringify(value)))));
    void fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => expectBalances(parseBalances(bytes))));
  });
});
