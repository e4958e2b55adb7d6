/** Information that only one reading has is reported, whenever its worker dies or the portal asks for a pause. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Connection } from '#shared/connections/connection.rules.ts';
import { nowIso } from '#shared/platform/clock.ts';
import { procurementDocumentos } from '#shared/scopes/procurement-documentos.ts';
import type { Row } from '#shared/scopes/scope.ts';
import { SANDBOX_CREDENTIALS } from '#shared/sources/procurement/sandbox/credentials.ts';
import { makeCode } from '#shared/sources/procurement/sandbox/tender.ts';
import type { SyncRun } from '#shared/sync/run.rules.ts';
import { writeTender } from '#shared/tenders/tender.store.ts';
import { findOwnFile, forgetFiles, storeFile } from '#shared/tenders/tender-file.store.ts';
import type { Lie, RequestContext } from '#test/fakes/liar.ts';
import { stride } from '#test/helpers/effort.ts';
import type { Name } from '#test/helpers/procurement.ts';
import { liar, portal, useLyingPortal } from './lying-portal.ts';

const [WORKS] = SANDBOX_CREDENTIALS;

useLyingPortal();
let next = 0;

/** Every test has its own tender, because the rows of all connections are served together. */
const newTender = (): string => makeCode(WORKS!.unit, '2026-07', next++);
const connect = (): Promise<Connection> => portal.world.connect(WORKS!.credentials);
const sync = (connection: Connection, codigo: string, scope: Name): Promise<SyncRun> =>
  portal.sync(connection, { codigos: [codigo] }, [scope]);
const told = (run: SyncRun, scope: Name): string[] =>
  run.outcomes[scope]!.notices.map(({ code }) => code.slice(`procurement.${scope}.`.length));
const ownerOf = ({ id }: Connection) => ({ organizationId: portal.world.organizationId, connectionId: id });

/** Stores a copy of a row, as an odd answer of earlier days would have left it. */
const leaveTwin = async (connection: Connection, codigo: string, name: string): Promise<string> => {
  const [row] = (await portal.rows('documentos', codigo)).filter(({ origen }) => origen === 'anexo');
  const { id: _, ...shown } = row!;
  const twin = { ...shown, documento_id: name };
  const reading = { rows: [{ row: twin }], observedAt: nowIso(), runId: randomUUID() };
  await writeTender({ ...ownerOf(connection), codigo }, procurementDocumentos, reading);
  const left = (await portal.rows('documentos', codigo)).find(({ documento_id: id }) => id === name);
  return String(left!.id);
};

/** In a local run, one in six of the workers that die in CI dies. */
const STRIDES = stride(6);

interface Deaths {
  scope: Name;
  codigo: string;
  from?: number;
  stride: number;
}

/** Runs whose worker dies at its n-th call, for n = `from`, `from` + `stride` and so on, until no worker dies. */
const dyingAnywhere = async (
  { scope, codigo, from = 1, stride }: Deaths,
  prepare: (call: number) => Promise<Connection>,
  expected: readonly string[],
): Promise<void> => {
  for (let call = from; ; call += stride * STRIDES) {
    portal.world.dieAt(Number.POSITIVE_INFINITY);
    const connection = await prepare(call);
    const run = await portal.start(connection, { codigos: [codigo] }, [scope]);
    const death = portal.world.dieAt(call);
    const ended = await portal.waitOut(connection, run);
    expect([ended.status, told(ended, scope)], `died at call ${call}`).toEqual(['succeeded', expected]);
    if (!death.died()) return expect(call).toBeGreaterThan(from + 3 * stride);
  }
};

const isFile = ({ headers }: RequestContext): boolean => /attachment/.test(headers['content-disposition'] ?? '');
/** A whole picture of the same size. */
const pictureOf = ({ body }: RequestContext): Buffer => {
  const picture = Buffer.alloc(body.length, 'IEND');
  picture.write('\x89PNG\r\n\x1A\n', 'latin1');
  return picture;
};

describe('a worker that dies anywhere reports', { timeout: 240_000 }, () => {
  test('copies that disappear', async () => {
    const [connection, codigo] = [await connect(), newTender()];
    await sync(connection, codigo, 'documentos');
    const prepare = async (call: number): Promise<Connection> => {
      await leaveTwin(connection, codigo, `twin-${call}`);
      return connection;
    };
    await dyingAnywhere({ scope: 'documentos', codigo, from: 20, stride: 4 }, prepare, ['rows_replaced']);
  });

  test('questions with another text', async () => {
    const [connection, codigo] = [await connect(), newTender()];
    await sync(connection, codigo, 'preguntas');
    const prepare = async (call: number): Promise<Connection> => {
      const others = ([first, ...list]: Row[]): Row[] => [{ ...first, Descripcion: `otra ${call}` }, ...list];
      liar.lie = ({ url, body }) =>
        url.includes('servicesPub') ? JSON.stringify(others(JSON.parse(body.toString()))) : undefined;
      return connection;
    };
    await dyingAnywhere({ scope: 'preguntas', codigo, from: 20, stride: 2 }, prepare, ['facts_corrected']);
  });

  test('questions of another tender', async () => {
    const [connection, codigo] = [await connect(), newTender()];
    await sync(connection, codigo, 'preguntas');
    const prepare = async (call: number): Promise<Connection> => {
      const others = (list: Row[]): Row[] =>
        list.map((row, at) => ({ ...row, Numero: 1_000 * call + at, Descripcion: `de otra ${call}` }));
      liar.lie = ({ url, body }) =>
        url.includes('servicesPub') ? JSON.stringify(others(JSON.parse(body.toString()))) : undefined;
      return connection;
    };
    await dyingAnywhere({ scope: 'preguntas', codigo, from: 20, stride: 2 }, prepare, ['rows_doubted']);
  });

  test('a file of another kind', async () => {
    const [connection, codigo] = [await connect(), newTender()];
    await sync(connection, codigo, 'documentos');
    const row = (await portal.rows('documentos', codigo)).find(({ origen }) => origen === 'anexo');
    liar.lie = (context) => (isFile(context) ? pictureOf(context) : undefined);
    const prepare = async (): Promise<Connection> => {
      await forgetFiles(ownerOf(connection), [String(row!.id)], () => true);
      return connection;
    };
    // The file is fetched near the end, and few calls come after it.
    await dyingAnywhere({ scope: 'documentos', codigo, from: 50, stride: 1 }, prepare, ['file_renamed']);
  });
});

test.each([
  ['once', 1, 'succeeded'],
  ['always', Number.POSITIVE_INFINITY, 'failed'],
])('a portal that asks to wait %s, after a file of another kind', async (_often, times, status) => {
  const [connection, codigo] = [await connect(), newTender()];
  let files = 0;
  // The second file is named by a listing that shows its size, with and without signed terms.
  liar.lie = (context) => {
    if (!isFile(context)) return undefined;
    if (++files >= 4 && files < 4 + times) context.status = 429;
    return files === 2 ? pictureOf(context) : undefined;
  };
  const run = await sync(connection, codigo, 'documentos');
  expect([run.status, told(run, 'documentos')]).toEqual([status, ['file_renamed']]);
});

describe('a full page without a pager', { timeout: 240_000 }, () => {
  const cut: Lie = ({ url, body }) =>
    /View(?:Bid)?Attachment/.test(url) && body.includes('</html>')
      ? body.toString().replace(/<tr><td colspan="6">.*?<\/table><\/td><\/tr>/s, '')
      : undefined;

  test.each<Name>(['documentos', 'ofertas'])('%s: is reported unless exactly that is stored', async (scope) => {
    const [connection, codigo] = [await connect(), WORKS!.metadata.codigos![1]!];
    liar.lie = cut;
    expect(told(await sync(connection, codigo, scope), scope)).toEqual(['pager_missing']);
    expect(told(await sync(connection, codigo, scope), scope)).toEqual([]);
    liar.lie = () => undefined;
    expect(told(await sync(connection, codigo, scope), scope)).toEqual([]);
    liar.lie = cut;
    for (const _ of [1, 2])
      expect(told(await sync(connection, codigo, scope), scope)).toEqual(['pager_missing', 'rows_kept']);
  });

  test('is reported by a worker that dies anywhere', async () => {
    const codigo = newTender();
    liar.lie = cut;
    await dyingAnywhere({ scope: 'documentos', codigo, stride: 31 }, connect, ['pager_missing']);
  });

  test('removes nothing', async () => {
    const [connection, codigo] = [await connect(), newTender()];
    await sync(connection, codigo, 'documentos');
    const id = await leaveTwin(connection, codigo, 'twin');
    const file = { name: null, body: Buffer.alloc(0), bytes: 0, proof: 'form' as const };
    await storeFile(ownerOf(connection), id, file);
    const rows = await portal.rows('documentos', codigo);
    liar.lie = cut;
    expect(told(await sync(connection, codigo, 'documentos'), 'documentos')).toEqual(['pager_missing', 'rows_kept']);
    expect(new Set(await portal.rows('documentos', codigo))).toEqual(new Set(rows));
    expect(await findOwnFile(ownerOf(connection), id)).toBeDefined();
  });
});
