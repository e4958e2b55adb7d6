/**
 * Walls, login pages and maintenance pages with status 200 on each wire of the portal: never an empty answer, and never
 * "the answers changed". At a listing of attachments they cost only this listing.
 */
import { describe, expect, test } from 'vitest';
import { source } from '#shared/sources/procurement/source.ts';
import type { JsonObject, SourceError } from '#shared/sources/source.ts';
import type { Lie } from '#test/fakes/liar.ts';
import { createAsk, createIo } from './ask.ts';
import {
  behaving,
  checkedRows,
  clock,
  connect,
  filesOf,
  knobs,
  liar,
  parseAll,
  pull,
  requestOf,
  type Scope,
  useLiar,
  useSandbox,
  wantedOf,
} from './procurement-stage.ts';

useSandbox();
useLiar();

const ENTRY = behaving('works');
const CODIGO = ENTRY.metadata.codigos![1]!;
const LARGE = behaving('large');
const [LARGE_CODIGO = ''] = LARGE.metadata.codigos!;

const page = (body: string, title = 'Mercado Público'): string =>
  `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body>${body}</body></html>\n`;
const SCORING =
  '<script src="https://www.google.com/recaptcha/enterprise.js?render=k"></script><script>grecaptcha.enterprise.execute("k");</script>';
const STATE = '<input type="hidden" name="__VIEWSTATE" id="__VIEWSTATE" value="/wEPDw==" />';
const form = (inside: string): string => `<form method="post" action="./ViewAttachment.aspx">${inside}</form>`;

const WALLS: readonly [what: string, code: SourceError['code'], html: string][] = [
  ['reCAPTCHA, form and view state', 'source.blocked', page(form(STATE + SCORING), 'Ver anexos')],
  ['reCAPTCHA, form without view state', 'source.blocked', page(form(SCORING), 'Ver anexos')],
  ['reCAPTCHA without form', 'source.blocked', page(SCORING, 'Ver anexos')],
  [
    'a script that posts a score',
    'source.blocked',
    page(`${form(STATE)}<script>post('ViewAttachment.aspx?ajax=1')</script>`),
  ],
  ['a robot wall', 'source.blocked', page('<h1>Acceso Denegado</h1><img src="/img/robot.png">')],
  ['a robot wall that is cut', 'source.blocked', '<html><body><img src="/img/robot.png">'],
  [
    'a firewall',
    'source.blocked',
    page('The requested URL was rejected. Your support ID is: 4711', 'Request Rejected'),
  ],
  ['a login page', 'source.blocked', page('<form><input type="password" name="clave"></form>', 'Iniciar sesión')],
  [
    'a login page without fields',
    'source.blocked',
    page('<div id="kc-app"></div>', 'Iniciar sesión en mercadopublico'),
  ],
  ['maintenance', 'source.maintenance', page('<h1>Sitio en mantención</h1><p>Intente nuevamente</p>')],
  ['a fault', 'source.unavailable', page('<h1>Servicio temporalmente no disponible</h1>')],
];

const on =
  (part: string, html: string, wanted: (asked: string) => boolean = () => true): Lie =>
  (context) => {
    if (!context.url.includes(part) || context.status !== 200 || !wanted(context.asked)) return undefined;
    context.headers['content-type'] = 'text/html; charset=utf-8';
    delete context.headers['content-disposition'];
    return html;
  };

const read = async (scope: Scope, entry = ENTRY, codigo = CODIGO) => {
  const asked = createAsk();
  const io = createIo(liar.url, clock);
  await source.pull(requestOf(scope, entry, codigo), { session: {}, ask: asked.ask, io, progress: () => undefined });
  const { rows, notices } = parseAll(scope, codigo, asked);
  return { rows: checkedRows(scope, rows), told: notices.map(({ code }) => code.split('.')[2]), notices };
};
const failure = (...asked: Parameters<typeof read>): Promise<unknown> =>
  read(...asked).then(
    () => undefined,
    (error) => error,
  );

describe.each(WALLS)('%s', (_what, code, html) => {
  test('at the first listing: it is reported, and the others and the terms are served', async () => {
    const whole = (await read('documentos', LARGE, LARGE_CODIGO)).rows;
    liar.lie = on('ViewAttachment.aspx', html);
    const { rows, told } = await read('documentos', LARGE, LARGE_CODIGO);
    expect(told).toEqual(['blocked']);
    expect(rows).toEqual(whole.filter(({ origen }) => origen !== 'anexo'));
    expect(rows.some(({ origen }) => origen === 'antecedente')).toBe(true);
  });

  test('at a second listing: the other documents are served', async () => {
    const whole = (await read('documentos')).rows;
    liar.lie = on('VerAntecedentes.aspx', html);
    const { rows, told } = await read('documentos');
    expect(told).toEqual(['blocked']);
    expect(rows).toEqual(whole.filter(({ origen }) => origen !== 'antecedente'));
  });

  test('half-way through a listing: the pages before it are served', async () => {
    liar.lie = on('ViewAttachment.aspx', html, (asked) => asked.includes('Page%243'));
    const { rows, told } = await read('documentos', LARGE, LARGE_CODIGO);
    expect(told).toEqual(['blocked']);
    expect(rows.filter(({ origen }) => origen === 'anexo')).toHaveLength(12);
  });

  test('at the attachments of offers: the offers are served', async () => {
    const whole = (await read('ofertas')).rows;
    liar.lie = on('ViewBidAttachment.aspx', html);
    const { rows, told } = await read('ofertas');
    expect(told).toEqual(['blocked']);
    expect(rows.map(({ nombre_oferta: name }) => name)).toEqual(whole.map(({ nombre_oferta: name }) => name));
  });

  test.each<[Scope, string]>([
    ['documentos', 'DetailsAcquisition.aspx'],
    ['ofertas', 'DetailsAcquisition.aspx'],
    ['ofertas', 'OpeningFrame.aspx'],
    ['ofertas', 'OpeningHeader.aspx'],
    ['ofertas', 'SupplySummary.aspx'],
    ['preguntas', 'servicesPub.aspx'],
    ['licitaciones', 'licitaciones.json'],
  ])('%s: instead of %s', async (scope, part) => {
    liar.lie = on(part, html);
    expect(await failure(scope)).toMatchObject({ code });
  });

  test('instead of files: no file, and no fault of the scope', async () => {
    const { rows } = await read('documentos');
    const wanted = wantedOf('documentos', rows);
    liar.lie = on('', html, (asked) => /search\.x|grdIbtnView\.x|baseFirmada/.test(asked));
    const given = [];
    const io = createIo(liar.url, clock);
    for await (const file of source.tenders!.files(requestOf('documentos', ENTRY, CODIGO), wanted, {}, io))
      given.push(file);
    expect(given.length).toBeGreaterThan(0);
    const codes = new Set(given.map((file) => ('notice' in file ? file.notice.code.split('.')[2] : 'file')));
    expect([...codes]).toEqual([code === 'source.blocked' ? 'blocked' : 'file_unavailable']);
  });
});

test('a page of another kind instead of JSON is a fault of the portal', async () => {
  liar.lie = on('licitaciones.json', page('<h1>Mercado Público</h1>'));
  expect(await failure('licitaciones')).toMatchObject({ code: 'source.unavailable' });
  liar.lie = on('servicesPub', page('<h1>Mercado Público</h1>'));
  expect(await failure('preguntas')).toMatchObject({ code: 'source.unavailable' });
});

test('the notice names maintenance, and not a CAPTCHA', async () => {
  liar.lie = on('ViewAttachment.aspx', WALLS.find(([what]) => what === 'maintenance')![2]);
  const [notice] = (await read('documentos')).notices;
  expect(notice).toMatchObject({ code: 'procurement.documentos.blocked' });
  expect(notice?.message).toContain('maintenance');
});

test('a grid on a page that loads reCAPTCHA is read', async () => {
  const whole = await read('documentos');
  liar.lie = ({ url: asked, body }) =>
    asked.includes('ViewAttachment.aspx') ? body.toString().replace('</body>', `${SCORING}</body>`) : undefined;
  expect(await read('documentos')).toEqual(whole);
});

test('a listing without a grid and without a wall stays empty', async () => {
  liar.lie = ({ url: asked, body }) =>
    asked.includes('ViewAttachment.aspx') ? body.toString().replace(/<table[\s\S]*<\/table>/, '') : undefined;
  expect((await read('documentos')).told).toEqual(['listing_empty']);
});

test('after three closed listings in a row the others are left alone', async () => {
  const asked: string[] = [];
  liar.lie = (context) => {
    if (context.url.includes('ViewBidAttachment')) asked.push(context.url);
    return on('ViewBidAttachment.aspx', WALLS[0]![2])(context);
  };
  expect((await read('ofertas', LARGE, LARGE_CODIGO)).told).toEqual(['blocked']);
  expect(asked).toHaveLength(3);
});

describe('the sandbox', () => {
  test('shows the captured page at the first listing', async () => {
    const entry = behaving('blocked_listing');
    const [codigo = ''] = entry.metadata.codigos!;
    await knobs({ reset: true, ticket: entry.credentials.ticket });
    const { asked, notices, rows } = await pull('documentos', entry, codigo);
    const listing = asked.kept.get('anexo/1')!;
    expect(Buffer.from(listing.body).toString()).toMatch(
      /recaptcha\/enterprise\.js[\s\S]*ViewAttachment\.aspx\?ajax=1/,
    );
    expect(notices.map(({ code }) => code)).toEqual(['procurement.documentos.blocked']);
    expect(rows.length).toBeGreaterThan(0);
    expect(
      await filesOf('documentos', entry, codigo, wantedOf('documentos', checkedRows('documentos', rows))),
    ).not.toEqual([]);
  });

  test('has a ticket behind a maintenance page', async () => {
    const entry = behaving('maintenance');
    const [codigo = ''] = entry.metadata.codigos!;
    const session: JsonObject = await connect(entry);
    for (const scope of ['licitaciones', 'documentos', 'preguntas', 'ofertas'] as const)
      await expect(pull(scope, entry, codigo, createAsk(), {}, session)).rejects.toMatchObject({
        code: 'source.maintenance',
      });
  });
});
