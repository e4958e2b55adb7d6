import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { procurementDocumentos } from '#shared/scopes/procurement-documentos.ts';
import { procurementPreguntas } from '#shared/scopes/procurement-preguntas.ts';
import { findReplacedLists, judgeDoubt } from '#shared/tenders/tender-doubts.rules.ts';
import { isMassChange } from '#shared/values/mass-change.ts';
import { findChangedFacts } from '#shared/values/tender-beside.ts';
import { recognizeItems } from '#shared/values/tender-identity.ts';

const QUESTIONS = procurementPreguntas.tender!;
const DOCUMENTS = procurementDocumentos.tender!;
const HOUR_MS = 3_600_000;
const WAIT = { standMs: 20 * HOUR_MS };

describe('a change of many rows at once', () => {
  test.each([
    [2, 2, false],
    [3, 3, true],
    [3, 4, false],
    [12, 40, false],
    [13, 40, true],
  ])('%i of %i: %s', (changed, comparable, isMass) => {
    expect(isMassChange(changed, comparable)).toBe(isMass);
  });

  const row = (n: number, changes = {}) => ({ pregunta: `p${n}`, numero: String(n), respuesta: null, ...changes });
  const compared = (changes: object[]) =>
    changes.map((change, n) => ({ id: String(n), stored: row(n), merged: row(n, change) }));

  test.each<[string, object[], string[], boolean]>([
    ['first answers are no change', [{ respuesta: 'sí' }, { respuesta: 'no' }, { respuesta: 'ver' }], [], false],
    ['a text that is gone is no change', [{ pregunta: null }, { pregunta: null }, { pregunta: null }], [], false],
    ['blanks and case are no change', [{ pregunta: ' P0 ' }, {}, {}], [], false],
    ['one of three', [{ pregunta: 'x' }, {}, {}], ['0'], false],
    ['all of three', [{ pregunta: 'x' }, { pregunta: 'y' }, { pregunta: 'z' }], ['0', '1', '2'], true],
    ['another fact in each of three', [{ pregunta: 'x' }, { numero: '8' }, { numero: '9' }], ['0', '1', '2'], true],
  ])('%s', (_, changes, ids, isMass) => {
    const found = findChangedFacts(QUESTIONS, compared(changes));
    expect([[...found.byId.keys()].sort(), found.isMass]).toEqual([ids, isMass]);
  });
});

describe('a list that is replaced', () => {
  const list = (origen: string, ...ids: string[]) => ids.map((id) => ({ id, origen }));

  test.each([
    ['three by others', list('anexo', 'a', 'b', 'c'), list('anexo', 'x'), ['x']],
    ['three by others and one that stays', list('anexo', 'a', 'b', 'c'), list('anexo', 'x', 'c'), []],
    ['two by others', list('anexo', 'a', 'b'), list('anexo', 'x', 'y'), []],
    ['three by nothing', list('anexo', 'a', 'b', 'c'), list('bases', 'x'), []],
  ])('%s', (_, stored, shown, ids) => {
    expect([...findReplacedLists(DOCUMENTS, shown, stored).shown]).toEqual(ids);
  });
});

describe('a doubted reading', () => {
  const first = judgeDoubt(undefined, ['a', 'b'], { atMs: 0, ...WAIT });

  test('is believed if it is the same after the time', () => {
    expect(first.isBelieved).toBe(false);
    expect(judgeDoubt(first.doubt!, ['b', 'a'], { atMs: 20 * HOUR_MS - 1, ...WAIT }).isBelieved).toBe(false);
    expect(judgeDoubt(first.doubt!, ['b', 'a'], { atMs: 20 * HOUR_MS, ...WAIT }).isBelieved).toBe(true);
  });

  test('waits no longer for further data, and again if doubted data is gone', () => {
    const more = judgeDoubt(first.doubt!, ['a', 'b', 'c'], { atMs: HOUR_MS, ...WAIT });
    expect(judgeDoubt(more.doubt!, ['a', 'b', 'c'], { atMs: 20 * HOUR_MS, ...WAIT }).isBelieved).toBe(true);
    const other = judgeDoubt(first.doubt!, ['a', 'c'], { atMs: 20 * HOUR_MS, ...WAIT });
    expect(other.isBelieved).toBe(false);
    expect(judgeDoubt(other.doubt!, ['a', 'c'], { atMs: 39 * HOUR_MS, ...WAIT }).isBelieved).toBe(false);
  });

  test('leaves no doubt after a right reading', () => {
    expect(judgeDoubt(first.doubt!, [], { atMs: 30 * HOUR_MS, ...WAIT })).toEqual({ doubt: null, isBelieved: false });
  });
});

describe('items under other keys', () => {
  interface Sized {
    key: string;
    size: number;
  }
  const keyOf = ({ key }: Record<string, unknown>): string => String(key);
  const recognition = {
    fields: ['key'],
    keyOf,
    isSame: (stored: Record<string, unknown>, shown: Record<string, unknown>) => stored.size === shown.size,
  };
  const named = (sizes: readonly number[]): (Sized & Record<string, unknown>)[] =>
    sizes.map((size, at) => ({ key: at === 0 ? 'own' : `own-${at + 1}`, size }));
  const recognized = (shown: readonly number[], stored: readonly number[]) =>
    recognizeItems(named(shown), named(stored), recognition).map(({ key, size }) => [key, size]);

  test('equal names are told apart by their sizes', () => {
    expect(recognized([5], [7, 5])).toEqual([['own-2', 5]]);
    expect(recognized([5, 7], [7, 5])).toEqual([
      ['own-2', 5],
      ['own', 7],
    ]);
    expect(recognized([1, 7], [7])).toEqual([
      ['own-2', 1],
      ['own', 7],
    ]);
  });

  test('no two items get one key, and an item that is stored keeps its key', () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 7 });
    fc.assert(
      fc.property(sizes, sizes, (shown, stored) => {
        const rows = recognized(shown, stored);
        expect(new Set(rows.map(([key]) => key)).size).toBe(shown.length);
        expect(rows.map(([, size]) => size)).toEqual(shown);
        const before = new Map(named(stored).map(({ key, size }) => [key, size]));
        const settled = rows.filter(([key, size]) => before.get(String(key)) === size).length;
        const common = [0, 1, 2, 3, 4].map((size) =>
          Math.min(...[shown, stored].map((list) => list.filter((one) => one === size).length)),
        );
        expect(settled).toBe(common.reduce((sum, n) => sum + n, 0));
      }),
    );
  });
});
