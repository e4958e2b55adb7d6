/** What a key reads below `/procurement`, a session reads below a procurement connection. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { contract as linkContract } from '#functions/api/procurement/get-connection-documento-link/contract.ts';
import { handler as link } from '#functions/api/procurement/get-connection-documento-link/handler.ts';
import { contract as getContract } from '#functions/api/procurement/get-connection-licitacion/contract.ts';
import { handler as get } from '#functions/api/procurement/get-connection-licitacion/handler.ts';
import { contract as documentosContract } from '#functions/api/procurement/list-connection-documentos/contract.ts';
import { handler as documentos } from '#functions/api/procurement/list-connection-documentos/handler.ts';
import { contract as listContract } from '#functions/api/procurement/list-connection-licitaciones/contract.ts';
import { handler as listTenders } from '#functions/api/procurement/list-connection-licitaciones/handler.ts';
import { contract as ofertasContract } from '#functions/api/procurement/list-connection-ofertas/contract.ts';
import { handler as ofertas } from '#functions/api/procurement/list-connection-ofertas/handler.ts';
import { contract as preguntasContract } from '#functions/api/procurement/list-connection-preguntas/contract.ts';
import { handler as preguntas } from '#functions/api/procurement/list-connection-preguntas/handler.ts';
import { storeFile } from '#shared/tenders/tender-file.store.ts';
import { type Credential, callersOf } from '#test/helpers/callers.ts';
import { call } from '#test/helpers/http.ts';
import {
  documentoRow,
  ficha,
  fichaRow,
  linkTo,
  list,
  newCodigo,
  OURS,
  ofertaRow,
  preguntaRow,
  tenders,
  theCallers,
  useProcurement,
  write,
  writeFicha,
} from '#test/helpers/procurement.ts';
import { storeConnection } from '#test/helpers/stored-connection.ts';

useProcurement();

const BELOW = {
  documentos: (who: Credential, id: string, codigo: string, query = '') =>
    call(documentosContract, documentos, { ...who, params: { id, codigo }, query }),
  preguntas: (who: Credential, id: string, codigo: string, query = '') =>
    call(preguntasContract, preguntas, { ...who, params: { id, codigo }, query }),
  ofertas: (who: Credential, id: string, codigo: string, query = '') =>
    call(ofertasContract, ofertas, { ...who, params: { id, codigo }, query }),
} as const;
const NAMES = Object.keys(BELOW) as (keyof typeof BELOW)[];

const all = (who: Credential, id: string, query = '') =>
  call(listContract, listTenders, { ...who, params: { id }, query });
const one = (who: Credential, id: string, codigo: string) => call(getContract, get, { ...who, params: { id, codigo } });
const linked = (who: Credential, id: string, documentoId: string) =>
  call(linkContract, link, { ...who, params: { id, documentoId } });

const codigo = newCodigo();
const documentoId = randomUUID();
let id: string;

beforeAll(async () => {
  id = await storeConnection(OURS, 'procurement');
  const owner = { organizationId: OURS, connectionId: id };
  await writeFicha(owner, codigo, fichaRow(codigo), { a: 1 });
  await write(owner, codigo, 'documentos', [documentoRow(codigo, 1), documentoRow(codigo, 2)]);
  await write(owner, codigo, 'preguntas', [preguntaRow(codigo, 1, '1')]);
  await write(owner, codigo, 'ofertas', [ofertaRow(codigo, 1)]);
  await storeFile(owner, documentoId, { name: 'Bases.pdf', body: Buffer.from('%PDF'), bytes: 4, proof: 'form' });
});

const everything = (who: Credential, at: string) => [
  all(who, at),
  one(who, at, codigo),
  ...NAMES.map((name) => BELOW[name](who, at, codigo)),
  linked(who, at, documentoId),
];
const codesOf = async (who: Credential, at: string) =>
  (await Promise.all(everything(who, at))).map(({ status, body }) => `${status} ${body.error?.code}`);

describe('a session', () => {
  test('reads the tenders and one tender as a key does', async () => {
    const { session } = theCallers();
    expect((await all(session, id)).body).toEqual((await tenders()).body);
    expect((await all(session, id, 'q=nothing+such')).body.data).toEqual([]);
    const { body } = await one(session, id, codigo.toLowerCase());
    expect(body).toEqual((await ficha(codigo)).body);
    expect(body.data.raw_ficha).toEqual({ a: 1 });
  });

  test.each(NAMES)('reads %s as a key does, page by page', async (name) => {
    const { session } = theCallers();
    const answer = await BELOW[name](session, id, codigo);
    expect(answer.body.data.length).toBeGreaterThan(0);
    expect(answer.body).toEqual((await list(name, codigo)).body);
    const page = await BELOW[name](session, id, codigo, 'limit=1&offset=1');
    expect(page.body).toEqual((await list(name, codigo, 'limit=1&offset=1')).body);
  });

  test('gets a link to the same file', async () => {
    const ours = (await linked(theCallers().session, id, documentoId)).body.data;
    const theirs = (await linkTo(documentoId)).body.data;
    expect(new URL(ours.url).pathname).toBe(new URL(theirs.url).pathname);
    expect(Date.parse(ours.expires_at)).toBeGreaterThan(Date.now());
  });

  test('learns that a tender or a document is unknown', async () => {
    const { session } = theCallers();
    const unknown = newCodigo();
    const answers = [one(session, id, unknown), ...NAMES.map((name) => BELOW[name](session, id, unknown))];
    for (const { status, body } of await Promise.all(answers))
      expect([status, body.error.code]).toEqual([404, 'licitacion_not_found']);
    expect((await linked(session, id, randomUUID())).body.error.code).toBe('documento_not_found');
  });

  test('is told the lists of a connection of another source', async () => {
    const bank = await storeConnection(OURS, 'bankone');
    expect(await codesOf(theCallers().session, bank)).toEqual(Array(6).fill('404 scope_not_found'));
    expect((await all(theCallers().session, bank)).body.error.message).toContain('bankone-movements');
  });

  test('finds nothing below a connection of another organization', async () => {
    const { session } = await callersOf(randomUUID());
    expect(await codesOf(session, id)).toEqual(Array(6).fill('404 connection_not_found'));
    expect(await codesOf(theCallers().session, randomUUID())).toEqual(Array(6).fill('404 connection_not_found'));
  });
});

test('a key and an access token read below /procurement, not here', async () => {
  for (const who of [theCallers().key, theCallers()['access-token']])
    expect(new Set(await codesOf(who, id))).toEqual(new Set(['403 forbidden']));
});
