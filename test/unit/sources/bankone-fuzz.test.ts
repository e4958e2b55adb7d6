/** Mutated answers give right rows or a SourceError, never another crash, a wrong sign or a silent gap. */
import { readFileSync } from 'node:fs';
import { Big } from 'big.js';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bankoneBalances } from '#shared/scopes/bankone-balances.ts';
import { bankoneMovements } from '#shared/scopes/bankone-movements.ts';
import { bankoneNominas } from '#shared/scopes/bankone-nominas.ts';
import { bankoneTransfers } from '#shared/scopes/bankone-transfers.ts';
import type { StatementRow } from '#shared/scopes/banks/statement-movements.ts';
import { source } from '#shared/sources/bankone/source.ts';
import { type Json, type JsonObject, type RawAnswer, SourceError } from '#shared/sources/source.ts';
import { runs } from '#test/helpers/effort.ts';
import { answerOf } from './ask.ts';

/** Every run uses the same cases, so a failure comes from the code and not from chance. */
fc.configureGlobal({ seed: 20_261_120 });

const FOLDER = new URL('../../../shared/sources/bankone/fixtures/', import.meta.url);
const SCOPES = {
  movements: bankoneMovements,
  balances: bankoneBalances,
  transfers: bankoneTransfers,
  nominas: bankoneNominas,
};

interface Real {
  scope: keyof typeof SCOPES;
  period: string | null;
  credentials: JsonObject;
  answers: { key: string; request: JsonObject; body: Json }[];
}

const real = (name: string): Real => {
  const { scope, period, credentials, answers } = JSON.parse(
    readFileSync(new URL(`${name}.case.json`, FOLDER), 'utf8'),
  );
  return {
    scope,
    period,
    credentials,
    answers: answers.map(({ key, request, file }: { key: string; request: JsonObject; file: string }) => ({
      key,
      request,
      body: JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')),
    })),
  };
};

const CASES = ['movements-open', 'movements-closed', 'movements-open-usd', 'balances', 'transfers', 'nominas'].map(
  real,
);

const parse = ({ scope, period, credentials }: Real, answers: RawAnswer[]): Record<string, unknown>[] | undefined => {
  const rows: Record<string, unknown>[] = [];
  try {
    for (const item of source.parse({ scope, period, credentials }, answers)) {
      if ('row' in item) rows.push(item.row.row);
    }
  } catch (error) {
    expect(error).toBeInstanceOf(SourceError);
    expect((error as SourceError).code).toBe('source.unexpected_response');
    return undefined;
  }
  return rows;
};

const REQUIRED: Record<keyof typeof SCOPES, readonly string[]> = {
  movements: ['numero_cuenta', 'currency', 'fecha_movimiento', 'amount'],
  balances: ['numero_cuenta', 'currency', 'observed_at'],
  transfers: ['transferred_at', 'amount', 'currency'],
  nominas: ['currency'],
};

/** For any input, every row is valid for the scope, with its required fields and the right sign. */
const expectSound = (of: Real, rows: Record<string, unknown>[] | undefined): void => {
  for (const row of rows ?? []) {
    const parsed = SCOPES[of.scope].parsed.parse(row) as Record<string, unknown>;
    for (const field of REQUIRED[of.scope]) expect(parsed[field], field).toBeTruthy();
    if (of.scope === 'movements') expectSigned(parsed as unknown as StatementRow);
    if (of.scope === 'transfers') expect(String(parsed.amount)).not.toContain('-');
  }
};

const expectSigned = ({ amount, tipo, direction }: StatementRow): void => {
  expect(direction).toBe(tipo === 'C' ? 'issued' : 'received');
  const sign = new Big(amount!).cmp(0);
  if (sign !== 0) expect(sign).toBe(tipo === 'C' ? -1 : 1);
};

const anyCell = fc.oneof(
  fc.jsonValue() as fc.Arbitrary<Json>,
  fc.constantFrom<Json>('', ' ', '-', null, '0', '-0', '-1', '1.234', '1.234,56', '1234.56', '1,5', '007', '1e9'),
  fc.constantFrom<Json>('31/11/2026', '20261131 10:00:00', '20261105', 'cargo', 'abono', 'CARGO', 'USD', '{"a":1}'),
  fc.integer(),
);

/** A change in an answer: the path to a value, and the new value (undefined deletes it). */
const change = fc.record({
  answer: fc.nat(5),
  path: fc.array(fc.nat(40), { minLength: 1, maxLength: 3 }),
  value: fc.option(anyCell, { nil: undefined }),
});

const changed = (of: Real, changes: { answer: number; path: number[]; value: Json | undefined }[]): RawAnswer[] => {
  const copies = structuredClone(of.answers);
  for (const { answer, path, value } of changes) {
    let at: Json = copies[answer % copies.length]!.body;
    for (const [i, step] of path.entries()) {
      if (typeof at !== 'object' || at === null) break;
      const target = at as JsonObject;
      const keys = Object.keys(target);
      const key = keys[step % Math.max(1, keys.length)];
      if (key === undefined) break;
      const inner: Json = target[key] ?? null;
      if (i < path.length - 1 && typeof inner === 'object' && inner !== null) at = inner;
      else if (value === undefined) delete target[key];
      else {
        target[key] = value;
        break;
      }
    }
  }
  return copies.map(({ key, request, body }) => answerOf(key, request, JSON.stringify(body)));
};

describe.each(CASES.map((of, i) => [`${of.scope} (${i})`, of] as const))('%s', (_name, of) => {
  test('any value anywhere may be anything or gone', () => {
    void fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) =>
        expectSound(of, parse(of, changed(of, changes))),
      ),
      { numRuns: runs(400) },
    );
  });

  test('any bytes, cut anywhere', () => {
    const whole = of.answers.map(({ key, request, body }) => answerOf(key, request, JSON.stringify(body)));
    const rowsBefore = parse(of, whole)!.length;
    void fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.double({ min: 0, max: 0.999, noNaN: true }), (at, share) => {
        const answers = whole.map((answer, i) =>
          i === at ? { ...answer, body: answer.body.slice(0, Math.floor(answer.body.length * share)) } : answer,
        );
        expect(parse(of, answers)).toBeUndefined();
      }),
      { numRuns: runs(60) },
    );
    void fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.uint8Array({ maxLength: 300 }), (at, body) => {
        expectSound(
          of,
          parse(
            of,
            whole.map((answer, i) => (i === at ? { ...answer, body } : answer)),
          ),
        );
      }),
      { numRuns: runs(60) },
    );
    expect(rowsBefore).toBeGreaterThan(1);
  });

  test('answers may be missing, doubled or in another order', () => {
    const whole = of.answers.map(({ key, request, body }) => answerOf(key, request, JSON.stringify(body)));
    void fc.assert(
      fc.property(fc.shuffledSubarray(whole), (answers) => {
        const rows = parse(of, answers);
        expectSound(of, rows);
        // All or nothing: a missing answer never gives a month with fewer rows.
        if (rows !== undefined && answers.length < whole.length) expect(rows.length).toBe(0);
      }),
      { numRuns: runs(100) },
    );
  });
});

describe('amounts', () => {
  const open = CASES[0]!;
  const closed = CASES[1]!;

  test('open statement: every digit, sign by tipo', () => {
    void fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 17n }), fc.boolean(), (pesos, isCharge) => {
        const copy = structuredClone(open);
        const body = copy.answers[1]!.body as JsonObject & { movimientos: JsonObject[] };
        const [row, before] = body.movimientos;
        const balance = String(BigInt(String(before!.saldoMovimiento)) + (isCharge ? -pesos : pesos));
        Object.assign(row!, { monto: String(pesos), tipo: isCharge ? 'cargo' : 'abono', saldoMovimiento: balance });
        for (const page of copy.answers.slice(1)) (page.body as JsonObject).saldoFinal = balance;
        const rows = parse(copy, changed(copy, []));
        const expected = isCharge && pesos > 0n ? `-${pesos}` : String(pesos);
        expect(rows?.at(-1)).toMatchObject({ amount: expected, tipo: isCharge ? 'C' : 'A' });
      }),
      { numRuns: runs(300) },
    );
  });

  test('closed statement: dotted amounts with cents, added up from the opening balance', () => {
    const dotted = (cents: bigint): string => {
      const digits = (cents < 0n ? -cents : cents).toString().padStart(3, '0');
      const whole = digits.slice(0, -2).replaceAll(/\B(?=(?:\d{3})+$)/g, '.');
      return `${cents < 0n ? '-' : ''}${whole},${digits.slice(-2)}`;
    };
    const line = fc.record({ cents: fc.bigInt({ min: 1n, max: 10n ** 15n }), isCharge: fc.boolean() });
    void fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
        fc.array(line, { maxLength: 8 }),
        (opening, lines) => {
          let balance = opening;
          const lineas = lines.map(({ cents, isCharge }) => {
            balance += isCharge ? -cents : cents;
            const [cargo, abono] = isCharge ? [dotted(cents), ''] : ['', dotted(cents)];
            return { fecha: '05/10/2026', detalle: 'x', docto: '1', cargo, abono, saldo: dotted(balance) };
          });
          const copy = structuredClone(closed);
          copy.answers = copy.answers.filter(({ key }) => key !== 'closed/1/2');
          const body = copy.answers.find(({ key }) => key === 'closed/1/1')!.body as JsonObject;
          Object.assign(body, { saldoInicial: dotted(opening), saldoFinal: dotted(balance), lineas, totalPaginas: 1 });
          const rows = parse(copy, changed(copy, []))!.slice(0, -1);
          const sum = rows.reduce((total, row) => total.plus(row.amount as string), new Big(0));
          expect(sum.times(100).toFixed()).toBe(String(balance - opening));
          expect(rows).toHaveLength(lines.length);
          // A difference of one cent makes the parser refuse all.
          Object.assign(body, { saldoFinal: dotted(balance + 1n) });
          expect(parse(copy, changed(copy, []))).toBeUndefined();
        },
      ),
      { numRuns: runs(200) },
    );
  });
});
