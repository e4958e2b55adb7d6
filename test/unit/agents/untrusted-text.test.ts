import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import * as z from 'zod';
import { AGENT_SCOPES } from '#shared/mcp/agent-scopes.ts';
import { project, untrustedFields } from '#shared/mcp/projection.rules.ts';
import { cleanText, isFreeText } from '#shared/mcp/untrusted-text.rules.ts';
import { scopeId } from '#shared/scopes/scope.ts';
import { day, decimal, instant, period, rut, text, uuid } from '#shared/values/fields.ts';
import { runs } from '#test/helpers/effort.ts';

/** Characters that no reader may meet, defined here independently by code points. */
const isHidden = (point: number): boolean =>
  point < 0x20 ||
  (point >= 0x7f && point <= 0x9f) ||
  point === 0xad ||
  (point >= 0x200b && point <= 0x200f) ||
  (point >= 0x2028 && point <= 0x202e) ||
  (point >= 0x2060 && point <= 0x206f) ||
  (point >= 0xd800 && point <= 0xdfff) ||
  (point >= 0xe000 && point <= 0xf8ff) ||
  (point >= 0xfe00 && point <= 0xfe0f) ||
  point === 0xfeff ||
  (point >= 0xe0000 && point <= 0xe01ef);

const hostile = fc.array(
  fc.oneof(
    fc.integer({ min: 0, max: 0x10ffff }),
    fc.constantFrom(0x202e, 0x2066, 0x200b, 0xfeff, 0xe0041, 0xe0100, 0xd800, 0x0a, 0x41, 0x1f600),
  ),
  { maxLength: 500 },
);

describe('cleanText', () => {
  it('leaves nothing invisible, and at most its length', () => {
    fc.assert(
      fc.property(hostile, fc.integer({ min: 1, max: 300 }), (points, max) => {
        const clean = cleanText(points.map((point) => String.fromCodePoint(point)).join(''), max);
        expect([...clean].filter((letter) => isHidden(letter.codePointAt(0)!))).toEqual([]);
        expect([...clean].length).toBeLessThanOrEqual(max);
        expect(clean.isWellFormed()).toBe(true);
        expect(cleanText(clean, max)).toBe(clean);
      }),
      { numRuns: runs(200) },
    );
  });

  test.each([
    ['PAGO   FACTURA 991', 'PAGO   FACTURA 991'],
    ['Ñandú & Cía. S.A. – 50 %', 'Ñandú & Cía. S.A. – 50 %'],
    ['a\r\nb\tc', 'a b c'],
    ['\u202e0001 ogaP', '0001 ogaP'],
    ['x\u200by\u2060z\ufeff', 'xyz'],
    ['\u{e0049}\u{e0047}hola', 'hola'],
    ['👍🏽 listo', '👍🏽 listo'],
    ['   ', ''],
  ])('%j is shown as %j', (written, shown) => expect(cleanText(written, 200)).toBe(shown));

  it('says that it cut, and counts as a reader counts', () => {
    expect(cleanText('abcdef', 6)).toBe('abcdef');
    expect(cleanText('abcdefg', 6)).toBe('abcde…');
    expect(cleanText('👍'.repeat(6), 6)).toBe('👍'.repeat(6));
    expect(cleanText('👍'.repeat(7), 6)).toBe(`${'👍'.repeat(5)}…`);
  });
});

describe('which fields third parties write', () => {
  it('is what has no form', () => {
    for (const schema of [
      text(),
      rut(),
      text().min(1),
      text().nullable(),
      rut().nullable().optional(),
      text().describe('x'),
    ])
      expect(isFreeText(schema)).toBe(true);
    for (const schema of [
      uuid(),
      period(),
      day(),
      instant(),
      decimal(),
      z.enum(['a']),
      z.int(),
      z.boolean(),
      day().nullable(),
    ])
      expect(isFreeText(schema)).toBe(false);
  });

  it('names every column of a scope that may hold words, and no amount, id or date', () => {
    const named = AGENT_SCOPES.map((scope) => [scopeId(scope), untrustedFields(scope.listRow, scope.agent.columns)]);
    expect(Object.fromEntries(named)).toEqual({
      'bankone.balances': ['numero_cuenta'],
      'bankone.movements': ['numero_cuenta', 'currency', 'descripcion', 'documento'],
      'bankone.nominas': ['numero_nomina', 'tipo', 'cuenta_cargo', 'estado', 'currency'],
      'bankone.transfers': [
        'currency',
        'numero_transaccion',
        'subject',
        'counterparty_rut',
        'counterparty_name',
        'counterparty_bank',
      ],
      'bankthree.balances': ['numero_cuenta'],
      'bankthree.movements': ['numero_cuenta', 'currency', 'descripcion', 'documento'],
      'banktwo.balances': ['numero_cuenta'],
      'banktwo.movements': ['numero_cuenta', 'descripcion', 'category', 'counterparty_name', 'counterparty_rut'],
      'tax.boletas': ['channel'],
      'tax.guias': ['folio', 'counterparty_rut', 'counterparty_name', 'status'],
      'tax.rcv': [
        'document_type',
        'folio',
        'issuer_rut',
        'issuer_name',
        'receiver_rut',
        'receiver_name',
        'currency',
        'status',
        'referenced_document_type',
        'referenced_folio',
      ],
    });
  });
});

test('a projection has the asked fields in their order, null for a missing value, and cleans only text', () => {
  const row = { id: 'x\u200b', name: 'a\u200bb', amount: '1', more: 'left out' };
  expect(project(row, ['id', 'amount', 'name', 'gone'], ['name'], 200)).toEqual({
    id: 'x\u200b',
    amount: '1',
    name: 'ab',
    gone: null,
  });
});

test('every scope names columns of its list rows, the id first, and sums and groups among them', () => {
  expect(AGENT_SCOPES.length).toBeGreaterThan(10);
  for (const { listRow, agent, source, name } of AGENT_SCOPES) {
    const fields = Object.keys(listRow.shape);
    expect(agent.columns[0], `${source}.${name}`).toBe('id');
    expect(new Set(agent.columns).size).toBe(agent.columns.length);
    expect(fields).toEqual(expect.arrayContaining([...agent.columns]));
    expect(agent.columns).toEqual(expect.arrayContaining([...agent.sums, ...agent.groups]));
    expect(agent.groups).toEqual(expect.arrayContaining(Object.keys(agent.subtracted ?? {})));
  }
});
