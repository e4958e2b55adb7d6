/** Answers of the facade and what they mean for the register (tax.md §3.4). */
import { describe, expect, test } from 'vitest';
import type { HttpAnswer } from '#shared/sources/http/client.ts';
import { judge, redact } from '#shared/sources/tax/envelope.ts';

const answerOf = (body: unknown, status = 200): HttpAnswer => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const bytes = new TextEncoder().encode(text);
  return { status, headers: {}, contentType: 'application/json', body: bytes, text: () => text, visited: ['x'] };
};
const coded = (code: unknown, message: string | null = null) =>
  answerOf({ data: null, respEstado: { codRespuesta: code, msgeRespuesta: message, codError: null } });

describe('an answer is', () => {
  test.each([
    ['data', coded(0)],
    ['data', coded('0')],
    ['data', coded(3, 'Sin datos')],
    ['out_of_window', coded(99, 'Periodo consultado no válido, debe ser mayor igual a 201705')],
    ['out_of_window', coded('99', 'Período consultado no valido')],
    ['expired', coded(99, 'El token no es valido')],
    ['expired', answerOf('<html>JBWEB000065</html>', 401)],
    ['expired', answerOf('', 403)],
    ['expired', answerOf('\n<!DOCTYPE html><html></html>')],
    ['expired', answerOf('', 302)],
  ])('%s', (kind, answer) => expect(judge('getResumen', answer)).toMatchObject({ kind }));

  test('a success with a notice on the job list only', () => {
    expect(judge('getCtrlAsync', coded(1))).toMatchObject({ kind: 'data' });
    expect(() => judge('getResumen', coded(1))).toThrow('code 1');
  });

  test.each([
    ['source.unavailable', coded(2, 'Error inesperado')],
    ['source.blocked', coded(98)],
    ['source.wrong_company', coded(99, 'Usuario no autorizado')],
    ['source.unexpected_response', coded(99, 'Otra cosa')],
    ['source.unexpected_response', coded(7, 'Otra cosa')],
    ['source.unexpected_response', coded(null)],
    ['source.unexpected_response', answerOf({ errorMsg: 'Acceso no autorizado!' })],
    ['source.unexpected_response', answerOf({ data: [] })],
    ['source.unexpected_response', answerOf([])],
    ['source.unexpected_response', answerOf('{"data": [')],
    ['source.unexpected_response', answerOf('Unrecognized field "x"', 400)],
    ['source.maintenance', answerOf("<script>location.href='/ayudas/900.html'</script>")],
    ['source.unavailable', answerOf('<html>sala de espera</html>')],
  ])('%s', (code, answer) => {
    expect(() => judge('getResumen', answer)).toThrow(expect.objectContaining({ name: 'SourceError', code }));
  });

  test('a supplier named like a waiting room is none', () => {
    const rows = { data: [{ detRznSoc: 'SALA DE ESPERA LTDA' }], respEstado: { codRespuesta: 0 } };
    expect(judge('getDetalleCompra', answerOf(rows))).toMatchObject({ kind: 'data' });
  });
});

test('quoted messages lose what identifies somebody', () => {
  expect(redact('RUT 70.000.002-8, 70000002-8, Q7WX2M9RT4KZB, ana@ejemplo.cl')).toBe('RUT …, …, …, …');
  expect(redact('Error inesperado')).toBe('Error inesperado');
  expect(redact('x y '.repeat(100))).toHaveLength(160);
});
