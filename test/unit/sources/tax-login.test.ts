/**
 * How a login without a session is classified: pages that were never captured, in all spellings (tax.md §2.3, §2.4).
 */
import { describe, expect, test } from 'vitest';
import type { HttpResponse } from '#shared/sources/http/client.ts';
import { loginRefusal } from '#shared/sources/tax/login-refusal.ts';

const LOGIN = 'https://zeusr.sii.cl/cgi_AUT2000/CAutInicio.cgi';
const FORM = '<form><input name="rutcntr"><input type="password" name="clave"></form>';
const HELP = '<a href="/x.html">¿Clave bloqueada? Desbloquéela aquí</a>';

const answerOf = (html: string, status = 200, ...visited: string[]): HttpResponse => {
  const body = new TextEncoder().encode(html);
  return { status, headers: {}, contentType: 'text/html', body, text: () => html, visited: [LOGIN, ...visited] };
};

describe('the page says', () => {
  test.each([
    ['source.session_limit', "<script>alert('Usted ha superado el máximo de sesiones autenticadas')</script>"],
    ['source.session_limit', '<script>alert("superado el maximo de sesiones autenticadas")</script>'],
    ['source.session_limit', '<p>superado el m&aacute;ximo de sesiones autenticadas</p>'],
    ['source.session_limit', "<script>alert('m\\u00e1ximo de sesiones')</script>"],
    ['source.session_limit', '<html>01.01.123.500.709.27</html>'],
    ['source.session_limit', `<script>alert('superado el máximo de sesiones')</script>${FORM}`],
    ['source.account_locked', `<p>Su clave se encuentra bloqueada</p>${FORM}`],
    ['source.account_locked', "<script>alert('Usuario bloqueado')</script>"],
    ['source.password_expired', `<p>Su clave ha expirado, debe cambiarla</p>${FORM}`],
    ['source.password_expired', "<script>alert('Su clave ha expirado, debe cambiarla')</script>"],
    ['source.invalid_credentials', `<p>Si su clave ha expirado, recupérela</p>${FORM}`],
    ['source.session_limit', `<p>Sesion duplicada: usted ha iniciado sesion en otro dispositivo</p>${FORM}`],
    ['source.invalid_credentials', `${FORM}${HELP}`],
    ['source.invalid_credentials', '<html><input type="password" name="x"></html>'],
    ['source.invalid_credentials', "<script>alert('Transaccion Rechazada')</script>"],
    ['source.invalid_credentials', '<p>Usuario y/o clave incorrectos</p>'],
    ['source.invalid_credentials', '<p>Clave Tributaria incorrecta</p>'],
    ['source.invalid_credentials', '<p>Error de autenticación</p>'],
    ['source.invalid_credentials', `<p>Clave incorrecta. Al tercer intento será bloqueada.</p>${FORM}`],
    ['source.unavailable', '<html><title>Sala de Espera</title></html>'],
    ['source.unavailable', '<script src="https://x.queue-it.net/a.js"></script>'],
    ['source.maintenance', "<script>location.replace('https://www.sii.cl/ayudas/900.html')</script>"],
    ['source.unexpected_response', '<html><p>Bienvenido</p></html>'],
    ['source.unexpected_response', ''],
  ])('%s: %s', (code, html) => {
    expect(loginRefusal(answerOf(html))).toMatchObject({ code });
  });
});

describe('the way it took says', () => {
  test.each([
    ['source.maintenance', 302, 'https://www.sii.cl/ayudas/900.html'],
    ['source.unavailable', 302, 'https://sii.queue-it.net/?c=sii'],
    ['source.invalid_credentials', 200, 'https://zeusr.sii.cl/AUT2000/InicioAutenticacion/IngresoRutClave.html?x'],
    ['source.blocked', 403, LOGIN],
    ['source.unexpected_response', 404, LOGIN],
  ])('%s: %d %s', (code, status, visited) => {
    expect(loginRefusal(answerOf('<html></html>', status, visited))).toMatchObject({ code });
  });
});

test('messages quote nothing of the page', () => {
  const { message } = loginRefusal(answerOf('<p>70000002-8 secreto</p>'));
  expect(message).not.toMatch(/70000002|secreto/);
});
