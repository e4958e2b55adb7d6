/**
 * Questions that an earlier version stored with id and number exchanged (`pregunta_id` "1", `numero` "6105959"), and
 * the next syncs.
 */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { contract } from '#functions/api/procurement/list-tender-changes/contract.ts';
import { handler } from '#functions/api/procurement/list-tender-changes/handler.ts';
import type { Connection } from '#shared/connections/connection.rules.ts';
import { nowIso } from '#shared/platform/clock.ts';
import { procurementPreguntas } from '#shared/scopes/procurement-preguntas.ts';
import type { Row } from '#shared/scopes/scope.ts';
import { SANDBOX_CREDENTIALS } from '#shared/sources/procurement/sandbox/credentials.ts';
import { makeCode } from '#shared/sources/procurement/sandbox/tender.ts';
import { source } from '#shared/sources/procurement/source.ts';
import { writeTender } from '#shared/tenders/tender.store.ts';
import { callersOf } from '#test/helpers/callers.ts';
import { stride } from '#test/helpers/effort.ts';
import { call } from '#test/helpers/http.ts';
import { inQuestions, liar, portal, useLyingPortal } from './lying-portal.ts';

const WORKS = SANDBOX_CREDENTIALS[0]!;

useLyingPortal();
let next = 0;

const rowsOf = async (codigo: string): Promise<Row[]> =>
  (await portal.rows('preguntas', codigo)).map(({ id: _, ...row }) => row);

/** The questions of the portal, as the current version parses them. */
const questionsOf = async (codigo: string): Promise<Row[]> => {
  const answer = await fetch(`${portal.url}/Foros/Modules/FNormal/servicesPub.aspx?opt=101&RFBCode=${codigo}`);
  const body = new Uint8Array(await answer.arrayBuffer());
  const stored = [{ key: 'preguntas', request: {}, contentType: null, body }];
  const parsed = source.parse({ scope: 'preguntas', period: null, tender: codigo, credentials: {} }, stored);
  return [...parsed].flatMap((item) => ('row' in item ? [item.row.row as Row] : []));
};

/** As the version at the commit 1e74af2d stored a question: `idP` as the id, `Numero` as the number. */
const exchanged = (row: Row): Row => ({ ...row, pregunta_id: row.numero, numero: row.pregunta_id });

const leave = (connection: Connection, codigo: string, rows: readonly Row[]) =>
  writeTender(
    { organizationId: portal.world.organizationId, connectionId: connection.id, codigo },
    procurementPreguntas,
    { rows: rows.map((row) => ({ row })), observedAt: nowIso(), runId: randomUUID(), recognizes: true },
  );

/** Every test has its own tender, because the rows of all connections are served together. */
const newTender = (): string =>
  makeCode(WORKS.unit, `${2025 + Math.floor(next / 60)}-0${1 + Math.floor((next % 60) / 10)}`, next++ % 10);

const begin = async (change: (rows: Row[]) => Row[] = (rows) => rows) => {
  const codigo = newTender();
  const connection = await portal.world.connect(WORKS.credentials);
  const right = await questionsOf(codigo);
  expect(right.length).toBeGreaterThanOrEqual(3);
  await leave(connection, codigo, change(right.map(exchanged)));
  return { codigo, connection, right };
};

const sync = async (connection: Connection, codigo: string): Promise<string[]> => {
  const { status, outcomes } = await portal.sync(connection, { codigos: [codigo] }, ['preguntas']);
  const notices = outcomes.preguntas!.notices.map(({ code }) => code.replace('procurement.preguntas.', ''));
  return [status, ...notices];
};

/** Numbers of the feed's entries about the tender. A tender has one entry, which a later change replaces. */
const feedOf = async (codigo: string): Promise<unknown[]> => {
  const { key } = await callersOf(portal.world.organizationId);
  const { body } = await call(contract, handler, { ...key, query: 'limit=200' });
  return body.data.filter((entry: Row) => entry.codigo === codigo).map(({ sequence }: Row) => sequence);
};

test('the next sync replaces them at once, and the feed reports it once', async () => {
  const { codigo, connection, right } = await begin();
  expect(await rowsOf(codigo)).toHaveLength(right.length);
  expect((await rowsOf(codigo))[0]).toMatchObject({ pregunta_id: '1' });
  const [before] = await feedOf(codigo);
  expect(await sync(connection, codigo)).toEqual(['succeeded', 'rows_replaced']);
  expect(await rowsOf(codigo)).toEqual(right);
  const [reported, ...more] = await feedOf(codigo);
  expect([Number(reported) > Number(before), more]).toEqual([true, []]);
  expect(await sync(connection, codigo)).toEqual(['succeeded']);
  expect(await rowsOf(codigo)).toEqual(right);
  expect(await feedOf(codigo)).toEqual([reported]);
});

test('answers that the portal published since are added', async () => {
  const unanswered = (rows: Row[]): Row[] => rows.map((row) => ({ ...row, respuesta: null, fecha_respuesta: null }));
  const { codigo, connection, right } = await begin(unanswered);
  expect(await sync(connection, codigo)).toEqual(['succeeded', 'rows_replaced']);
  expect(await rowsOf(codigo)).toEqual(right);
});

test('a stored answer stays if the portal no longer shows it', async () => {
  const { codigo, connection, right } = await begin();
  liar.lie = inQuestions((list) => list.map((row) => ({ ...row, RespuestaPublicada: null })));
  expect(await sync(connection, codigo)).toEqual(['succeeded', 'rows_replaced', 'rows_kept']);
  expect(await rowsOf(codigo)).toEqual(right);
});

test('a question that the portal no longer shows stays, and no other one doubles', async () => {
  const { codigo, connection, right } = await begin();
  liar.lie = inQuestions((list) => list.slice(0, -1));
  expect(await sync(connection, codigo)).toEqual(['succeeded', 'rows_replaced', 'rows_kept']);
  expect(await rowsOf(codigo)).toHaveLength(right.length);
  liar.lie = () => undefined;
  expect(await sync(connection, codigo)).toEqual(['succeeded', 'rows_replaced']);
  expect(await rowsOf(codigo)).toEqual(right);
});

test('an unreadable question costs one line, and no question doubles', async () => {
  const { codigo, connection, right } = await begin();
  liar.lie = inQuestions((list) => list.map((row, at) => (at === 1 ? { ...row, FechaHora: '31-02-2026' } : row)));
  const [status] = await sync(connection, codigo);
  expect(status).toBe('partial');
  expect(await rowsOf(codigo)).toHaveLength(right.length);
  liar.lie = () => undefined;
  expect(await sync(connection, codigo)).toEqual(['succeeded', 'rows_replaced']);
  expect(await rowsOf(codigo)).toEqual(right);
});

test('texts that all change at the same time are doubted as ever, under the current ids', async () => {
  const { codigo, connection, right } = await begin();
  liar.lie = inQuestions((list) => list.map((row) => ({ ...row, Descripcion: 'otra' })));
  expect(await sync(connection, codigo)).toEqual(['succeeded', 'rows_replaced', 'facts_changed']);
  expect(await rowsOf(codigo)).toEqual(right);
});

test('other questions under the stored ids are no exchange', async () => {
  const { codigo, connection, right } = await begin();
  liar.lie = inQuestions((list) =>
    list.map((row, at) => ({ ...row, Numero: 800_000 + at, Descripcion: `De otra licitación ${at}` })),
  );
  expect(await sync(connection, codigo)).toEqual(['succeeded', 'rows_doubted']);
  expect(await rowsOf(codigo)).toEqual(right.map(exchanged));
});

test('a worker that dies at any of its calls leaves no double', { timeout: 60_000 }, async () => {
  let deaths = 0;
  for (let call = 16; ; call += 2 * stride(3)) {
    portal.world.dieAt(Number.POSITIVE_INFINITY);
    const { codigo, connection, right } = await begin();
    const run = await portal.start(connection, { codigos: [codigo] }, ['preguntas']);
    const death = portal.world.dieAt(call);
    expect((await portal.waitOut(connection, run)).status).toBe('succeeded');
    expect(await rowsOf(codigo), `died at call ${call}`).toEqual(right);
    if (!death.died()) break;
    deaths++;
  }
  expect(deaths).toBeGreaterThan(3);
});
