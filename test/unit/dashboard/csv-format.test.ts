/** The content of an exported file, read by the parser that the service uses for institutions' files. */
import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { CsvFormat } from '../../../dashboard/src/data/export/csv-format.ts';
import type { Field, Row } from '../../../dashboard/src/data/resource.ts';

// The page's language decides delimiter and decimal mark; Node names only English.
vi.stubGlobal('navigator', { languages: ['es-CL'] });
afterAll(() => void vi.unstubAllGlobals());
const { fieldColumn } = await import('../../../dashboard/src/data/columns/field-column.ts');
const { apiColumns, csvHead, csvRows, wordColumns } = await import('../../../dashboard/src/data/export/csv-format.ts');

const FIELDS: Field[] = [
  { name: 'id', kind: 'id' },
  { name: 'name', kind: 'text' },
  { name: 'amount', kind: 'decimal' },
  { name: 'at', kind: 'instant' },
];
const columns = (fields: Field[], format: CsvFormat) => {
  const source = { source: 'test', scope: 'rows', fields };
  return format === 'standard' ? apiColumns(fields) : wordColumns(fields.map((field) => fieldColumn(source, field)));
};
const head = (format: CsvFormat) => csvHead(columns(FIELDS, format), format);
const body = (format: CsvFormat, rows: Row[]) => csvRows(columns(FIELDS, format), format, rows);
const row = (more: object) => ({ id: '1', name: 'Ñandú', amount: '10', at: null, ...more });

const read = (text: string, delimiter: string): string[][] =>
  parse(text, { delimiter, bom: true, record_delimiter: '\r\n' });

describe('standard', () => {
  it('keeps names and values of the API', () => {
    const text =
      head('standard') +
      body('standard', [row({ amount: '-12345678901234567890.50', at: '2026-11-01T01:00:00.000Z' })]);
    expect(read(text, ',')).toEqual([
      ['id', 'name', 'amount', 'at'],
      ['1', 'Ñandú', '-12345678901234567890.50', '2026-11-01T01:00:00.000Z'],
    ]);
  });

  it('gives back any text that is no formula', () => {
    const harmless = fc
      .string({ unit: 'grapheme' })
      .filter((text) => !/(?:^|[;,\t\r\n])[\s"\p{C}\p{DI}]*[=+\-@＝＋－＠]|^[\s\p{C}\p{DI}]*[\t\r\n]/u.test(text));
    void fc.assert(
      fc.property(fc.array(harmless, { minLength: 1, maxLength: 5 }), (names) => {
        const text = body(
          'standard',
          names.map((name) => row({ name })),
        );
        expect(read(text, ',').map(([, name]) => name)).toEqual(names);
      }),
    );
  });
});

describe('excel', () => {
  it('has its own mark, and uses words, semicolons, decimal commas and the time of Santiago', () => {
    expect(head('excel').startsWith('\uFEFF')).toBe(true);
    const rows = body('excel', [row({ amount: '-42.50', at: '2026-11-01T01:00:00.000Z', name: 'a;b' })]);
    expect(read(head('excel') + rows, ';')).toEqual([
      ['Id', 'name', 'Monto', 'at'],
      ['1', 'a;b', '-42,50', '31-10-2026 22:00:00'],
    ]);
  });

  it('writes codes, types, directions and months in words, and digits of accounts and folios as text', () => {
    const fields: Field[] = [
      { name: 'period', kind: 'period' },
      { name: 'direction', kind: 'choice' },
      { name: 'document_type', kind: 'text' },
      { name: 'estado', kind: 'choice' },
      { name: 'folio', kind: 'text' },
      { name: 'numero_cuenta', kind: 'text' },
      { name: 'issuer_rut', kind: 'text' },
      { name: 'issued_at', kind: 'day' },
    ];
    const text = csvRows(columns(fields, 'excel'), 'excel', [
      {
        period: '2026-10',
        direction: 'issued',
        document_type: '61',
        estado: 'registro',
        folio: '0012',
        numero_cuenta: '007600000207',
        issuer_rut: '70001213-1',
        issued_at: '2026-10-01',
      },
    ]);
    expect(read(text, ';')).toEqual([
      [
        'oct 2026',
        'Emitido',
        'Nota de crédito electrónica',
        'Registrado',
        '="0012"',
        '="007600000207"',
        '70.001.213-1',
        '01-10-2026',
      ],
    ]);
  });

  it('makes a formula only of digits', () => {
    const fields: Field[] = [{ name: 'folio', kind: 'text' }];
    void fc.assert(
      fc.property(fc.string({ minLength: 1 }), (folio) => {
        const [[cell]] = read(csvRows(columns(fields, 'excel'), 'excel', [{ folio }]), ';') as [[string]];
        return /^="\d+"$/.test(cell) ? /^\d+$/.test(folio) : !/^[=+@-]/.test(cell) || /^-\d+([.,]\d+)?$/.test(cell);
      }),
    );
  });
});

describe.each(['standard', 'excel'] as const)('formulas in %s', (format) => {
  const written = (name: string) => read(body(format, [row({ name })]), format === 'excel' ? ';' : ',')[0]![1];

  it.each(['=1+1', '+cmd', '-2+3', '@SUM(A1)', '\tx', '\rx', ' =1', '＝1+1', '-', '-5 UF', '+56 9 1234'])(
    'makes %j harmless',
    (name) => {
      expect(written(name)).toBe(`'${name}`);
    },
  );

  // Zero-width, bidi, soft hyphen, byte order mark, variation selector, Hangul filler and control characters.
  const UNSEEN = ['\u200b', '\u202e', '\u0085', '\0', '\u0001', '\u00ad', '\ufeff', '\ufe0f', '\u3164', '\u{e0041}'];
  it.each(UNSEEN.flatMap((unseen) => ['=1+1', '-2+3', '@SUM(A1)'].map((formula) => unseen + formula)))(
    'makes %j harmless, at the start and behind a delimiter',
    (cell) => {
      expect(written(cell)).toBe(`'${cell}`);
      for (const before of [';', ',', '\t', '\n', '; "'])
        expect(written(`a${before}${cell}`)).toMatch(/^a[;,\t\n][\s"\p{C}\p{Default_Ignorable_Code_Point}]*'[=@-]/u);
    },
  );

  it.each(['-42', '-42.50', '-42,50', '1=1', "O'Higgins", 'a-b'])('leaves %j unchanged', (name) => {
    expect(written(name)).toBe(name);
  });

  it.each([
    ['a;=cmd', "a;'=cmd"],
    ['a,=cmd', "a,'=cmd"],
    ['a\t@SUM(A1)', "a\t'@SUM(A1)"],
    ['a\r\n+cmd', "a\r\n'+cmd"],
    ['a\n=cmd', "a\n'=cmd"],
    ['a;"=cmd', 'a;"\'=cmd'],
    ['a; ＝cmd,-x', "a; '＝cmd,'-x"],
    ['=a;=b', "'=a;'=b"],
    [`a;${' '.repeat(30)}=cmd`, `a;${' '.repeat(30)}'=cmd`],
    ['a;\n =cmd', "a;\n '=cmd"],
    ["a;-2+3+cmd|'/C calc'!A0", "a;'-2+3+cmd|'/C calc'!A0"],
    ["a;-2,5+cmd|'/C calc'!A0", "a;'-2,5+cmd|'/C calc'!A0"],
    ['a,+1*SUM(A1)', "a,'+1*SUM(A1)"],
    ['a\n-1;-2=3', "a\n'-1;'-2=3"],
    ['a,-x', "a,'-x"],
    ['a;＋5', "a;'＋5"],
    [`a;-1${' '.repeat(100)}`, `a;'-1${' '.repeat(100)}`],
  ])('makes %j harmless for a reader of another delimiter', (name, harmless) => {
    expect(written(name)).toBe(harmless);
  });

  it.each([
    'a;-1',
    'a, -2,5',
    'a,b;c',
    'Los Leones 12, of. 3',
    'a;-1;x',
    'x, -5 kg',
    'N° 1, +56 9 1234 5678, of. 3-B',
    'a\n-5 kg',
    'a,-1,-2,+3',
  ])('also leaves %j unchanged', (name) => {
    expect(written(name)).toBe(name);
  });

  it.each(['\n', ' ', '"', '; ', ',-1', ';+5 kg', '\r\n\t', '\u200b', ';\u200b'])(
    'reads a long cell of %j once',
    (part) => {
      const spentMs = (cell: string): number => {
        const began = performance.now();
        written(cell);
        return performance.now() - began;
      };
      spentMs(part.repeat(1_000));
      // If each break is compared with all earlier ones, this takes some 4 s; if each is read once, some 10 ms.
      expect(spentMs(`x${part.repeat(20_000)}x`)).toBeLessThan(1_500);
    },
  );

  it('never puts an apostrophe before an amount', () => {
    expect(body(format, [row({ amount: '-1500' })])).toContain('-1500');
    expect(body(format, [row({ amount: '-1500' })])).not.toContain("'");
  });
});

it('writes nothing for no rows, and empty cells for what is not known', () => {
  expect(body('standard', [])).toBe('');
  expect(body('standard', [{ id: '1', amount: null }])).toBe('1,,,\r\n');
});

it('writes what has parts as JSON', () => {
  const fields: Field[] = [{ name: 'locator', kind: 'object' }];
  expect(read(csvRows(columns(fields, 'standard'), 'standard', [{ locator: { a: [1] } }]), ',')).toEqual([
    ['{"a":[1]}'],
  ]);
});
