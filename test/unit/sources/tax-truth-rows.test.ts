/** Rows that belong elsewhere, unreadable lines, damaged bytes: refused or reported. */
import { describe, expect, test } from 'vitest';
import { inRows, inTotals, ledger, liar, read, refusal } from './tax-lies.ts';
import { LAST_MONTH } from './tax-stage.ts';
import { tallyOf } from './tax-tally.ts';

describe('rows of another request', () => {
  test('rows of another type', async () => {
    liar.lie = inRows((rows) => rows.map((row) => ({ ...row, detTipoDoc: 34 })));
    expect((await refusal()).message).toContain('is of another document type than was asked for');
  });

  test.each([
    ['dcvPtributario', 202609, 'another month'],
    ['dcvOperacion', 'VENTA', 'the other side'],
  ])('%s = %j', async (key, value, words) => {
    liar.lie = inTotals((_row, answer) => {
      answer.dataCabecera = { ...(answer.dataCabecera as object), [key]: value };
    });
    expect((await refusal()).message).toBe(
      `getResumen: ${words === 'another month' ? 'the register of another month' : words === 'the other side' ? 'the other side of the register' : ''} was answered`,
    );
  });

  test('another company, in the header of a detail', async () => {
    liar.lie = (method, answer) => {
      if (method === 'getDetalleCompra') answer.dataCabecera = { dcvRutEmisor: 70000777 };
    };
    expect((await refusal()).code).toBe('source.wrong_company');
  });

  const LATER = { detFchDoc: '01/11/2026', detFecRecepcion: '02/11/2026 09:00:00' };

  test('a document dated after the month and received in it is a document of the month', async () => {
    liar.lie = inRows((rows) => rows.map((row, at) => (at === 1 ? { ...row, detFchDoc: '01/11/2026' } : row)));
    const { rows, notices, unreadable } = await read();
    expect(rows.filter(({ issued_at }) => issued_at === '2026-11-01').length).toBeGreaterThan(0);
    expect([tallyOf(rows), notices, unreadable]).toEqual([ledger(), [], []]);
  });

  test('a document dated and received after the month costs one line', async () => {
    liar.lie = inRows((rows) => rows.map((row, at) => (at === 1 ? { ...row, ...LATER } : row)));
    const { rows, unreadable } = await read();
    expect(tallyOf(rows).count).toBe(ledger()!.count - 1);
    expect(unreadable.map(({ message }) => message)).toEqual([
      expect.stringContaining('row 2: document was issued and received after the month that was asked for'),
    ]);
  });

  test('documents dated after the month without reception are stored, unless they are most of the answer', async () => {
    const undated = { detFchDoc: '01/11/2026', detFecRecepcion: null };
    liar.lie = inRows((rows) => rows.map((row, at) => (at < 3 ? { ...row, ...undated } : row)));
    const { rows, unreadable } = await read();
    expect([tallyOf(rows), unreadable]).toEqual([ledger(), []]);
    liar.lie = inRows((rows) => rows.map((row, at) => (at < 3 ? row : { ...row, ...undated })));
    expect((await refusal()).message).toMatch(/: \d+ of \d+ documents are dated after the month that was asked for$/);
  });

  test('a document of another type costs one line', async () => {
    liar.lie = inRows((rows) => rows.map((row, at) => (at === 1 ? { ...row, detTipoDoc: 34 } : row)));
    const { rows, unreadable } = await read();
    expect(tallyOf(rows).count).toBe(ledger()!.count - 1);
    expect(unreadable).toHaveLength(1);
  });

  test('the purchases of a later month are refused, also if many of them are dated in this one', async () => {
    liar.lie = inRows((rows) => rows.map((row, at) => (at % 2 === 0 ? { ...row, ...LATER } : row)));
    expect((await refusal()).message).toMatch(/and received after the month .* \(\d+ of \d+ lines of /);
  });

  test.each([
    ['an earlier month', { detFchDoc: '15/09/2026' }, 'no document is of the month that was asked for'],
    ['a later month', LATER, 'was issued and received after the month that was asked for'],
  ])('the sales of %s are refused', async (_what, days, why) => {
    liar.lie = (method, answer) => {
      if (method === 'getDetalleVenta') answer.data = (answer.data ?? []).map((row) => ({ ...row, ...days }));
    };
    expect((await refusal()).message).toContain(why);
  });

  test('a file follows the same rule', async () => {
    liar.lie = inRows(() => []);
    const withDates = (issued: string, received: string, isChosen: (at: number) => boolean) => (text: string) => {
      const [header, ...lines] = text.trimEnd().split('\r\n');
      const columns = header!.split(';');
      const change = (line: string) =>
        line
          .split(';')
          .with(columns.indexOf('Fecha Docto'), issued)
          .with(columns.indexOf('Fecha Recepcion'), received)
          .join(';');
      return [header, ...lines.map((line, at) => (isChosen(at) ? change(line) : line))].join('\r\n');
    };
    liar.lieOfFile = withDates('01/11/2026', '31/10/2026 23:59:59', (at) => at === 0);
    const { rows, unreadable } = await read();
    expect([tallyOf(rows), unreadable]).toEqual([ledger(), []]);
    liar.lieOfFile = withDates('01/11/2026', '01/11/2026 00:00:00', () => true);
    expect((await refusal()).message).toContain('was issued and received after the month that was asked for');
  });
});

describe('lines that cannot be read', () => {
  test('one: the rest is stored, and the run reports it', async () => {
    liar.lie = inRows((rows) => rows.map((row, at) => (at === 2 ? { ...row, detFchDoc: '31/02/2026' } : row)));
    const { rows, notices, unreadable } = await read();
    expect(tallyOf(rows).count).toBe(ledger()!.count - 1);
    expect(notices.map(({ code }) => code)).toEqual(['tax.rcv.totals_differ']);
    expect(unreadable).toEqual([
      {
        code: 'tax.rcv.lines_unreadable',
        message:
          '2026-10: 1 line could not be read, the others are stored. purchases/REGISTRO/33: 3. First: purchases/REGISTRO/33, row 3: detFchDoc is not a date DD/MM/AAAA that exists.',
        params: { period: '2026-10', count: 1 },
      },
    ]);
  });

  test('two of few: refused', async () => {
    liar.lie = inRows((rows) => rows.map((row, at) => (at < 2 ? { ...row, detNroDoc: null } : row)));
    expect((await refusal()).message).toMatch(
      /row 1: detNroDoc is missing \(2 of \d+ lines of purchases\/REGISTRO\/33 cannot be read\)$/,
    );
  });

  test('of a file, and one per cent of many', async () => {
    liar.lie = inRows(() => []);
    liar.lieOfFile = (text) => {
      const [header, ...lines] = text.trimEnd().split('\r\n');
      const bad = lines.findIndex((line, at) => at > 1 && /^\d/.test(line) && /^\d/.test(lines[at + 1] ?? ''));
      return [header, ...lines.with(bad, lines[bad]!.replaceAll(';', ','))].join('\r\n');
    };
    const { rows, unreadable } = await read();
    expect(tallyOf(rows).count).toBe(ledger()!.count - 1);
    expect(unreadable).toHaveLength(1);
  });
});

test('a damaged byte costs one character, and is reported', async () => {
  liar.lie = (method, answer, asked) => {
    if (method !== 'getDetalleCompra' || asked.estadoContab !== 'REGISTRO' || asked.codTipoDoc !== '33')
      return undefined;
    const rows = answer.data!.map((row, at) => ({ ...row, detRznSoc: at === 0 ? 'ALMACÉN @ ÑUÑOA' : 'COMPAÑÍA' }));
    const bytes = Buffer.from(JSON.stringify({ ...answer, data: rows }));
    bytes[bytes.indexOf('@')] = 0xe9;
    return bytes;
  };
  const { rows, notices } = await read();
  const names = new Set(
    rows.filter((row) => row.document_type === '33' && row.estado === 'registro').map((row) => row.issuer_name),
  );
  expect(names).toContain('ALMACÉN \uFFFD ÑUÑOA');
  expect(names).toContain('COMPAÑÍA');
  expect(notices).toEqual([
    {
      code: 'tax.rcv.characters_damaged',
      message: `${LAST_MONTH}: 1 character came damaged and cannot be read.`,
      params: { period: LAST_MONTH, count: 1 },
    },
  ]);
});
