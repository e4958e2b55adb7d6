/** Tenders through the engine: the real adapter, the simulated portal, and the answers of the endpoints afterwards. */

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Connection } from '#shared/connections/connection.rules.ts';
import { procurementLicitaciones } from '#shared/scopes/procurement-licitaciones.ts';
import { procurementOfertas } from '#shared/scopes/procurement-ofertas.ts';
import type { Behaviour } from '#shared/sources/procurement/sandbox/behaviour.ts';
import { SANDBOX_CREDENTIALS } from '#shared/sources/procurement/sandbox/credentials.ts';
import { findFile } from '#shared/tenders/tender-file.store.ts';
import { openTenders } from '#shared/tenders/tender-purge.store.ts';
import { IS_WHOLE, sampled } from '#test/helpers/effort.ts';
import { type Portal, PROCUREMENT_SCOPES, startPortal } from '#test/helpers/procurement-engine.ts';

const behaving = (behaviour: Behaviour) => SANDBOX_CREDENTIALS.find((entry) => entry.behaviour === behaviour)!;
const WORKS = behaving('works');
const CODIGOS = WORKS.metadata.codigos!;
const ALL = { codigos: CODIGOS };
const isAsked = (codigo: string): boolean => CODIGOS.includes(codigo);

const UNKNOWN = '990101-9-LE19';
/**
 * Calls of a worker between two deaths, because some scopes make hundreds of calls. In a local run every third of the
 * workers dies.
 */
const STRIDE = IS_WHOLE
  ? { licitaciones: 6, documentos: 41, preguntas: 6, ofertas: 97 }
  : { licitaciones: 18, documentos: 123, preguntas: 18, ofertas: 291 };

const outcomeOf = (run: { outcomes: Record<string, unknown> }, scope: string) => run.outcomes[scope];

let portal: Portal;
beforeAll(async () => {
  portal = await startPortal();
});
afterAll(() => portal.stop());
afterEach(() => {
  portal.world.dieAt(Number.POSITIVE_INFINITY);
  portal.world.hurry(0);
});

/** Codes of the list, page after page; each row is compared with the tender's own answer. */
const listedCodes = async (query: string): Promise<string[]> => {
  const codes: string[] = [];
  for (;;) {
    const { body } = await portal.tenders(`${query}&limit=7&offset=${codes.length}`);
    for (const row of body.data) {
      const { raw_ficha, ...own } = (await portal.ficha(row.codigo)).body.data;
      expect(raw_ficha).toBeTypeOf('object');
      expect(row).toEqual(own);
      codes.push(row.codigo);
    }
    if (!body.pagination.has_more) {
      expect(codes).toHaveLength(body.pagination.total);
      return codes;
    }
  }
};

const askedCodes = async (): Promise<string[]> => (await listedCodes('')).filter(isAsked).sort();

describe.each(sampled(PROCUREMENT_SCOPES, 2).map(({ name }) => name))('%s', (name) => {
  const rowsOf = async (codigo: string): Promise<Record<string, unknown>[]> => {
    if (name !== 'licitaciones') return portal.rows(name, codigo);
    const answer = await portal.ficha(codigo);
    return answer.status === 200 ? [answer.body.data] : [];
  };

  test('are those of the portal, tender by tender; the second sync finds nothing new', async () => {
    const connection = await portal.world.connect(WORKS.credentials);
    const { by, count } = portal.sandbox.ledger(WORKS.credentials.ticket)[name]!.now;
    const run = await portal.sync(connection, { codigos: CODIGOS.map((codigo) => codigo.toLowerCase()) }, [name]);
    expect(outcomeOf(run, name)).toMatchObject({
      status: 'ok',
      recordsFound: count,
      recordsCreated: count,
      recordsUpdated: 0,
      period: null,
      periods: [],
      notices: [],
    });
    expect(run.status).toBe('succeeded');
    for (const codigo of CODIGOS) expect(await rowsOf(codigo)).toHaveLength(by[codigo]!.count);
    const again = await portal.sync(connection, ALL, [name]);
    expect(outcomeOf(again, name)).toMatchObject({ recordsFound: count, recordsCreated: 0, recordsUpdated: 0 });
  });

  test('a worker that dies anywhere: counted right, nothing doubled or missing', { timeout: 240_000 }, async () => {
    const { by } = portal.sandbox.ledger(WORKS.credentials.ticket)[name]!.now;
    const two = CODIGOS.slice(1, 3);
    const count = two.reduce((sum, codigo) => sum + by[codigo]!.count, 0);
    const before = await askedCodes();
    let deaths = 0;
    for (let call = 4; ; call += STRIDE[name]) {
      const connection = await portal.world.connect(WORKS.credentials);
      const run = await portal.start(connection, { codigos: two }, [name]);
      const death = portal.world.dieAt(call);
      const ended = await portal.waitOut(connection, run);
      const where = `died at call ${call}`;
      expect(ended.status, where).toBe('succeeded');
      expect(outcomeOf(ended, name), where).toMatchObject({
        recordsFound: count,
        recordsCreated: count,
        recordsUpdated: 0,
      });
      for (const codigo of two) expect(await rowsOf(codigo), where).toHaveLength(by[codigo]!.count);
      if (!death.died()) break;
      deaths++;
    }
    portal.world.dieAt(Number.POSITIVE_INFINITY);
    expect(deaths).toBeGreaterThan(IS_WHOLE ? 2 : 0);
    if (name === 'licitaciones') expect(await askedCodes()).toEqual([...new Set([...before, ...two])].sort());
  });

  test('an invocation without time hands over, tender after tender', async () => {
    const connection = await portal.world.connect(WORKS.credentials);
    portal.world.hurry(3);
    const run = await portal.sync(connection, ALL, [name]);
    expect(run.status).toBe('succeeded');
    expect(outcomeOf(run, name)).toMatchObject({
      recordsCreated: portal.sandbox.ledger(WORKS.credentials.ticket)[name]!.now.count,
    });
  });

  test('by days: the tenders published on them', async () => {
    const connection = await portal.world.connect(WORKS.credentials);
    const run = await portal.sync(connection, { from: '2026-10-01', to: '2026-10-07' }, [name]);
    expect(outcomeOf(run, name)).toMatchObject({ status: 'ok', notices: [] });
    const owner = { organizationId: portal.world.organizationId, connectionId: connection.id };
    for (const codigo of await openTenders(owner)) {
      const { data } = (await portal.ficha(codigo)).body;
      if (data) expect(data.fecha_publicacion >= '2026-10-01').toBe(true);
    }
    if (name !== 'licitaciones') return;
    const { recordsFound } = run.outcomes[name]!;
    expect(recordsFound).toBeGreaterThan(0);
    const listed = await listedCodes('from=2026-10-01&to=2026-10-07');
    expect(listed.length).toBeGreaterThanOrEqual(Number(recordsFound));
    expect(new Set(listed).size).toBe(listed.length);
  });

  test('an unreadable tender is given up in the last attempt, the rest is read', async () => {
    const entry = behaving('malformed_row');
    const connection = await portal.world.connect(entry.credentials);
    const codigos = [...entry.metadata.codigos!, UNKNOWN];
    const run = await portal.sync(connection, { codigos }, [name]);
    expect(run.outcomes[name]).toMatchObject({
      status: 'partial',
      errorCode: 'source.unexpected_response',
      recordsFound: 0,
      notices: [{ code: `procurement.${name}.not_found` }],
    });
  });

  test('a malformed code and an unknown code are reported, and stay unknown', async () => {
    const connection = await portal.world.connect(WORKS.credentials);
    const [known] = CODIGOS;
    const run = await portal.sync(connection, { codigos: [UNKNOWN, known] }, [name]);
    const codes = run.outcomes[name]!.notices.map(({ code }) => code);
    expect([run.status, codes]).toEqual(['succeeded', [`procurement.${name}.not_found`]]);
    if (name === 'licitaciones') expect((await portal.ficha(UNKNOWN)).status).toBe(404);
    expect((await rowsOf(known!)).length).toBe(
      portal.sandbox.ledger(WORKS.credentials.ticket)[name]!.now.by[known!]!.count,
    );
  });
});

describe('files', () => {
  const stored = (connection: Connection): string[] =>
    [...portal.world.objects.keys()].filter((key) => key.includes(`${connection.id}/files/`));

  test('of every document are stored once, under its id', async () => {
    const connection = await portal.world.connect(WORKS.credentials);
    await portal.sync(connection, ALL, ['documentos']);
    const rows = (await Promise.all(CODIGOS.map((codigo) => portal.rows('documentos', codigo)))).flat();
    for (const row of rows) {
      const file = await findFile(portal.world.organizationId, String(row.id));
      const body = portal.world.objects.get(file!.object)!.toString();
      expect(body).toContain(row.codigo);
      if (row.nombre !== null) expect(body).toContain(row.nombre);
    }
    expect(stored(connection)).toHaveLength(rows.length);
    const before = new Map(stored(connection).map((key) => [key, portal.world.objects.get(key)]));
    await portal.sync(connection, ALL, ['documentos']);
    for (const [key, body] of before) expect(portal.world.objects.get(key)).toBe(body);
  });
});

describe('without metadata', () => {
  test('tenders that are still open are read again, closed ones are not', async () => {
    const connection = await portal.world.connect(WORKS.credentials);
    expect((await portal.sync(connection, {}, ['licitaciones'])).outcomes.licitaciones).toMatchObject({
      status: 'ok',
      notices: [{ code: 'procurement.licitaciones.no_tenders' }],
    });
    await portal.sync(connection, ALL, ['licitaciones']);
    const owner = { organizationId: portal.world.organizationId, connectionId: connection.id };
    const open = await openTenders(owner);
    expect(open.length).toBeGreaterThan(0);
    expect(open.length).toBeLessThan(CODIGOS.length);
    const run = await portal.sync(connection, {}, ['licitaciones']);
    expect(run.outcomes.licitaciones).toMatchObject({ recordsFound: open.length, recordsUpdated: 0 });
    // Another scope has not yet read that the closed tenders are closed.
    expect(await openTenders(owner, procurementOfertas)).toEqual([...CODIGOS].sort());
    expect(await openTenders(owner, procurementLicitaciones)).toEqual(open);
  });
});
