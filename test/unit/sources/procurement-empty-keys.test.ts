/** Parts of a buyer's address that real buyers leave empty are no change of the answers, on both wires. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { source } from '#shared/sources/procurement/source.ts';
import type { RawAnswer } from '#shared/sources/source.ts';
import { answerOf } from './ask.ts';

const FOLDER = new URL('../../../shared/sources/procurement/fixtures/', import.meta.url);

const readTender = (tender: string, answers: RawAnswer[]) => {
  const items = [...source.parse({ scope: 'licitaciones', period: null, tender, credentials: {} }, answers)];
  return {
    row: items.flatMap((item) => ('row' in item ? [item.row.row] : []))[0],
    told: items.flatMap((item) => ('notice' in item ? [item.notice.code.split('.')[2]] : [])),
    messages: items.flatMap((item) => ('notice' in item ? [item.notice.message] : [])).join('\n'),
  };
};

const onApi = (change: (buyer: Record<string, unknown>) => void) => {
  const body = JSON.parse(readFileSync(new URL('detail-open.body', FOLDER), 'utf8'));
  change(body.Listado[0].Comprador);
  return readTender('990101-12-LE25', [answerOf('detail', {}, JSON.stringify(body))]);
};

const onFicha = (from: RegExp, to: string) => {
  const { tender } = JSON.parse(readFileSync(new URL('ficha-private-latin1.case.json', FOLDER), 'utf8'));
  const page = readFileSync(new URL('ficha-private-latin1.body', FOLDER), 'latin1');
  const shown = page.replace(from, to);
  expect(shown).not.toBe(page);
  const none = answerOf('detail', {}, readFileSync(new URL('empty-list.body', FOLDER)));
  return readTender(tender, [none, answerOf('ficha', {}, Buffer.from(shown, 'latin1'))]);
};

const ADDRESS = ['ComunaUnidad', 'DireccionUnidad'] as const;

describe('the API', () => {
  test.each(['', ' ', null])('an address of %j is not reported', (empty) => {
    const { row, told } = onApi((buyer) => {
      for (const key of ADDRESS) buyer[key] = empty;
    });
    expect(told).toEqual([]);
    expect(row).toMatchObject({ comuna: undefined, direccion: undefined });
  });

  test.each(ADDRESS)('an absent %s is reported', (key) => {
    expect(onApi((buyer) => delete buyer[key]).told).toEqual(['columns_missing']);
  });

  test.each(['NombreOrganismo', 'RutUnidad', 'NombreUnidad', 'RegionUnidad'])('an empty %s is reported', (key) => {
    const { told } = onApi((buyer) => {
      buyer[key] = '';
    });
    expect(told).toEqual(['columns_missing']);
  });
});

describe('the ficha', () => {
  test.each(['lblFicha2Comuna', 'lblFicha2Direccion'])('an empty %s is not reported', (label) => {
    // The fixture lacks two other labels, which are reported.
    expect(onFicha(new RegExp(`(${label}"[^>]*>)[^<]+`), '$1').messages).not.toContain(label);
  });

  test('an empty name of the buying unit is reported', () => {
    expect(onFicha(/(lblFicha2Unidad"[^>]*>)[^<]+/, '$1').messages).toContain('never are: lblFicha2Unidad');
  });
});
