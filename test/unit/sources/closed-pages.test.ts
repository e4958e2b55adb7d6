/** Walls, maintenance pages and fault pages with status 200 have the same error code at every bank. */
import { describe, expect, test } from 'vitest';
import { closedLogin, validateResponse } from '#shared/sources/bankone/envelope.ts';
import { loginRefusal, refusal } from '#shared/sources/bankthree/refusals.ts';
import { requireData, requireToken } from '#shared/sources/banktwo/refusals.ts';
import { readSigns } from '#shared/sources/http/account-page.ts';
import type { HttpResponse } from '#shared/sources/http/client.ts';
import { closedLoginFault, closedPageFault } from '#shared/sources/http/closed-page.ts';
import { loginRefusal as taxLoginRefusal } from '#shared/sources/tax/login-refusal.ts';
import { NOW_MS } from './ask.ts';

const page = (body: string): string =>
  `<!DOCTYPE html><html><head><title>Portal</title></head><body>${body}</body></html>`;
const FORM = '<form><input type="password" name="clave"></form>';

const PAGES: readonly [code: string, html: string][] = [
  ['source.blocked', page('<h1>Acceso Denegado</h1><img src="/img/robot.png">')],
  [
    'source.blocked',
    '<html><head><title>Request Rejected</title></head><body>The requested URL was rejected.</body></html>',
  ],
  ['source.blocked', '<html><head><title>Attention Required! | Cloudflare</title></head><body></body></html>'],
  ['source.blocked', page('<p>Resuelva el CAPTCHA para continuar</p>')],
  ['source.blocked', page('<p>Acceso denegado. Si cree que es un error, intente nuevamente.</p>')],
  ['source.maintenance', page('<h1>Sitio en Mantenci&oacute;n</h1>')],
  ['source.maintenance', page('<p>ESTAMOS EN MANTENIMIENTO PROGRAMADO</p>')],
  ['source.maintenance', page('<p>Our site is under maintenance</p>')],
  ['source.unavailable', page('<p>Servicio temporalmente no disponible</p>')],
  ['source.unavailable', page('<h1>Sala de espera</h1>')],
  ['source.unavailable', page('<h1>502 Bad Gateway</h1>')],
];

const answerOf = (html: string): HttpResponse => ({
  ...{ status: 200, headers: {}, contentType: 'text/html', body: Buffer.from(html), text: () => html },
  visited: ['https://bank.example/data'],
});

const thrownBy = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (thrown) {
    return thrown;
  }
};

const WIRES: Readonly<Record<string, (answer: HttpResponse) => unknown>> = {
  'bank one, data': (answer) => thrownBy(() => validateResponse('x', answer, NOW_MS)),
  'bank one, login': (answer) => closedLogin(answer),
  'bank two, data': (answer) => thrownBy(() => requireData('x', answer, NOW_MS)),
  'bank two, token': (answer) => thrownBy(() => requireToken('x', answer, NOW_MS)),
  'bank three, data': (answer) => refusal('x', answer),
  'bank three, login': (answer) => loginRefusal(answer, NOW_MS),
};

describe.each(Object.entries(WIRES))('%s', (wire, classify) => {
  // The words of a page do not prove that a password was not checked.
  const isLogin = wire.endsWith('login');
  test.each(PAGES)('%s: %s', (code, html) =>
    expect(classify(answerOf(html))).toMatchObject({
      code: isLogin && code === 'source.maintenance' ? expect.stringMatching(/\.(?:maintenance|unavailable)$/) : code,
    }),
  );
});

test.each([
  ['a help page', page('<p>Bienvenido a su banco</p>')],
  ['words in a script', page('<script>var texto = "Acceso denegado, sitio en mantención";</script>')],
  ['words in a link', page('<a href="/x">Portal en mantención</a>')],
  ['the subject of a tender', page('<p>Servicio de mantención de calderas</p><p>Contrato de mantenimiento</p>')],
  ['a login form', page(`<p>Acceso denegado</p>${FORM}`)],
])('%s is no closed page', (_what, html) => {
  expect(closedPageFault('x', readSigns(html))).toBeUndefined();
});

const REFUSED = page('<p>Los datos ingresados no son validos.</p><p>Mantenci&oacute;n programada: domingo 02:00</p>');

test('a refused password next to a notice of maintenance stays unclear, so that the limit of a day counts it', () => {
  expect(closedLoginFault(readSigns(REFUSED))).toMatchObject({ code: 'source.unavailable' });
  expect(taxLoginRefusal(answerOf(REFUSED))).toMatchObject({ code: 'source.unavailable' });
});

test.each([
  ['source.blocked', page('<p>Acceso bloqueado. Su IP ha sido bloqueada.</p><h1>Access denied</h1>')],
  ['source.account_locked', page('<p>Su clave ha sido bloqueada. Acceso denegado.</p>')],
  ['source.account_locked', page('<p>Usuario bloqueado</p>')],
])('tax: %s is told apart from a wall that blocks an address', (code, html) => {
  expect(taxLoginRefusal(answerOf(html))).toMatchObject({ code });
});
