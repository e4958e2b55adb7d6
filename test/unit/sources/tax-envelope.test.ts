/** Answers of the facade and their meaning for the register (tax.md §3.4). */
import { describe, expect, test } from 'vitest';
import type { HttpResponse } from '#shared/sources/http/client.ts';
import { redact } from '#shared/sources/tax/app-codes.ts';
import { BOLETAS_APP, DOCUMENTS_APP, REGISTER_APP } from '#shared/sources/tax/apps.ts';
import { validateResponse } from '#shared/sources/tax/envelope.ts';

const answerOf = (body: unknown, status = 200): HttpResponse => {
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
  ])('%s', (kind, answer) => expect(validateResponse(REGISTER_APP, 'getResumen', answer)).toMatchObject({ kind }));

  test('a success with a notice on the job list only', () => {
    expect(validateResponse(REGISTER_APP, 'getCtrlAsync', coded(1))).toMatchObject({ kind: 'data' });
    expect(() => validateResponse(REGISTER_APP, 'getResumen', coded(1))).toThrow('code 1');
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
    expect(() => validateResponse(REGISTER_APP, 'getResumen', answer)).toThrow(
      expect.objectContaining({ name: 'SourceError', code }),
    );
  });

  test('a supplier named like a waiting room is no waiting room', () => {
    const rows = { data: [{ detRznSoc: 'SALA DE ESPERA LTDA' }], respEstado: { codRespuesta: 0 } };
    expect(validateResponse(REGISTER_APP, 'getDetalleCompra', answerOf(rows))).toMatchObject({ kind: 'data' });
  });
});

describe('codes mean what they mean in their own app', () => {
  test.each([
    ['data', coded(0)],
    ['data', coded('2', 'Sin documentos')],
    ['out_of_window', coded(1)],
    ['expired', coded(99, 'El token no es valido')],
    ['expired', answerOf('<html>JBWEB000065</html>', 401)],
  ])('documents: %s', (kind, answer) =>
    expect(validateResponse(DOCUMENTS_APP, 'getResumen', answer)).toMatchObject({ kind }),
  );

  test.each([
    ['source.unexpected_response', coded(3)],
    ['source.unexpected_response', coded(98)],
    ['source.unexpected_response', coded(99, 'Periodo consultado no válido')],
    ['source.wrong_company', coded(99, 'Usuario no autorizado')],
  ])('documents: %s', (code, answer) => {
    expect(() => validateResponse(DOCUMENTS_APP, 'getDetalle', answer)).toThrow(expect.objectContaining({ code }));
  });

  test.each([
    ['source.unavailable', coded(2)],
    ['source.blocked', coded(98)],
    ['source.unexpected_response', coded(1)],
  ])('receipts: %s', (code, answer) => {
    expect(() => validateResponse(BOLETAS_APP, 'x', answer)).toThrow(expect.objectContaining({ code }));
  });
});

describe('a request nobody was seen making may be refused', () => {
  test.each([
    ['refused', coded(2)],
    ['refused', coded(7, 'Tipo no soportado')],
    ['refused', answerOf('Unrecognized field', 400)],
    ['refused', answerOf('NullPointerException', 500)],
    ['data', coded(3)],
    ['out_of_window', coded(99, 'Periodo consultado no válido')],
    ['expired', answerOf('', 401)],
    ['expired', answerOf('<html></html>')],
  ])('%s', (kind, answer) =>
    expect(validateResponse(BOLETAS_APP, 'x', answer, { mayRefuse: true })).toMatchObject({ kind }),
  );

  test.each([
    ['source.blocked', coded(98)],
    ['source.wrong_company', coded(99, 'Usuario no autorizado')],
    ['source.unexpected_response', answerOf('{"data": [')],
    ['source.unexpected_response', answerOf('', 418)],
    ['source.maintenance', answerOf("<script>location.href='/ayudas/900.html'</script>", 500)],
  ])('but not so: %s', (code, answer) => {
    expect(() => validateResponse(BOLETAS_APP, 'x', answer, { mayRefuse: true })).toThrow(
      expect.objectContaining({ code }),
    );
  });
});

test('quoted messages lose what identifies somebody', () => {
  expect(redact('RUT 70.000.002-8, 70000002-8, Q7WX2M9RT4KZB, ana@ejemplo.cl')).toBe('RUT …, …, …, …');
  expect(redact('Error inesperado')).toBe('Error inesperado');
  expect(redact('x y '.repeat(100))).toHaveLength(160);
});
