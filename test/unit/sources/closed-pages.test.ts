/** Walls, maintenance pages and fault pages with status 200 have the same error code at every bank. */
import { describe, expect, test } from 'vitest';
import { closedFault, validateResponse } from '#shared/sources/bankone/envelope.ts';
import { loginRefusal, refusal } from '#shared/sources/bankthree/refusals.ts';
import { requireData, requireToken } from '#shared/sources/banktwo/refusals.ts';
import { readSigns } from '#shared/sources/http/account-page.ts';
import type { HttpResponse } from '#shared/sources/http/client.ts';
import { closedPageFault } from '#shared/sources/http/closed-page.ts';
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
  'bank one, login': (answer) => closedFault('login', answer),
  'bank two, data': (answer) => thrownBy(() => requireData('x', answer, NOW_MS)),
  'bank two, token': (answer) => thrownBy(() => requireToken('x', answer, NOW_MS)),
  'bank three, data': (answer) => refusal('x', answer),
  'bank three, login': (answer) => loginRefusal(answer, NOW_MS),
};

describe.each(Object.entries(WIRES))('%s', (_wire, classify) => {
  test.each(PAGES)('%s: %s', (code, html) => expect(classify(answerOf(html))).toMatchObject({ code }));
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
