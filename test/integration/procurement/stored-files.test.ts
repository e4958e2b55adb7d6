/** Stored files: how a new answer may change them, and how bad files from earlier days heal. */
import { describe, expect, test } from 'vitest';
import type { Connection } from '#shared/connections/connection.rules.ts';
import { SANDBOX_CREDENTIALS } from '#shared/sources/procurement/sandbox/credentials.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { findFile } from '#shared/tenders/tender-file.store.ts';
import { liar, portal, useLyingPortal } from './lying-portal.ts';

const [WORKS] = SANDBOX_CREDENTIALS;
/** `FRESH` is for tests that begin with nothing stored. */
const [, CODIGO, FRESH] = WORKS!.metadata.codigos! as [string, string, string];

useLyingPortal();

const junk = (): void => {
  liar.lie = ({ headers }) => (/attachment/.test(headers['content-disposition'] ?? '') ? '' : undefined);
};
const sync = (connection: Connection, codigo = CODIGO) =>
  portal.sync(connection, { codigos: [codigo] }, ['documentos', 'ofertas']);
const connect = (): Promise<Connection> => portal.world.connect(WORKS!.credentials);
const ids = async (codigo: string): Promise<string[]> => {
  const documents = await portal.rows('documentos', codigo);
  const offers = await portal.rows('ofertas', codigo);
  return [...documents, ...offers.flatMap(({ documentos }) => documentos as { id: string }[])].map(({ id }) =>
    String(id),
  );
};
/** What a download of each document would return. */
const served = async (codigo = CODIGO): Promise<Map<string, string | undefined>> => {
  const files = new Map<string, string | undefined>();
  for (const id of await ids(codigo)) {
    const file = await findFile(portal.world.organizationId, id);
    files.set(id, file && portal.world.objects.get(file.object)!.toString('latin1'));
  }
  return files;
};

describe('files', () => {
  test('junk stores nothing, is reported, and the rows count; the next sync brings every file', async () => {
    const connection = await connect();
    junk();
    const run = await sync(connection, FRESH);
    for (const scope of ['documentos', 'ofertas']) {
      const outcome = run.outcomes[scope]!;
      expect([outcome.status, outcome.errorCode]).toEqual(['ok', null]);
      expect(outcome.recordsFound).toBeGreaterThan(0);
      expect(new Set(outcome.notices.map(({ code }) => code))).toContain(`procurement.${scope}.file_unavailable`);
    }
    expect([...(await served(FRESH)).values()].filter((file) => file !== undefined)).toEqual([]);
    liar.lie = () => undefined;
    await sync(connection, FRESH);
    for (const file of (await served(FRESH)).values()) expect(file).toContain(FRESH);
  });

  test('junk for another connection does not replace a good copy, before or after', async () => {
    await sync(await connect());
    const good = await served();
    junk();
    await sync(await connect());
    expect(await served()).toEqual(good);
  });

  test('junk that was stored before files were validated is fetched again by the next right sync', async () => {
    const connection = await connect();
    await sync(connection);
    const good = await served();
    for (const id of good.keys()) {
      const key = keys.documentFile(portal.world.organizationId, id, connection.id);
      const { bytes: _, proof: __, ...old } = (await table.get(key))!;
      await table.put(old as table.Item);
      portal.world.objects.set(String(old.object), Buffer.alloc(0));
    }
    await sync(connection);
    for (const id of good.keys()) {
      const own = await table.get(keys.documentFile(portal.world.organizationId, id, connection.id));
      expect(portal.world.objects.get(String(own!.object))!.toString('latin1')).toBe(good.get(id));
    }
  });

  test('a smaller copy of another connection is not served if the size is unknown', async () => {
    const connection = await connect();
    await sync(connection);
    const good = await served();
    const other = await connect();
    for (const id of good.keys()) {
      const mine = (await table.get(keys.documentFile(portal.world.organizationId, id, connection.id)))!;
      if (mine.proof !== 'form') continue;
      await table.put({
        ...keys.documentFile(portal.world.organizationId, id, other.id),
        object: 'smaller',
        bytes: Number(mine.bytes) - 1,
        proof: 'form',
        fetched_at: '2099-01-01T00:00:00.000Z',
      });
    }
    expect(await served()).toEqual(good);
  });

  test('a portal that ends every session at its files: the rows are stored and counted', async () => {
    const connection = await connect();
    liar.lie = ({ asked }) =>
      /\.x=8/.test(asked) || /baseFirmada/.test(asked) ? '<html>Sesion expirada</html>' : undefined;
    const { outcomes } = await sync(connection);
    for (const scope of ['documentos', 'ofertas']) {
      expect([outcomes[scope]!.status, outcomes[scope]!.errorCode]).toEqual(['ok', null]);
      expect(outcomes[scope]!.recordsFound).toBeGreaterThan(0);
    }
  });

  test('after a portal asks to wait, no other tender sends a request at once', async () => {
    const connection = await connect();
    liar.lie = (context) => {
      if (/attachment/.test(context.headers['content-disposition'] ?? '')) context.status = 429;
    };
    const { outcomes } = await portal.sync(connection, { codigos: [CODIGO] }, ['documentos']);
    expect(outcomes.documentos).toMatchObject({ status: 'failed', errorCode: 'source.rate_limited' });
  });

  test('a portal that is down once the rows are stored', async () => {
    const connection = await connect();
    let isDown = false;
    liar.lie = (context) => {
      isDown ||= /attachment/.test(context.headers['content-disposition'] ?? '');
      if (isDown) context.status = 503;
    };
    const { outcomes } = await portal.sync(connection, { codigos: [CODIGO] }, ['documentos']);
    expect(outcomes.documentos).toMatchObject({ status: 'ok', errorCode: null });
    expect(outcomes.documentos!.recordsFound).toBeGreaterThan(0);
    expect(outcomes.documentos!.notices.at(-1)!.code).toBe('procurement.documentos.file_unavailable');
  });
});
