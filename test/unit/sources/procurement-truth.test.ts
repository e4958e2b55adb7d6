/** Wrong answers of a portal about existing data are refused or reported, and never accepted as complete. */
import { describe, expect, test } from 'vitest';
import { source } from '#shared/sources/procurement/source.ts';
import type { SourceError } from '#shared/sources/source.ts';
import type { Lie, RequestContext } from '#test/fakes/liar.ts';
import { createAsk, createIo } from './ask.ts';
import {
  behaving,
  checkedRows,
  clock,
  liar,
  parseAll,
  requestOf,
  type Scope,
  useLiar,
  useSandbox,
} from './procurement-stage.ts';

useSandbox();
useLiar();

const ENTRY = behaving('works');
const CODIGO = ENTRY.metadata.codigos![1]!;
const LARGE = behaving('large');
const [LARGE_CODIGO] = LARGE.metadata.codigos!;

const read = async (scope: Scope, entry = ENTRY, codigo = CODIGO) => {
  const asked = createAsk();
  const io = createIo(liar.url, clock);
  await source.pull(requestOf(scope, entry, codigo), { session: {}, ask: asked.ask, io, progress: () => undefined });
  const unreadable: string[] = [];
  const unlessKnown: string[] = [];
  for (const item of source.parse({ scope, period: null, tender: codigo, credentials: {} }, [...asked.kept.values()]))
    if ('unreadable' in item) unreadable.push(item.unreadable.code);
    else if ('notice' in item && item.unlessKnown) unlessKnown.push(item.notice.code);
  const { rows, notices, isAbsent } = parseAll(scope, codigo, asked);
  return { rows: checkedRows(scope, rows), told: notices.map(({ code }) => code), unlessKnown, unreadable, isAbsent };
};
const refusal = async (...asked: Parameters<typeof read>): Promise<SourceError> =>
  (await read(...asked).then(
    () => undefined,
    (error) => error,
  )) as SourceError;

const inPages =
  (path: string, lie: (page: string, context: RequestContext) => string): Lie =>
  (context) =>
    context.url.includes(path) && context.body.includes('</html>') ? lie(context.body.toString(), context) : undefined;

const ERROR = '<html><body><h1>Ha ocurrido un error inesperado</h1></body></html>';

describe('an error page', () => {
  test.each<[Scope, string]>([
    ['documentos', 'DetailsAcquisition'],
    ['documentos', 'ViewAttachment'],
    ['documentos', 'VerAntecedentes'],
    ['ofertas', 'DetailsAcquisition'],
    ['ofertas', 'SupplySummary'],
    ['ofertas', 'ViewBidAttachment'],
  ])('%s: instead of %s is no empty answer', async (scope, path) => {
    liar.lie = inPages(path, () => ERROR);
    expect(await refusal(scope)).toMatchObject({ code: 'source.unexpected_response' });
  });

  test.each(['documentos', 'ofertas'] as const)('%s: a ficha with other ids is no unknown tender', async (scope) => {
    liar.lie = inPages('DetailsAcquisition', (page) => page.replaceAll(' id="', ' id="v2'));
    expect(await refusal(scope)).toMatchObject({ code: 'source.unexpected_response' });
  });

  test('only the portal’s own words say that there is no tender', async () => {
    liar.lie = ({ url: asked, body }) => (asked.includes('servicesPub') ? '[]' : body);
    expect((await read('preguntas')).isAbsent).toBe(false);
    const unknown = behaving('unknown_tender');
    const [codigo] = unknown.metadata.codigos!;
    expect((await read('preguntas', unknown, codigo)).isAbsent).toBe(true);
    liar.lie = inPages('DetailsAcquisition', () => ERROR);
    expect(await refusal('preguntas', unknown, codigo)).toMatchObject({ code: 'source.unexpected_response' });
  });
});

describe('pages', () => {
  /** Every page request gets the first page. */
  const onlyFirst = (path: string): Lie => {
    let first: Buffer | undefined;
    return ({ url: asked, body }) => {
      if (!asked.includes(path) || !body.includes('</html>')) return undefined;
      first ??= body;
      return first;
    };
  };

  test.each<[Scope, string]>([
    ['documentos', 'ViewAttachment'],
    ['ofertas', 'SupplySummary'],
  ])('of %s: the first instead of the second', async (scope, path) => {
    liar.lie = onlyFirst(path);
    expect(await refusal(scope, LARGE, LARGE_CODIGO)).toMatchObject({ code: 'source.unexpected_response' });
  });

  test('a copy of an offer instead of another', async () => {
    liar.lie = inPages('SupplySummary', (page) => {
      const rows = [...page.matchAll(/<tr class="cssFwkItemStyle">[\s\S]*?<\/table><\/td><\/tr>/g)].map(([row]) => row);
      return page.replace(rows[1]!, () => rows[0]!.replaceAll('ctl02', 'ctl03'));
    });
    expect((await refusal('ofertas')).message).toBe('cuadro: offers: 2 different ones came, the source says 3');
  });

  test('a copy of the first offer after another one of its name', async () => {
    liar.lie = inPages('SupplySummary', (page) => {
      const rows = [...page.matchAll(/<tr class="cssFwkItemStyle">[\s\S]*?<\/table><\/td><\/tr>/g)].map(([row]) => row);
      const other = rows[0]!.replaceAll('ctl02', 'ctl03').replace(/_EstadoOferta">\w+/, '_EstadoOferta">Otra');
      return page.replace(rows[1]!, () => other).replace(rows[2]!, () => rows[0]!.replaceAll('ctl02', 'ctl04'));
    });
    expect((await refusal('ofertas')).message).toBe('cuadro: offers: 2 different ones came, the source says 3');
  });

  test('offers of one name that differ are reported', async () => {
    liar.lie = inPages('SupplySummary', (page) => {
      const rows = [...page.matchAll(/<tr class="cssFwkItemStyle">[\s\S]*?<\/table><\/td><\/tr>/g)].map(([row]) => row);
      const other = rows[0]!.replaceAll('ctl02', 'ctl03').replace(/_EstadoOferta">\w+/, '_EstadoOferta">Otra');
      return page.replace(rows[1]!, () => other);
    });
    expect((await read('ofertas')).told).toEqual(['procurement.ofertas.offers_alike']);
  });

  test('one unreadable offer is reported, the others are stored', async () => {
    liar.lie = inPages('SupplySummary', (page) => page.replace(/(ctl03_TotalOferta">)[^<]*/, '$1cuarenta millones'));
    const { rows, unreadable } = await read('ofertas');
    expect([rows.length, unreadable]).toEqual([2, ['procurement.ofertas.lines_unreadable']]);
  });

  test.each([
    ['UF', 'UF 1.250,00'],
    ['dollars', 'US$ 1.250,00'],
    ['three digits after a comma', '1,250'],
  ])('a total in %s, to a tender in pesos', async (_what, total) => {
    liar.lie = inPages('SupplySummary', (page) =>
      page.replace(/(ctl03_TotalOferta">)[^<]*/, (_, cell) => cell + total),
    );
    const { rows, unreadable } = await read('ofertas');
    expect([rows.length, unreadable]).toEqual([2, ['procurement.ofertas.lines_unreadable']]);
  });
});

describe('a button or link', () => {
  test.each([
    [/<input type="image" name="DWNL\$grdId\$ctl03\$search"[^>]*>/, 'a download button'],
    [/ViewAttachment\.aspx/, 'the listing’s address'],
    [/<input type="image" id="imgAdjuntos"[^>]*>/, 'the button of the listing'],
  ])('%s gone: %s', async (pattern) => {
    liar.lie = (context) =>
      inPages('Attachment', (page) => page.replace(pattern, ''))(context) ??
      inPages('DetailsAcquisition', (page) => page.replace(pattern, 'Nuevo'))(context);
    expect(await refusal('documentos')).toMatchObject({ code: 'source.unexpected_response' });
  });

  test('a full page without a link to the next one is reported', async () => {
    liar.lie = inPages('ViewAttachment', (page) => page.replaceAll(/<a href="javascript[^>]*>/g, '<a>'));
    expect((await read('documentos')).told).toEqual(['procurement.documentos.pager_missing']);
  });

  test('names with a character that the portal itself lost are stored, and reported', async () => {
    const { rows } = await read('documentos');
    const names = (page: string) => page.replaceAll(/(_File">[^<]*?)[áéíóúñ°]/g, '$1\uFFFD');
    liar.lie = inPages('ViewAttachment', names);
    const lost = await read('documentos');
    expect([lost.rows.length, lost.unreadable]).toEqual([rows.length, []]);
    expect(lost.rows.filter(({ nombre }) => String(nombre).includes('\uFFFD')).length).toBeGreaterThan(1);
    expect(lost.told).toEqual(['procurement.documentos.characters_damaged']);
  });

  test('names that were damaged on their way are no names', async () => {
    const damaged: Lie = ({ url: asked, body }) => {
      if (!asked.includes('ViewAttachment') || !body.includes('</html>')) return undefined;
      const text = body.toString('latin1').replaceAll(/(_File">[^<]*?)\xC3[\x80-\xBF]/g, '$1\xFF');
      return Buffer.from(text, 'latin1');
    };
    liar.lie = damaged;
    expect(await refusal('documentos')).toMatchObject({ code: 'source.unexpected_response' });
  });

  const PAGER = /<tr><td colspan="6">.*?<\/table><\/td><\/tr>/s;

  test('six files and no word of another page may not be all there are', async () => {
    liar.lie = inPages('ViewAttachment', (page) => page.replace(PAGER, ''));
    const { rows, told, unlessKnown } = await read('documentos');
    const code = 'procurement.documentos.pager_missing';
    expect([rows.filter(({ origen }) => origen === 'anexo').length, told, unlessKnown]).toEqual([6, [code], [code]]);
  });

  test('a further full page without its pager is reported, known or not', async () => {
    liar.lie = inPages('ViewAttachment', (page, { asked }) =>
      decodeURIComponent(asked).includes('Page$2') ? page.replace(PAGER, '') : page,
    );
    const { rows, told, unlessKnown } = await read('documentos', LARGE, LARGE_CODIGO);
    const code = 'procurement.documentos.pager_missing';
    expect([rows.filter(({ origen }) => origen === 'anexo').length, told, unlessKnown]).toEqual([12, [code], []]);
  });

  test('a link to the next page only in a script is reported', async () => {
    const script = `<script>next("Page$2")</script></html>`;
    liar.lie = inPages('ViewAttachment', (page) => page.replace(PAGER, '').replace('</html>', () => script));
    const { told, unlessKnown } = await read('documentos');
    expect([told, unlessKnown]).toEqual([['procurement.documentos.pager_missing'], []]);
  });

  test('an opening that is missing from the ficha', async () => {
    liar.lie = inPages('DetailsAcquisition', (page) => page.replace('id="imgCuadroOferta"', ''));
    expect((await refusal('ofertas')).message).toBe('ficha: imgCuadroOferta is missing');
  });
});

describe('another tender', () => {
  test('a ficha without a tender number', async () => {
    liar.lie = inPages('DetailsAcquisition', (page) => page.replace('lblNumLicitacion', 'lblNumero'));
    expect((await refusal('documentos')).message).toBe('ficha: lblNumLicitacion is missing');
  });

  test('offers whose signed statements name another', async () => {
    liar.lie = inPages('SupplySummary', (page) => page.replaceAll(`'${CODIGO}'`, "'1509-5-L114'"));
    expect((await refusal('ofertas')).message).toBe('cuadro/1, row 1: signed statement is of another tender');
  });

  test('a listing that posts to another address than it was asked by', async () => {
    liar.lie = inPages('ViewAttachment', (page) => page.replace(/(<form[^>]*enc=)[^"]{8}/, '$1AAAAAAAA'));
    expect((await refusal('documentos')).message).toBe('anexo: the page is another one');
  });
});

describe('the API', () => {
  const inDetail =
    (change: (item: Record<string, unknown>) => void): Lie =>
    ({ url: asked, body }) => {
      if (!asked.includes('licitaciones.json')) return undefined;
      const answer = JSON.parse(body.toString().replace(/^\uFEFF/, ''));
      change(answer.Listado[0]);
      return JSON.stringify(answer);
    };

  test('a state that is not that of its code', async () => {
    liar.lie = inDetail((item) => {
      item.CodigoEstado = item.CodigoEstado === 19 ? 18 : 19;
    });
    expect((await refusal('licitaciones')).message).toBe('licitaciones, detail: Estado is not that of CodigoEstado');
  });

  test('null where the wire never has it: left open, and reported', async () => {
    liar.lie = inDetail((item) => {
      item.Nombre = null;
      delete item.Descripcion;
    });
    const { rows, told } = await read('licitaciones');
    expect(rows[0]).toMatchObject({ codigo: CODIGO });
    expect([rows[0]!.nombre, rows[0]!.descripcion]).toEqual([undefined, undefined]);
    expect(told).toEqual(['procurement.licitaciones.columns_missing']);
  });

  test.each([
    [200, { Codigo: 1_203, Mensaje: 'El ticket no es válido o ha expirado.' }],
    [401, { message: 'Ticket inválido' }],
    [403, { Mensaje: 'Ticket no autorizado.' }],
  ])('a ticket that is refused in other words, with status %i', async (status, body) => {
    liar.lie = (context) => {
      if (!context.url.includes('licitaciones.json')) return undefined;
      context.status = status;
      return JSON.stringify(body);
    };
    const connecting = source.connect({ credentials: ENTRY.credentials, metadata: {} }, createIo(liar.url, clock));
    await expect(connecting).rejects.toMatchObject({ code: 'source.invalid_credentials' });
  });
});

describe('questions', () => {
  const inList =
    (change: (list: Record<string, unknown>[]) => unknown[]): Lie =>
    ({ url: asked, body }) =>
      asked.includes('servicesPub') ? JSON.stringify(change(JSON.parse(body.toString()))) : undefined;

  test.each<[string, (list: Record<string, unknown>[]) => unknown[], string]>([
    ['the first is gone', (list) => list.slice(1), 'numbers_missing'],
    ['two of one number', ([a, b, ...rest]) => [a!, { ...b!, idP: a!.idP }, ...rest], 'numbers_missing'],
    ['one id with two texts', ([a, ...rest]) => [a!, { ...a!, Descripcion: 'otra' }, ...rest], 'questions_differ'],
    ['a copy', ([a, ...rest]) => [a!, a!, ...rest], 'rows_repeated'],
  ])('%s: reported', async (_what, lie, what) => {
    liar.lie = inList(lie);
    expect((await read('preguntas')).told).toContain(`procurement.preguntas.${what}`);
  });

  test('a damaged byte costs one character, and is reported', async () => {
    liar.lie = ({ url: asked, body }) => {
      if (!asked.includes('servicesPub')) return undefined;
      const at = body.indexOf('¿');
      return Buffer.concat([body.subarray(0, at), Buffer.from([0xff]), body.subarray(at)]);
    };
    const { rows, told } = await read('preguntas');
    expect(told).toEqual(['procurement.preguntas.characters_damaged']);
    expect(rows.map(({ pregunta }) => pregunta).join('')).not.toContain('Ã');
  });
});
