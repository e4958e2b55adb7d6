/** A wrong answer of the portal, new or accepted earlier, and then one right sync. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Connection } from '#shared/connections/connection.rules.ts';
import { nowIso } from '#shared/platform/clock.ts';
import { procurementDocumentos } from '#shared/scopes/procurement-documentos.ts';
import { procurementOfertas } from '#shared/scopes/procurement-ofertas.ts';
import type { Row, ScopeDefinition } from '#shared/scopes/scope.ts';
import { SANDBOX_CREDENTIALS } from '#shared/sources/procurement/sandbox/credentials.ts';
import { makeCode } from '#shared/sources/procurement/sandbox/tender.ts';
import type { SyncRun } from '#shared/sync/run.rules.ts';
import { writeTender } from '#shared/tenders/tender.store.ts';
import { findFile, findOwnFile, storeFile } from '#shared/tenders/tender-file.store.ts';
import type { Lie } from '#test/fakes/liar.ts';
import type { Name } from '#test/helpers/procurement.ts';
import { inQuestions, liar, portal, useLyingPortal } from './lying-portal.ts';

const [WORKS] = SANDBOX_CREDENTIALS;

useLyingPortal();
let next = 0;

/** Every test has its own tender, because the rows of all connections are served together. */
const newTender = (): string => makeCode(WORKS!.unit, `2026-0${2 + Math.floor(next / 10)}`, next++ % 10);
const connect = (): Promise<Connection> => portal.world.connect(WORKS!.credentials);
const sync = (connection: Connection, codigo: string, scope: string): Promise<SyncRun> =>
  portal.sync(connection, { codigos: [codigo] }, [scope]);
const rowsOf = async (name: Name, codigo: string): Promise<Row[]> =>
  (await portal.rows(name, codigo)).toSorted((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
const codesOf = (run: SyncRun, scope: string): string[] => run.outcomes[scope]!.notices.map(({ code }) => code);

/** Stores rows as an earlier version would have left them. */
const leave = (connection: Connection, codigo: string, scope: ScopeDefinition, rows: readonly Row[]) =>
  writeTender({ organizationId: portal.world.organizationId, connectionId: connection.id, codigo }, scope, {
    rows: rows.map((row) => ({ row })),
    observedAt: nowIso(),
    runId: randomUUID(),
  });

/** After a right sync, a fresh connection must neither add a row nor miss one. */
const expectAsFresh = async (name: Name, codigo: string, count: number | null): Promise<void> => {
  const healed = await rowsOf(name, codigo);
  expect(healed.length).toBe(count);
  const fresh = await sync(await connect(), codigo, name);
  expect(fresh.outcomes[name]!.recordsFound).toBe(count);
  expect(await rowsOf(name, codigo)).toEqual(healed);
};

test('twins and phantoms of documents go, their files with them', async () => {
  const [connection, codigo] = [await connect(), newTender()];
  const first = await sync(connection, codigo, 'documentos');
  const rows = await rowsOf('documentos', codigo);
  const named = rows.filter(({ origen }) => origen === 'anexo');
  const shownOf = ({ nombre, tipo, descripcion, fecha_adjunto }: Row) =>
    JSON.stringify([nombre, tipo, descripcion, fecha_adjunto]);
  const twinOf = (row: Row, n: number, changes: Row): Row => {
    const twin = { ...row, ...changes, documento_id: `twin-${n}` };
    return { ...twin, locator: { ...(row.locator as Row), shown: shownOf(twin) } };
  };
  const twins = [
    // An identity with its description, a name and a date that were once blank, and a page shown twice.
    twinOf(named[0]!, 1, { descripcion: 'otra' }),
    twinOf(named[1]!, 2, { nombre: null }),
    twinOf(named[2]!, 3, { fecha_adjunto: null }),
    twinOf(named[3]!, 4, { nombre: `${String(named[3]!.nombre)}  ` }),
    twinOf(named[4]!, 5, {}),
  ];
  await leave(connection, codigo, procurementDocumentos, twins);
  const owner = { organizationId: portal.world.organizationId, connectionId: connection.id };
  const phantoms = (await rowsOf('documentos', codigo)).filter(({ documento_id: id }) => /^twin-/.test(String(id)));
  expect(phantoms).toHaveLength(5);
  for (const { id, documento_id } of phantoms) {
    const original = named[Number(String(documento_id).slice('twin-'.length)) - 1]!;
    const { object } = (await findFile(owner.organizationId, String(original.id)))!;
    const body = portal.world.objects.get(object)!;
    await storeFile(owner, String(id), { name: null, body, bytes: body.length, proof: 'form' });
  }
  const run = await sync(connection, codigo, 'documentos');
  expect(run.outcomes.documentos!.notices).toEqual([
    {
      code: 'procurement.documentos.rows_replaced',
      message: `${codigo}: 5 stored copies of items that the source shows were removed.`,
      params: { tender: codigo, count: 5 },
    },
  ]);
  for (const { id } of phantoms) expect(await findOwnFile(owner, String(id))).toBeUndefined();
  await expectAsFresh('documentos', codigo, first.outcomes.documentos!.recordsFound);
});

test('phantom offers and attachments go, what was erased comes back', async () => {
  const [connection, codigo] = [await connect(), newTender()];
  const first = await sync(connection, codigo, 'ofertas');
  const rows = await rowsOf('ofertas', codigo);
  const parsed = rows.map(({ id: _, documentos, ...row }) => ({
    ...row,
    documentos: (documentos as Row[]).map(({ id: __, codigo: ___, oferente_rut: ____, ...own }) => own),
  }));
  const [one] = parsed as Row[];
  const attached = (one!.documentos as Row[])[0];
  const odd: Row[] = [{ ...one!, nombre_oferta: null, documentos: [] }];
  if (attached) odd.push({ ...one!, documentos: [{ ...attached, documento_id: 'twin', nombre: null }] });
  await leave(connection, codigo, procurementOfertas, odd);
  const run = await sync(connection, codigo, 'ofertas');
  expect(codesOf(run, 'ofertas')).toEqual(['procurement.ofertas.rows_replaced']);
  expect(await rowsOf('ofertas', codigo)).toEqual(rows);
  await expectAsFresh('ofertas', codigo, first.outcomes.ofertas!.recordsFound);
});

describe('what is stored knows better', () => {
  test.each<[string, (list: Row[]) => Row[], string[]]>([
    ['answers that are gone', (list) => list.map((row) => ({ ...row, RespuestaPublicada: null })), ['rows_kept']],
    ['an empty list', () => [], ['rows_kept']],
    ['half of the list', (list) => list.slice(0, 2), ['rows_kept']],
    ['texts of others', (list) => list.map((row) => ({ ...row, Descripcion: 'otra' })), ['facts_changed']],
    ['null texts', (list) => list.map((row) => ({ ...row, Descripcion: null })), ['columns_missing']],
  ])('questions: %s', async (_what, lie, told) => {
    const [connection, codigo] = [await connect(), newTender()];
    const first = await sync(connection, codigo, 'preguntas');
    const rows = await rowsOf('preguntas', codigo);
    expect(rows.some(({ respuesta }) => respuesta !== null)).toBe(true);
    liar.lie = inQuestions(lie);
    const lied = await sync(connection, codigo, 'preguntas');
    expect([lied.status, codesOf(lied, 'preguntas')]).toEqual([
      'succeeded',
      told.map((what) => `procurement.preguntas.${what}`),
    ]);
    expect(await rowsOf('preguntas', codigo)).toEqual(rows);
    liar.lie = () => undefined;
    await sync(connection, codigo, 'preguntas');
    expect(await rowsOf('preguntas', codigo)).toEqual(rows);
    await expectAsFresh('preguntas', codigo, first.outcomes.preguntas!.recordsFound);
  });

  test('attachments of offers behind buttons that are disabled', async () => {
    const [connection, codigo] = [await connect(), newTender()];
    await sync(connection, codigo, 'ofertas');
    const rows = await rowsOf('ofertas', codigo);
    liar.lie = ({ url, body }) =>
      url.includes('SupplySummary')
        ? body.toString().replaceAll(/(GvImgb\w+Attachment")/g, '$1 disabled="disabled"')
        : undefined;
    const lied = await sync(connection, codigo, 'ofertas');
    expect(codesOf(lied, 'ofertas')).toEqual(['procurement.ofertas.rows_kept']);
    expect(await rowsOf('ofertas', codigo)).toEqual(rows);
  });

  test('an address and a date of the award that are empty now', async () => {
    const [connection, codigo] = [await connect(), newTender()];
    const change =
      (changes: (tender: Row) => void): Lie =>
      ({ url, body }) => {
        if (!url.includes('licitaciones.json') || !url.includes(codigo)) return undefined;
        const answer = JSON.parse(body.toString().replace(/^\uFEFF/, ''));
        changes(answer.Listado[0]);
        return JSON.stringify(answer);
      };
    const award = { CodigoEstado: 8, Estado: 'Adjudicada' };
    liar.lie = change((tender) => Object.assign(tender, award));
    await sync(connection, codigo, 'licitaciones');
    const { comuna, direccion, fecha_adjudicacion } = (await portal.ficha(codigo)).body.data;
    expect([comuna, direccion, fecha_adjudicacion]).not.toContain(null);
    liar.lie = change((tender) => {
      Object.assign(tender, award);
      Object.assign(tender.Comprador as Row, { ComunaUnidad: '', DireccionUnidad: ' ' });
      Object.assign(tender.Fechas as Row, { FechaAdjudicacion: null });
    });
    const { outcomes } = await sync(connection, codigo, 'licitaciones');
    expect(outcomes.licitaciones!.notices.map(({ message }) => message)).toEqual([
      expect.stringContaining('never are: ComunaUnidad, DireccionUnidad, FechaAdjudicacion'),
    ]);
    expect((await portal.ficha(codigo)).body.data).toMatchObject({ comuna, direccion, fecha_adjudicacion });
  });

  test('a tender whose values are null, or that the API does not know', async () => {
    const [connection, codigo] = [await connect(), newTender()];
    await sync(connection, codigo, 'licitaciones');
    const { observed_at: _, raw_ficha: __, ...known } = (await portal.ficha(codigo)).body.data;
    const expectKept = async (): Promise<void> => expect((await portal.ficha(codigo)).body.data).toMatchObject(known);
    liar.lie = ({ url, body }) => {
      if (!url.includes('licitaciones.json') || !url.includes(codigo)) return undefined;
      const answer = JSON.parse(body.toString().replace(/^\uFEFF/, ''));
      Object.assign(answer.Listado[0], { Nombre: null, Descripcion: '', Moneda: null });
      return JSON.stringify(answer);
    };
    expect(codesOf(await sync(connection, codigo, 'licitaciones'), 'licitaciones')).toEqual([
      'procurement.licitaciones.columns_missing',
    ]);
    await expectKept();
    // The ficha shows less: no award of its own, and here no section of the buyer.
    liar.lie = ({ url, body }) => {
      if (url.includes('licitaciones.json')) return JSON.stringify({ Cantidad: 0, Listado: [] });
      if (!url.includes('DetailsAcquisition') || !body.includes('Ficha2')) return undefined;
      return body.toString().replace(/<div id="Ficha2">[\s\S]*?(?=<div id="Ficha3">)/, '');
    };
    const run = await sync(connection, codigo, 'licitaciones');
    expect([run.status, codesOf(run, 'licitaciones')]).toEqual(['succeeded', []]);
    await expectKept();
  });

  test('a tender that is stored does not become unknown', async () => {
    const [connection, codigo] = [await connect(), newTender()];
    await sync(connection, codigo, 'licitaciones');
    await sync(connection, codigo, 'documentos');
    const rows = await rowsOf('documentos', codigo);
    liar.lie = ({ url, body }) => {
      if (url.includes('licitaciones.json')) return JSON.stringify({ Cantidad: 0, Listado: [] });
      return url.includes('DetailsAcquisition') && body.includes('</html>')
        ? '<html><body>La licitación no existe</body></html>'
        : undefined;
    };
    for (const scope of ['licitaciones', 'documentos', 'preguntas', 'ofertas']) {
      liar.lie = scope === 'preguntas' ? orNoQuestions(liar.lie) : liar.lie;
      const run = await sync(connection, codigo, scope);
      expect([run.status, run.outcomes[scope]!.errorCode], scope).toEqual(['failed', 'source.unexpected_response']);
    }
    expect(await rowsOf('documentos', codigo)).toEqual(rows);
    expect((await portal.ficha(codigo)).status).toBe(200);
  });

  const orNoQuestions =
    (other: Lie): Lie =>
    (context) =>
      context.url.includes('servicesPub') ? '[]' : other(context);
});
