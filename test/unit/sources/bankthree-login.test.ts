/**
 * How pages are recognized (banks.md §1.6, §3.3): words in any case, with and without accents, and words without
 * meaning.
 */
import { describe, expect, test } from 'vitest';
import { isFile, loginRefusal, nothingThere, refusal } from '#shared/sources/bankthree/refusals.ts';
import { BALANCES_FILE, STATEMENT_FILE } from '#shared/sources/bankthree/wire.ts';
import type { HttpResponse } from '#shared/sources/http/client.ts';
import { SessionExpired } from '#shared/sources/source.ts';
import { NOW_MS } from './ask.ts';

const HOME = 'https://www.bankthree.example/empresas';
const FORM = '<form action="login.asp"><input name="rut"><input type="password" name="clave"></form>';
const HELP = '<a href="/x">¿Clave bloqueada?</a><script>var m = "en mantención";</script>';

const answerTo = (text: string, changes: Partial<HttpResponse> = {}): HttpResponse => ({
  status: 200,
  headers: {},
  contentType: 'text/html; charset=ISO-8859-1',
  body: Buffer.from(text, 'latin1'),
  text: () => text,
  visited: [`${HOME}/login.asp`],
  ...changes,
});

describe('after a login', () => {
  test.each([
    ['source.invalid_credentials', `<p>Clave incorrecta</p>${FORM}`],
    ['source.invalid_credentials', '<p>RUT o CLAVE   INCORRECTA</p>'],
    ['source.invalid_credentials', "<script>alert('Clave incorrecta')</script>"],
    ['source.invalid_credentials', '<p>Clave incorrecta. Al tercer intento será bloqueada. Intente nuevamente.</p>'],
    ['source.invalid_credentials', '<p>Clave incorrecta</p><p>Domingo: mantención de 00:00 a 06:00</p>'],
    ['source.invalid_credentials', `${FORM}${HELP}`],
    ['source.account_locked', `<p>Su clave está bloqueada</p>${FORM}`],
    ['source.account_locked', '<p>CLAVE BLOQUEADA</p>'],
    ['source.account_locked', '<p>Clave incorrecta. Su clave ha sido bloqueada.</p>'],
    ['source.account_locked', '<p>Clave suspendida</p>'],
    ['source.password_expired', `<p>Su clave ha expirado, debe cambiarla</p>${FORM}`],
    ['source.password_expired', '<p>CLAVE EXPIRADA</p>'],
    ['source.invalid_credentials', `<p>Si su clave ha expirado, llame</p><p>¿Clave expirada?</p>${FORM}`],
    ['source.session_limit', '<p>Sesión duplicada</p>'],
    ['source.mfa_required', `<p>Ingrese su clave dinámica</p>${FORM}`],
    ['source.maintenance', '<p>Sitio en mantención</p>'],
    ['source.maintenance', '<p>SITIO EN MANTENCI&Oacute;N</p>'],
    ['source.maintenance', '<p>sitio en mantencion, intente nuevamente</p>'],
    ['source.unavailable', '<p>Servicio temporalmente no disponible [Error = 500]</p>'],
    ['source.unavailable', '<p>Presentamos intermitencias. Intente nuevamente</p>'],
    ['source.rate_limited', '<p>Intente nuevamente</p>'],
    ['source.unexpected_response', `<p>Bienvenido</p>${HELP}`],
    ['source.unexpected_response', ''],
  ])('%s: %s', (code, html) => {
    expect(loginRefusal(answerTo(html), NOW_MS)).toMatchObject({ code });
  });

  test.each([
    ['source.blocked', 403, {}],
    ['source.unavailable', 500, {}],
    ['source.rate_limited', 429, { retryAfterMs: 7_000 }],
    ['source.unexpected_response', 404, {}],
  ])('%s: HTTP %d', (code, status, more) => {
    const answer = answerTo('<p>Bienvenido</p>', { status, headers: { 'retry-after': '7' } });
    expect(loginRefusal(answer, NOW_MS)).toMatchObject({ code, ...more });
  });

  test('messages quote nothing of the page', () => {
    expect(loginRefusal(answerTo('<p>12345678-5 secreto</p>'), NOW_MS).message).not.toMatch(/12345678|secreto/);
  });
});

describe('instead of data', () => {
  const MOVEMENT = '203/02/2025COMISIÓN MANTENCIÓN CUENTA, INTENTE NUEVAMENTE';

  test.each<[string, HttpResponse]>([
    ['source.wrong_company', answerTo('<p>CUENTA NO AUTORIZADA</p>')],
    ['source.maintenance', answerTo('<p>Mantención. Intente nuevamente</p>')],
    ['source.maintenance', answerTo('<p>Mantención</p>', { visited: [`${HOME}/x.asp`, `${HOME}/login.asp`] })],
    ['source.rate_limited', answerTo('<p>Intente Nuevamente</p>')],
    ['source.unavailable', answerTo('<p>Presentamos intermitencias</p>')],
    ['source.blocked', answerTo('<p>Request blocked</p>', { status: 403 })],
    ['source.unexpected_response', answerTo('<p>Bienvenido</p>')],
    ['source.unexpected_response', answerTo('<p>No encontrado</p>', { status: 404 })],
    ['source.unexpected_response', answerTo(MOVEMENT)],
    ['source.unexpected_response', answerTo(MOVEMENT, { contentType: 'text/plain' })],
    ['source.unexpected_response', answerTo(`CUENTA;MONEDA\r\n${MOVEMENT}`)],
    ['source.unexpected_response', answerTo(`1${MOVEMENT}`)],
    ['source.unexpected_response', answerTo('', { contentType: null })],
  ])('%s', (code, answer) => {
    expect(refusal('statement', answer)).toMatchObject({ code });
  });

  test.each<[string, HttpResponse]>([
    ['the login form', answerTo(FORM)],
    ['the login form, with word of maintenance', answerTo(`${FORM}<p>Domingo: mantención</p>`)],
    [
      'a way that led to the login',
      answerTo('', { visited: [`${HOME}/x.asp`, `${HOME}/login.asp?fin=1`], status: 404 }),
    ],
  ])('the session has ended: %s', (_what, answer) => {
    expect(refusal('statement', answer)).toBeInstanceOf(SessionExpired);
  });

  test('a file is one by its type and its beginning', () => {
    const txt = { contentType: 'Text/Plain; charset=ISO-8859-1' };
    expect(isFile(answerTo('1076990123K', txt), STATEMENT_FILE)).toBe(true);
    expect(isFile(answerTo('1076990123K'), STATEMENT_FILE)).toBe(false);
    expect(isFile(answerTo('<html>', txt), STATEMENT_FILE)).toBe(false);
    expect(isFile(answerTo('1076990123K', { ...txt, status: 404 }), STATEMENT_FILE)).toBe(false);
    expect(isFile(answerTo('CUENTA;', { contentType: 'text/csv' }), BALANCES_FILE)).toBe(true);
    expect(isFile(answerTo('CUENTA,', { contentType: 'text/csv' }), BALANCES_FILE)).toBe(false);
  });

  test.each([
    ['<p>No existen movimientos</p>', 'no_movements'],
    ['<p>NO EXISTEN\r\n MOVIMIENTOS</p>', 'no_movements'],
    ['<p>Período no disponible</p>', 'not_available'],
    ['<p>Periodo no disponible</p>', 'not_available'],
    ['<p>Servicio temporalmente no disponible</p>', undefined],
    [`<p>Período no disponible</p>${FORM}`, undefined],
    ['1076990123K NO EXISTEN MOVIMIENTOS', undefined],
  ])('%s', (html, what) => {
    expect(nothingThere(Buffer.from(html, 'latin1'))).toBe(what);
  });
});
