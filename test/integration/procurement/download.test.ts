import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { findOwnFile, storeFile } from '#shared/tenders/tender-file.store.ts';
import { callersOf } from '#test/helpers/callers.ts';
import {
  documentoRow,
  fetchFile,
  linkTo,
  list,
  newCodigo,
  newConnection,
  OURS,
  objects,
  ofertaRow,
  useProcurement,
  write,
} from '#test/helpers/procurement.ts';

useProcurement();

describe('download', () => {
  const locationOf = async (documentoId: string): Promise<URL> => {
    const answer = await fetchFile(documentoId);
    expect([answer.status, answer.text]).toEqual([302, '']);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['content-type']).toBeUndefined();
    return new URL(answer.headers.location!);
  };

  test.each(['documentos', 'ofertas'] as const)('of %s: 302 to a link that lapses', async (name) => {
    const [owner, codigo] = [newConnection(), newCodigo()];
    await write(owner, codigo, name, [name === 'documentos' ? documentoRow(codigo, 1) : ofertaRow(codigo, 1)]);
    const [row] = (await list(name, codigo)).body.data;
    const id = name === 'documentos' ? row.id : row.documentos[1].id;
    expect((await fetchFile(id)).body.error.code).toBe('documento_not_found');
    expect(await findOwnFile(owner, id)).toBeUndefined();
    const file = { name: "Bases técnicas 'ñ'\r\n.pdf", body: Buffer.from('%PDF'), bytes: 4, proof: 'form' } as const;
    await storeFile(owner, id, file);
    expect(await findOwnFile(owner, id)).toEqual({ bytes: 4, proof: 'form' });
    const url = await locationOf(id.toUpperCase());
    expect(url.pathname).toContain(`/${OURS}/${owner.connectionId}/files/${id}`);
    expect(Number(url.searchParams.get('X-Amz-Expires'))).toBe(60);
    expect(url.searchParams.get('X-Amz-Signature')).toMatch(/^[0-9a-f]{64}$/);
    expect(objects.get(`${OURS}/${owner.connectionId}/files/${id}`)?.disposition).toBe(
      "attachment; filename*=UTF-8''Bases%20t%C3%A9cnicas%20%27%C3%B1%27%0D%0A.pdf",
    );
    expect(objects.get(`${OURS}/${owner.connectionId}/files/${id}`)?.body.toString()).toBe('%PDF');
  });

  test('a page gets the same link as an answer, with the time until which it holds', async () => {
    const id = randomUUID();
    const owner = newConnection();
    expect((await linkTo(id)).body.error.code).toBe('documento_not_found');
    await storeFile(owner, id, {
      name: 'Bases.pdf',
      body: Buffer.from('%PDF'),
      bytes: 4,
      proof: 'form',
    });
    const before = Date.now();
    const answer = await linkTo(id);
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store']);
    const { url, expires_at } = answer.body.data;
    expect(new URL(url).pathname).toContain(`/${OURS}/${owner.connectionId}/files/${id}`);
    expect(new URL(url).searchParams.get('X-Amz-Signature')).toMatch(/^[0-9a-f]{64}$/);
    expect(Date.parse(expires_at)).toBeGreaterThanOrEqual(before + 60_000);
    expect(Date.parse(expires_at)).toBeLessThanOrEqual(Date.now() + 60_000);
  });

  test.each(['x', '../../x', randomUUID()])('of %j: 404', async (documentoId) => {
    for (const answer of [await fetchFile(documentoId), await linkTo(documentoId)])
      expect([answer.status, answer.body.error.code]).toEqual([404, 'documento_not_found']);
  });

  test('of another organization: 404', async () => {
    const id = randomUUID();
    await storeFile(newConnection(), id, { name: null, body: Buffer.from(''), bytes: 0, proof: 'form' });
    const { key } = await callersOf('22222222-2222-4222-8222-222222222222');
    expect((await fetchFile(id, key)).status).toBe(404);
    expect((await linkTo(id, key)).status).toBe(404);
    expect((await locationOf(id)).pathname).toContain(`/files/${id}`);
  });
});
