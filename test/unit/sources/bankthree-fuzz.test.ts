/** Mutated answers give right rows or a typed refusal, never another crash, a wrong sign or a silent gap. */
import Big from 'big.js';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StatementRow } from '#shared/scopes/banks/statement-movements.ts';
import { bankthreeBalances } from '#shared/scopes/bankthree-balances.ts';
import { bankthreeMovements } from '#shared/scopes/bankthree-movements.ts';
import { readAccountsPage } from '#shared/sources/bankthree/accounts-page.ts';
import { loginRefusal, nothingThere, refusal } from '#shared/sources/bankthree/refusals.ts';
import { balancesFile } from '#shared/sources/bankthree/sandbox/balances-file.ts';
import type { StatementView } from '#shared/sources/bankthree/sandbox/book.ts';
import { generateMonth, type SandboxAccount } from '#shared/sources/bankthree/sandbox/generate.ts';
import { accountsPage } from '#shared/sources/bankthree/sandbox/pages.ts';
import { statementFile } from '#shared/sources/bankthree/sandbox/statement-file.ts';
import { source } from '#shared/sources/bankthree/source.ts';
import type { HttpResponse } from '#shared/sources/http/client.ts';
import { type RawAnswer, SessionExpired, SourceError } from '#shared/sources/source.ts';
import { runs } from '#test/helpers/effort.ts';
import { answerOf, NOW_MS } from './ask.ts';

/** Every run uses the same cases, so a failure comes from the code and not from chance. */
fc.configureGlobal({ seed: 20_261_121 });

const COMPANY = '76990123-K';
const CREDENTIALS = { rut: '12345678-5', company_rut: COMPANY };
const ACCOUNT: SandboxAccount = { number: '000000012345678', currency: 'CLP' };

const viewOf = (movements: number, currency: SandboxAccount['currency'] = 'CLP', isOpen = false): StatementView => {
  const account = { ...ACCOUNT, currency };
  let balance = 0;
  const [opening, closing] = [0, 123_400];
  const request = { seed: 'fuzz', account, period: '2026-10', movements, opening, closing, hasTwins: true };
  const month = generateMonth(request);
  const entries = month.map((entry) => {
    balance += entry.amount;
    return { ...entry, balance };
  });
  return { account, isOpen, from: '2026-10-01', to: '2026-10-31', number: 7, opening: 0, closing: balance, entries };
};

const fileOf = (view: StatementView): Buffer => statementFile(view, { rut: COMPANY, name: 'COMPAÑÍA ÑANDÚ' }, 'works');
const VIEW = viewOf(6);
const FILE = fileOf(VIEW).toString('latin1');
const CSV = balancesFile(
  [
    { account: ACCOUNT, book: 1_234_567_800, available: null },
    { account: { number: '000000098765432', currency: 'USD' }, book: -152_075, available: 0 },
  ],
  NOW_MS,
  'works',
).toString('latin1');

const statement = (body: string | Uint8Array): RawAnswer =>
  answerOf(
    'statement/1/closed',
    { page: 'statement', account: ACCOUNT.number, fecha: '202610', today: '2026-11-20' },
    typeof body === 'string' ? Buffer.from(body, 'latin1') : body,
  );
const balances = (body: string | Uint8Array): RawAnswer =>
  answerOf(
    'balances',
    { page: 'balances', today: '2026-11-20' },
    typeof body === 'string' ? Buffer.from(body, 'latin1') : body,
  );

/** Undefined if the answer is refused, as it must be. */
const parse = (answer: RawAnswer): Record<string, unknown>[] | undefined => {
  const isBalances = answer.request.page === 'balances';
  const request = { scope: isBalances ? 'balances' : 'movements', period: isBalances ? null : '2026-10' };
  const rows: Record<string, unknown>[] = [];
  try {
    for (const item of source.parse({ ...request, credentials: CREDENTIALS }, [answer])) {
      if ('row' in item) rows.push(item.row.row);
    }
  } catch (error) {
    expect(error).toBeInstanceOf(SourceError);
    expect((error as SourceError).code).toMatch(/^source\.(?:unexpected_response|wrong_company)$/);
    expect((error as SourceError).message).not.toMatch(/\d{6}/);
    return undefined;
  }
  return rows;
};

const MOVEMENT = bankthreeMovements.parsed.strict();
const BALANCE = bankthreeBalances.parsed.strict();

/** For any input, every row is valid for the scope, with its sign and its date. */
const expectSound = (rows: Record<string, unknown>[] | undefined): void => {
  for (const row of rows ?? []) {
    const { amount, saldo_contable, fecha_movimiento, tipo, currency, period } = MOVEMENT.parse(row) as StatementRow;
    expect([amount, saldo_contable, fecha_movimiento, currency]).not.toContain(null);
    expect(fecha_movimiento).toContain(period);
    expect(amount).not.toMatch(/^-0(?:\.0+)?$/);
    expect(new Big(amount!).times(tipo === 'C' ? -1 : 1).gte(0)).toBe(true);
  }
};

const edits = (text: string, ...tokens: string[]) =>
  fc
    .array(
      fc.record({
        at: fc.nat(text.length),
        drop: fc.nat(3),
        put: fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom('\r\n', '-', ',', '.', ' ', 'Ñ', '\0', ...tokens)),
      }),
      { minLength: 1, maxLength: 4 },
    )
    .map((list) => list.reduce((old, { at, drop, put }) => old.slice(0, at) + put + old.slice(at + drop), text));

describe('statements', () => {
  test('every movement comes back, of any size, open or closed, in pesos and dollars', () => {
    const shape = fc.tuple(fc.nat(40), fc.constantFrom('CLP' as const, 'USD' as const), fc.boolean());
    void fc.assert(
      fc.property(shape, ([movements, currency, isOpen]) => {
        const view = viewOf(movements, currency, isOpen);
        const rows = parse(statement(fileOf(view))) as StatementRow[] | undefined;
        const hundredths = (text: string | null) => new Big(text!).times(100).toNumber();
        expect(
          rows?.map(({ amount, saldo_contable, descripcion, provisional }) => [
            hundredths(amount),
            hundredths(saldo_contable),
            descripcion,
            provisional,
          ]),
        ).toEqual(view.entries.map(({ amount, balance, text }) => [amount, balance, text, isOpen]));
        const keys = rows?.map((row) => JSON.stringify(bankthreeMovements.naturalKey(row)));
        expect(new Set(keys).size).toBe(view.entries.length);
      }),
      { numRuns: runs(150) },
    );
  });

  test('cut anywhere: all rows of the file or none', () => {
    const whole = parse(statement(FILE))!;
    expect(whole).toHaveLength(VIEW.entries.length);
    void fc.assert(
      fc.property(fc.nat(FILE.length), (length) => {
        const rows = parse(statement(FILE.slice(0, length)));
        if (rows !== undefined) expect(rows).toEqual(whole);
      }),
      { numRuns: runs(400) },
    );
  });

  test('characters changed, inserted or removed: the amounts are those of the file, or it is refused', () => {
    const amounts = parse(statement(FILE))!.map(({ amount }) => amount);
    void fc.assert(
      fc.property(edits(FILE, 'C', 'A', 'C+', '3', '2'), (text) => {
        const rows = parse(statement(text));
        expectSound(rows);
        // The balances of the file allow no other amount.
        if (rows !== undefined) expect(rows.map(({ amount }) => amount)).toEqual(amounts);
      }),
      { numRuns: runs(600) },
    );
  });

  test('lines lost, repeated or put into another order are noticed, where it makes a difference', () => {
    const lines = FILE.trimEnd().split('\r\n');
    const order = fc.oneof(fc.shuffledSubarray(lines), fc.array(fc.constantFrom(...lines), { maxLength: 12 }));
    const whole = parse(statement(FILE));
    void fc.assert(
      fc.property(order, (chosen) => {
        const rows = parse(statement(chosen.join('\r\n')));
        expectSound(rows);
        if (rows !== undefined) expect(rows).toHaveLength(whole!.length);
      }),
      { numRuns: runs(300) },
    );
  });

  test('any bytes', () => {
    void fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        expectSound(parse(statement(bytes)));
        expectSound(parse(statement(Buffer.concat([Buffer.from('1'), bytes]))));
      }),
      { numRuns: runs(300) },
    );
  });
});

describe('balances', () => {
  const expectBalances = (rows: Record<string, unknown>[] | undefined): void => {
    for (const row of rows ?? []) BALANCE.parse(row);
  };

  test('any amount comes back as it was', () => {
    const amount = fc.integer({ min: -999_999_999_999, max: 999_999_999_999 });
    void fc.assert(
      fc.property(amount, fc.option(amount), (book, available) => {
        const account = { number: '000000098765432', currency: 'USD' as const };
        const rows = parse(balances(balancesFile([{ account, book, available }], NOW_MS, 'works')));
        const exact = (value: number) => new Big(value).div(100).toFixed(2);
        const expected = [exact(book), available === null ? null : exact(available)];
        expect(rows?.map((row) => [row.saldo_contable, row.saldo_disponible])).toEqual([expected]);
      }),
      { numRuns: runs(300) },
    );
  });

  test('cut anywhere: whole lines or a refusal', () => {
    const whole = parse(balances(CSV))!;
    void fc.assert(
      fc.property(fc.nat(CSV.length), (length) => {
        for (const row of parse(balances(CSV.slice(0, length))) ?? []) expect(whole).toContainEqual(row);
      }),
      { numRuns: runs(400) },
    );
  });

  test('characters changed, inserted or removed, and any bytes', () => {
    void fc.assert(
      fc.property(edits(CSV, ';', ';;', '"', ';-'), (text) => expectBalances(parse(balances(text)))),
      { numRuns: runs(500) },
    );
    void fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => expectBalances(parse(balances(bytes)))));
  });

  test('a column that is gone is never empty', () => {
    const lines = CSV.trimEnd().split('\r\n');
    for (const column of lines[0]!.split(';').keys()) {
      const without = lines.map((line) => line.split(';').toSpliced(column, 1).join(';'));
      expect(parse(balances(`${without.join('\r\n')}\r\n`))).toBeUndefined();
    }
  });
});

describe('pages', () => {
  const PAGE = accountsPage([ACCOUNT], ['2026-10', '2026-09'], false);

  const answerTo = (html: string, status: number): HttpResponse => ({
    status,
    headers: {},
    contentType: 'text/html',
    body: Buffer.from(html, 'latin1'),
    text: () => html,
    visited: ['https://www.bankthree.example/empresas/x.asp'],
  });

  test('of accounts: numbers and months, or a refusal', () => {
    void fc.assert(
      fc.property(edits(PAGE, '<', '>', '"', '<option>', '</select>'), (html) => {
        try {
          const { accounts, closedMonths } = readAccountsPage(Buffer.from(html, 'latin1'));
          for (const account of accounts) expect(account).toMatch(/^[\d-]+$/);
          for (const month of closedMonths) expect(month).toMatch(/^(?:19|20)\d{2}-(?:0[1-9]|1[0-2])$/);
        } catch (error) {
          expect(error).toMatchObject({ code: 'source.unexpected_response' });
        }
      }),
      { numRuns: runs(300) },
    );
  });

  test('of any other kind have a meaning', () => {
    const words = fc.constantFrom(
      'clave incorrecta',
      'bloqueada',
      'mantención',
      'intente nuevamente',
      '<input name="clave">',
    );
    const html = fc.array(fc.oneof(fc.string(), words)).map((parts) => parts.join('<p>'));
    void fc.assert(
      fc.property(html, fc.constantFrom(200, 302, 403, 404, 500), (text, status) => {
        const answer = answerTo(text, status);
        expect(loginRefusal(answer, NOW_MS)).toBeInstanceOf(SourceError);
        const refused = refusal('statement', answer);
        expect(refused instanceof SourceError || refused instanceof SessionExpired).toBe(true);
        expect([undefined, 'no_movements', 'not_available']).toContain(nothingThere(answer.body));
      }),
      { numRuns: runs(300) },
    );
  });
});
