/** Which field of a question is its id, and which its number within the tender. */
import { describe, expect, test } from 'vitest';
import { source } from '#shared/sources/procurement/source.ts';
import { answerOf } from './ask.ts';

const CODIGO = '990101-12-LE25';

describe('id and number of a question', () => {
  const ask = (numbers: [idP: unknown, Numero: unknown][], texts: string[] = []) => {
    const list = numbers.map(([idP, Numero], at) => ({
      ...{ idP, Numero, Descripcion: texts[at] ?? `¿Pregunta ${at}?` },
      ...{ FechaHora: '06-03-2025 11:08:52', Estado: 8, RespuestaPublicada: null },
    }));
    const request = { scope: 'preguntas', period: null, tender: CODIGO, credentials: {} };
    const items = [...source.parse(request, [answerOf('preguntas', {}, JSON.stringify(list))])];
    return {
      shown: items.flatMap((item) => ('row' in item ? [[item.row.row.pregunta_id, item.row.row.numero]] : [])),
      told: items.flatMap((item) => ('notice' in item ? [item.notice.code.split('.')[2]] : [])),
    };
  };

  test.each<[string, [unknown, unknown][], unknown[][]]>([
    [
      'idP counts',
      [
        [1, 6_105_959],
        [2, 6_105_960],
      ],
      [
        ['6105959', '1'],
        ['6105960', '2'],
      ],
    ],
    [
      'idP counts in another order',
      [
        [2, 6_105_960],
        [1, 6_105_959],
      ],
      [
        ['6105960', '2'],
        ['6105959', '1'],
      ],
    ],
    [
      'Numero counts',
      [
        [7_001_001, 1],
        [7_001_002, 2],
      ],
      [
        ['7001001', '1'],
        ['7001002', '2'],
      ],
    ],
    [
      'both count: as captured',
      [
        [1, 2],
        [2, 1],
      ],
      [
        ['2', '1'],
        ['1', '2'],
      ],
    ],
    ['one question', [[1, 6_105_959]], [['6105959', '1']]],
    [
      'texts with zeros',
      [
        ['01', '6105959'],
        ['2', '6105960'],
      ],
      [
        ['6105959', '1'],
        ['6105960', '2'],
      ],
    ],
  ])('%s', (_what, numbers, shown) => {
    expect(ask(numbers)).toEqual({ shown, told: [] });
  });

  test('neither counts: as captured, and a question may be missing', () => {
    expect(
      ask([
        [1, 6_105_959],
        [3, 6_105_961],
      ]),
    ).toEqual({
      shown: [
        ['6105959', '1'],
        ['6105961', '3'],
      ],
      told: ['numbers_missing'],
    });
  });

  test('two with the same number and the same text are one', () => {
    expect(
      ask(
        [
          [1, 6_105_959],
          [1, 6_105_960],
        ],
        ['¿Sí?', '¿Sí?'],
      ),
    ).toEqual({
      shown: [['6105959', '1']],
      told: ['rows_repeated'],
    });
    expect(
      ask(
        [
          [1, 6_105_959],
          [2, 6_105_960],
        ],
        ['¿Sí?', '¿Sí?'],
      ).shown,
    ).toHaveLength(2);
  });
});
