/** Wrong answers of an institution about existing data are refused or reported, and never accepted as complete. */
import { describe, expect, test } from 'vitest';
import type { Lie } from './tax-liar.ts';
import { doubled, inRows, inTotals, ledger, liar, read, refusal, without } from './tax-lies.ts';
import { LAST_MONTH } from './tax-stage.ts';
import { tallyOf } from './tax-tally.ts';

test('through the door comes what the institution holds', async () => {
  const { rows, notices, unreadable } = await read();
  expect(tallyOf(rows)).toEqual(ledger());
  expect([notices, unreadable]).toEqual([[], []]);
});

describe('rows twice instead of others', () => {
  test('are counted by their keys, and the file is requested', async () => {
    liar.lie = inRows(doubled);
    const { rows, notices } = await read();
    expect(liar.called).toContain('obtenerArchivoBLOB');
    expect(tallyOf(rows)).toEqual(ledger());
    expect(notices).toEqual([]);
  });

  test('are refused when the file is also wrong', async () => {
    liar.lie = inRows(doubled);
    liar.lieOfFile = (text) => {
      const [header, ...lines] = text.trimEnd().split('\r\n');
      return [header, ...doubled(lines)].join('\r\n');
    };
    const { code, message } = await refusal();
    expect(code).toBe('source.unexpected_response');
    expect(message).toMatch(/^purchases\/REGISTRO\/33\/file: documents: \d+ different ones came, the source says \d+$/);
  });

  test.each([
    ['another amount', { detMntNeto: 1, detMntTotal: 1 }],
    ['another name', { detRznSoc: 'OTRA EMPRESA SPA' }],
  ])('with %s are refused, even if all sums agree', async (_what, change) => {
    liar.lie = inRows((rows) => [...rows, { ...rows[0], ...change }]);
    const { code, message } = await refusal();
    expect(code).toBe('source.unexpected_response');
    expect(message).toMatch(/^purchases\/REGISTRO\/33, row \d+: a document comes twice with other contents$/);
  });

  test('with another name are also refused in a file', async () => {
    liar.lie = inRows(() => []);
    liar.lieOfFile = (text) => {
      const [header, first, ...others] = text.trimEnd().split('\r\n');
      const name = header!.split(';').indexOf('Razon Social');
      return [header, first, ...others, first!.split(';').with(name, 'OTRA EMPRESA SPA').join(';')].join('\r\n');
    };
    expect((await refusal()).message).toMatch(/\/file, row \d+: a document comes twice with other contents$/);
  });
});

describe('keys and columns', () => {
  test.each(['detRutDoc', 'detDvDoc', 'detNroDoc', 'detFchDoc', 'detMntNeto', 'detMntTotal'])(
    '%s gone: refused',
    async (key) => {
      liar.lie = inRows((rows) => rows.map(without(key)));
      expect((await refusal()).message).toBe(`purchases/REGISTRO/33, row 1: ${key} is missing`);
    },
  );

  test.each([
    ['detRznSoc', 'issuer_name'],
    ['detFecRecepcion', 'received_at'],
    ['detFecAcuse', 'acknowledged_at'],
    ['detTipoDocRef', 'referenced_document_type'],
    ['descTipoTransaccion', 'transaction_type'],
    ['detEventoReceptorLeyenda', 'status'],
    ['detCodigo', 'source_document_id'],
  ] as const)('%s gone: left open, and reported', async (key, field) => {
    liar.lie = inRows((rows) => rows.map(without(key)));
    const { rows, notices } = await read();
    const lying = rows.filter(
      (row) => row.document_type === '33' && row.estado === 'registro' && row.direction === 'received',
    );
    expect(new Set(lying.map((row) => row[field]))).toEqual(new Set([undefined]));
    expect(tallyOf(rows)).toEqual(ledger());
    expect(notices).toEqual([
      {
        code: 'tax.rcv.columns_missing',
        message: `${LAST_MONTH}: the answers changed. Keys absent: ${key}. What is stored was kept.`,
        params: { period: LAST_MONTH },
      },
    ]);
  });

  test.each(['detRznSoc', 'detFecRecepcion', 'detCodigo'])('%s null, which it never is: reported', async (key) => {
    liar.lie = inRows((rows) => rows.map((row, at) => (at === 2 ? { ...row, [key]: null } : row)));
    const { notices } = await read();
    expect(notices).toEqual([expect.objectContaining({ code: 'tax.rcv.columns_missing' })]);
    expect(notices[0]!.message).toContain(`empty, which they never are: ${key}.`);
  });

  test('null where the wire may carry it is nothing to report', async () => {
    liar.lie = inRows((rows) =>
      rows.map((row) => ({ ...row, detFecAcuse: null, detEventoReceptor: null, detFecReclamado: null })),
    );
    const { rows, notices } = await read();
    expect(rows.find(({ document_type }) => document_type === '33')).toMatchObject({ acknowledged_at: null });
    expect(notices).toEqual([]);
  });

  test('a column of the file: reported when it may be gone, refused when not', async () => {
    liar.lie = inRows(() => []);
    const dropColumn = (name: string) => (text: string) => {
      const lines = text
        .trimEnd()
        .split('\r\n')
        .map((line) => line.split(';'));
      const at = lines[0]!.indexOf(name);
      expect(at).toBeGreaterThan(0);
      return lines.map((cells) => cells.toSpliced(at, 1).join(';')).join('\r\n');
    };
    liar.lieOfFile = dropColumn('Razon Social');
    const { rows, notices } = await read();
    expect(tallyOf(rows)).toEqual(ledger());
    expect(notices.map(({ message }) => message)).toEqual([
      `${LAST_MONTH}: the answers changed. Keys absent: razon social. What is stored was kept.`,
    ]);
    liar.lieOfFile = dropColumn('Folio');
    expect((await refusal()).message).toContain('column "folio" is missing');
  });
});

describe('totals', () => {
  test('a sum that differs is reported once a month, with the figures', async () => {
    liar.lie = inRows((rows) =>
      rows.map((row, at) => (at === 0 ? { ...row, detMntTotal: Number(row.detMntTotal) + 1 } : row)),
    );
    const { rows, notices } = await read();
    const right = BigInt(ledger()!.sums.total_amount);
    expect(BigInt(tallyOf(rows).sums.total_amount)).toBe(right + 1n);
    expect(notices.map(({ code }) => code)).toEqual(['tax.rcv.totals_differ']);
    const [, theirs, ours] =
      /^2026-10: direction received, estado registro, document_type 33: the source says total_amount (\d+), the stored rows come to (\d+)\.$/.exec(
        notices[0]!.message,
      )!;
    expect(BigInt(ours!) - BigInt(theirs!)).toBe(1n);
  });

  test('several figures: the first as text, the others as a number', async () => {
    liar.lie = inTotals((row) => {
      for (const key of ['rsmnMntNeto', 'rsmnMntIVA', 'rsmnMntTotal']) row[key] = Number(row[key]) + 1_000_000;
    });
    const { notices } = await read();
    expect(notices).toHaveLength(1);
    expect(notices[0]!.message).toMatch(/ 2 other figures differ\.$/);
  });

  test.each(['detMntTotal', 'detMntNeto', 'detMntIVA'])('%s null in every row: refused', async (key) => {
    liar.lie = inRows((rows) => rows.map((row) => ({ ...row, [key]: null })));
    const { code, message } = await refusal();
    expect([code, message]).toEqual([
      'source.unexpected_response',
      expect.stringMatching(/the rows hold no (?:total|net|VAT), and the totals do$/),
    ]);
  });
});

describe('what there is', () => {
  test.each(['dcvTipoIngresoDoc', 'rsmnLink', 'rsmnTotDoc', 'rsmnMntNeto', 'rsmnTipoDocInteger'])(
    '%s gone from the totals: refused',
    async (key) => {
      liar.lie = inTotals((row) => {
        delete row[key];
      });
      expect((await refusal()).message).toContain(`${key} is missing`);
    },
  );

  test.each([
    ['dcvTipoIngresoDoc', null],
    ['rsmnLink', null],
    ['rsmnLink', 'quizas'],
    ['rsmnTotDoc', null],
    ['rsmnTotDoc', 0],
    ['rsmnTipoDocInteger', 0],
    ['rsmnMntTotal', null],
  ])('%s = %j: refused', async (key, value) => {
    liar.lie = inTotals((row) => {
      row[key] = value;
    });
    expect((await refusal()).message).toContain(`${key} cannot be read`);
  });

  test('a type that comes twice in the totals: refused', async () => {
    liar.lie = inTotals((row, answer) => {
      answer.data = answer.data!.map((other) => (other.rsmnTipoDocInteger === 34 ? { ...row } : other));
    });
    expect((await refusal()).message).toContain('a type comes twice');
  });

  test('an unknown kind of entry is requested like the others', async () => {
    liar.lie = inTotals((row) => {
      row.dcvTipoIngresoDoc = 'DET_NUEVO';
    });
    const { rows, notices } = await read();
    expect(tallyOf(rows)).toEqual(ledger());
    expect(notices).toEqual([]);
  });

  test.each([
    ['null', null],
    ['absent', undefined],
  ])('success with data %s: refused', async (_what, data) => {
    liar.lie = (method, answer, asked) => {
      if (method === 'getResumen' && asked.estadoContab === 'REGISTRO') answer.data = data as never;
    };
    expect((await refusal()).message).toContain('success without a list of totals');
  });

  test('an empty list and code 3 are nothing', async () => {
    liar.lie = (method, answer, asked) => {
      if (method !== 'getResumen') return;
      answer.data = asked.operacion === 'COMPRA' ? [] : null;
      answer.respEstado.codRespuesta = asked.operacion === 'COMPRA' ? 0 : 3;
      answer.totDocRes = asked.operacion === 'COMPRA' ? 0 : null;
      answer.dataCabecera = null;
    };
    expect(await read()).toEqual({ rows: [], notices: [], unreadable: [] });
  });

  const inSummary =
    (change: (totals: Record<string, unknown>[]) => Record<string, unknown>[]): Lie =>
    (method, answer, asked) => {
      if (method === 'getResumen' && asked.estadoContab === 'REGISTRO' && asked.operacion === 'COMPRA')
        answer.data = change(answer.data!);
    };

  test('an empty list with a count of documents is refused', async () => {
    liar.lie = inSummary(() => []);
    expect((await refusal()).message).toBe('purchases/REGISTRO/summary: documents are counted, and no type');
  });

  test('a type without documents and amounts is accepted', async () => {
    const none = { rsmnTotDoc: 0, rsmnMntNeto: 0, rsmnMntIVA: 0, rsmnMntExe: 0, rsmnMntTotal: 0 };
    liar.lie = inSummary((totals) => [...totals, { ...totals[0], ...none, rsmnTipoDocInteger: 56 }]);
    expect(await read()).toMatchObject({ notices: [] });
  });

  test('a type that is gone from the totals is reported by their own count', async () => {
    let gone = 0;
    liar.lie = inSummary((totals) => {
      gone = Number(totals.at(-1)!.rsmnTotDoc);
      return totals.slice(0, -1);
    });
    const { notices } = await read();
    expect(notices.map(({ code }) => code)).toEqual(['tax.rcv.totals_differ']);
    const [, theirs, ours] = /: the source says rows (\d+), the stored rows come to (\d+)\.$/.exec(
      notices[0]!.message,
    )!;
    expect(Number(theirs) - Number(ours)).toBe(gone);
    expect(notices[0]!.message).toContain('2026-10: direction received, estado registro: ');
  });

  test.each(['lines', 'documents of every line'])('a count of %s is accepted', async (counted) => {
    liar.lie = (method, answer) => {
      if (method !== 'getResumen' || !Array.isArray(answer.data)) return;
      const documents = answer.data.reduce((sum, { rsmnTotDoc }) => sum + Number(rsmnTotDoc), 0);
      answer.totDocRes = counted === 'lines' ? answer.data.length : documents;
    };
    expect((await read()).notices).toEqual([]);
  });

  test('"too old" is not accepted for last month, or while the month has other books', async () => {
    const tooOld: Lie = (_method, answer) => {
      answer.data = null;
      Object.assign(answer.respEstado, {
        codRespuesta: 99,
        msgeRespuesta: 'Periodo consultado no válido, debe ser mayor igual a 202611',
      });
    };
    liar.lie = (method, answer, asked) => (method === 'getResumen' ? tooOld(method, answer, asked) : undefined);
    expect((await refusal()).message).toBe('getResumen: 2026-10 is called too old, which it is not');
    expect((await read('2017-04')).notices.map(({ code }) => code)).toEqual(['tax.rcv.out_of_window']);
    liar.lie = (method, answer, asked) =>
      method === 'getResumen' && asked.operacion === 'VENTA' ? tooOld(method, answer, asked) : undefined;
    expect((await refusal('2017-06')).message).toContain('too old, while others of the month were answered');
  });
});
