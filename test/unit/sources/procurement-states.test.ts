/** The state of a tender: the code decides, and words of the portal on both wires lead to the same keys. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createProcurementSandbox } from '#shared/sources/procurement/sandbox/server.ts';
import { makeCode } from '#shared/sources/procurement/sandbox/tender.ts';
import { source } from '#shared/sources/procurement/source.ts';
import type { JsonObject } from '#shared/sources/source.ts';
import { isOpen } from '#shared/tenders/tender.rules.ts';
import { answerOf, NOW_MS } from './ask.ts';
import { behaving } from './procurement-stage.ts';

const FOLDER = new URL('../../../shared/sources/procurement/fixtures/', import.meta.url);
const LONG = 'Desierta (o art. 3 ó 9 Ley 19.886)';

const detail = (code: unknown, word: unknown) => {
  const body = JSON.parse(readFileSync(new URL('detail-open.body', FOLDER), 'utf8'));
  Object.assign(body.Listado[0], { CodigoEstado: code, Estado: word });
  return answerOf('detail', {}, JSON.stringify(body));
};

const stateOn = (answers: ReturnType<typeof answerOf>[], tender: string): unknown => {
  const [first] = [...source.parse({ scope: 'licitaciones', period: null, tender, credentials: {} }, answers)];
  return first && 'row' in first ? first.row.row.estado : undefined;
};

const onApi = (code: unknown, word: unknown): unknown => stateOn([detail(code, word)], '990101-12-LE25');

const onFicha = (word: string): unknown => {
  const fixture = JSON.parse(readFileSync(new URL('ficha-private-latin1.case.json', FOLDER), 'utf8'));
  const page = readFileSync(new URL('ficha-private-latin1.body', FOLDER), 'latin1');
  const shown = page.replace(/(lblFicha1Estado"[^>]*>)[^<]*/, `$1${word}`);
  const none = answerOf('detail', {}, readFileSync(new URL('empty-list.body', FOLDER)));
  return stateOn([none, answerOf('ficha', {}, Buffer.from(shown, 'latin1'))], fixture.tender);
};

describe('the state of a detail', () => {
  test.each([
    [7, LONG, 'desierta'],
    [7, 'Desierta', 'desierta'],
    [7, '', 'desierta'],
    [7, 'Sin oferentes', 'desierta'],
    [15, '', 'revocada'],
    [15, 'Revocada', 'revocada'],
    [18, null, 'revocada'],
    [8, 'Adjudicada', 'adjudicada'],
    ['', LONG, 'desierta'],
    [21, LONG, 'desierta'],
    [21, 'En evaluación', 'en evaluacion'],
    [21, '', '21'],
  ])('%s with "%s" is %s', (code, word, state) => {
    expect(onApi(code, word)).toBe(state);
  });

  test.each([
    [7, 'Adjudicada'],
    [15, LONG],
    [8, LONG],
  ])('%s with "%s" contradicts itself', (code, word) => {
    expect(() => onApi(code, word)).toThrow('Estado is not that of CodigoEstado');
  });
});

test.each([
  [LONG, 'desierta'],
  ['Revocada', 'revocada'],
  ['Adjudicada', 'adjudicada'],
  ['En evaluación', 'en evaluacion'],
])('the ficha shows "%s": %s', (word, state) => {
  expect(onFicha(word)).toBe(state);
});

test.each([
  [7, LONG],
  [15, ''],
  [18, 'Revocada'],
  [8, 'Adjudicada'],
])('code %s with "%s" closes the tender', (code, word) => {
  expect(isOpen({ estado: onApi(code, word) })).toBe(false);
});

test('the sandbox shows the portal’s own word for state 7', async () => {
  const sandbox = createProcurementSandbox({ now: () => NOW_MS });
  const url = await sandbox.listen(0);
  const { unit, credentials } = behaving('works');
  const words = new Set<string>();
  try {
    for (let n = 0; n < 10; n++) {
      const query = new URLSearchParams({ codigo: makeCode(unit, '2026-05', n), ...credentials });
      const answer = await fetch(`${url}/servicios/v1/publico/licitaciones.json?${query}`);
      const { Listado } = JSON.parse((await answer.text()).replace('\uFEFF', '')) as { Listado: JsonObject[] };
      for (const { CodigoEstado, Estado } of Listado) if (CodigoEstado === 7) words.add(String(Estado));
    }
  } finally {
    await sandbox.close();
  }
  expect([...words]).toEqual([LONG]);
});
