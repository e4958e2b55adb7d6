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
    ['source.invalid_credentials', '<p>La Clave Tributaria ingresada no es correcta. Inténtelo de nuevo</p>'],
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

describe("the code of the authority's own table decides", () => {
  const CODES: [string, number[]][] = [
    ['source.account_locked', [9, 19]],
    ['source.invalid_credentials', [20, 55]],
    ['source.session_limit', [27]],
    ['source.login_not_allowed', [39, 58, 59]],
    ['source.password_expired', [25, 47, 48, 49, 51]],
    ['source.unavailable', [28, 29, 71, 76, 77, 78, 82, 83, 84, 85]],
    ['source.unavailable', [3, 7, 12, 56, 57, 72, 73, 74, 75]],
  ];
  const TEXT = 'Se ha producido un error. Código';
  const PAGES: [string, (code: string) => string][] = [
    ['the code only', (code) => code],
    ['an alert', (code) => `<script>alert('${TEXT} ${code}'); history.back();</script>`],
    ['a sentence', (code) => `<p>${TEXT} ${code}.</p>`],
    ['a last group in bold', (code) => `<p>${TEXT} ${code.replace(/\d+$/, '<b>$&</b>')}</p>`],
    ['a variable of a script', (code) => `<script>var codigo = "${code}";</script>${FORM}`],
    ['the login form', (code) => `<p>${TEXT} ${code}</p>${FORM}${HELP}`],
    ['the login form and a text about passwords', (code) => `<p>Clave Tributaria incorrecta ${code}</p>${FORM}`],
  ];
  const middles = ['123.212.95', '190.500.720', '7', '1.2.3.4.5'];

  test.each(CODES.flatMap(([code, numbers]) => numbers.map((number) => [number, code] as const)))(
    '%d: %s',
    (number, code) => {
      for (const [, page] of PAGES)
        for (const middle of middles.slice(0, number < 10 ? 3 : 4))
          for (const written of new Set([String(number), String(number).padStart(2, '0')]))
            expect(loginRefusal(answerOf(page(`01.01.${middle}.500.${written}`)))).toMatchObject({ code });
    },
  );

  test.each([
    ['an unknown code with the form', `01.01.123.212.95.99 ${FORM}`, 'source.invalid_credentials'],
    ['an unknown code without it', '<p>01.01.123.212.95.99</p>', 'source.unexpected_response'],
    ['an address', '<p>10.01.01.123.212.95.9</p>', 'source.unexpected_response'],
    ['too few groups', '<p>01.01.9</p>', 'source.unexpected_response'],
    ['a number that goes on', '<p>01.01.123.212.95.2055</p>', 'source.unexpected_response'],
  ])('%s does not', (_what, html, code) => {
    expect(loginRefusal(answerOf(html))).toMatchObject({ code });
  });

  test.each([
    [39, /"Cambiar clave y datos de Autenticación"/],
    [9, /one hour/],
    [27, /ten sessions .* one hour after its login/],
    [48, /"Código Provisorio"/],
    [55, /three tries are left/],
    [72, /"Mesa de Ayuda"/],
  ])('code %d says what to do', (number, says) => {
    expect(loginRefusal(answerOf(`01.01.123.212.95.${number}`)).message).toMatch(says);
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
