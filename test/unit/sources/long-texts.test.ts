/**
 * Texts of 2 MB that an institution may send. A pattern that takes quadratic time needs minutes for one of them: the test
 * reaches its time limit.
 */
import { describe, expect, test } from 'vitest';
import { isInOrder } from '#shared/sources/parsing/in-order.ts';
import { namedState } from '#shared/sources/procurement/terms.ts';
import { registerCode } from '#shared/sources/tax/app-codes.ts';
import { readFolio } from '#shared/sources/tax/values.ts';

const BYTES = 2_000_000;
const filled = (part: string): string => part.repeat(BYTES / part.length);

describe('a long text is read once', () => {
  test('message of a code', () => {
    const state = (message: string) => ({ what: 'x', code: '99', message });
    expect(() => registerCode(state(filled('PERÍODO ')))).toThrow('code 99');
    expect(registerCode(state(`${filled('PERÍODO ')} no válido`))).toBe('out_of_window');
    expect(registerCode(state('Período tributario no válido'))).toBe('out_of_window');
  });

  test('folio', () => {
    const place = { what: 'x', period: '2026-10' } as never;
    expect(readFolio(`${filled('0')}x`, 'folio', place)).toBe(`${filled('0')}x`);
    expect(readFolio(`${filled('0')}7`, 'folio', place)).toBe('7');
    expect(readFolio('000', 'folio', place)).toBe('0');
    expect(readFolio('0-1', 'folio', place)).toBe('0-1');
  });

  test('refusal of a ticket', () => {
    expect(isInOrder(filled('ticket '), /ticket/i, /no v[aá]lido/i)).toBe(false);
    expect(isInOrder('no válido: ticket', /ticket/i, /no v[aá]lido/i)).toBe(false);
    expect(isInOrder('Ticket no válido', /ticket/i, /no v[aá]lido/i)).toBe(true);
  });

  test('state of a tender', () => {
    expect(namedState(filled(' \u00a0x'))).toBeUndefined();
    expect(namedState(`Desierta${filled(' ')}(o art. 3)`)).toBe('desierta');
  });
});
