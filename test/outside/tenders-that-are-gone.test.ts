/**
 * Mirrors of tenders while a connection is deleted: its changes are still listed, but their tenders no longer exist.
 * The real service answers so only for a moment, so this server repeats it without a time limit.
 */
import { rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '#test/helpers/e2e-child.ts';
import { findMirrors } from '#test/helpers/found-mirrors.ts';
import type { HeldTenders } from '#test/helpers/tender-mirrors.ts';

const folder = temporaryFolder();
const { tenderMirrors } = await findMirrors(folder);

/** Served tenders, by path below the tenders; other paths get 404. */
let tenders: Record<string, object | object[]>;
/** Tender and scope of each change; the cursor is the number of changes sent. */
const changes: [codigo: string, scope: string][] = [];
let server: Server;

const changesAfter = (cursor: string | null) => ({
  data: changes.slice(Number(cursor)).map(([codigo, scope]) => ({ change: 'changed', codigo, scope })),
  feed: { next_cursor: String(changes.length), has_more: false },
});

const answerTo = ({ pathname, searchParams }: URL): object | undefined => {
  if (pathname === '/api/procurement/changes') return changesAfter(searchParams.get('cursor'));
  const data = tenders[pathname.replace('/api/procurement/licitaciones/', '')];
  return data && { data, pagination: { has_more: false } };
};

interface Poll {
  first: HeldTenders;
  next: HeldTenders;
  again: number | null;
}
const polls = new Map<string, Poll>();

beforeAll(async () => {
  server = createServer((request, response) => {
    const body = answerTo(new URL(request.url!, 'http://server'));
    response.writeHead(body ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const api = { api: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`, api_key: 'a key' };
  const [one, other] = [{ codigo: '1-1-LE26' }, { codigo: '1-2-LE26' }];
  for (const { name, poll, held } of tenderMirrors) {
    const offers = [
      { id: 'a', oferente_rut: '1-9' },
      { id: 'b', oferente_rut: '2-7' },
    ];
    tenders = { '1-1-LE26': one, '1-1-LE26/ofertas': offers, '1-2-LE26': other, '1-2-LE26/ofertas': offers };
    const told = Object.keys(tenders).map((path): [string, string] => {
      const [codigo = '', scope = 'licitaciones'] = path.split('/');
      return [codigo, scope];
    });
    changes.splice(0, changes.length, ...told);
    await poll(api);
    const first = await held();
    // One tender is gone with its list; the list of the other tender has lost one row, and another row has changed.
    tenders = { '1-2-LE26': other, '1-2-LE26/ofertas': [{ id: 'b', oferente_rut: '2-7', estado: 'aceptada' }] };
    changes.push(...told);
    await poll(api);
    polls.set(name, { first, next: await held(), again: await poll(api) });
  }
}, 120_000);

afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each(tenderMirrors.map(({ name }) => name))('%s keeps no row that is not served any more', (name) => {
  const { first, next, again } = polls.get(name)!;
  const places = (held: HeldTenders) => Object.entries(held).map(([place, rows]) => [place, rows.length]);
  expect(places(first).sort()).toEqual([
    ['1-1-LE26 licitaciones', 1],
    ['1-1-LE26 ofertas', 2],
    ['1-2-LE26 licitaciones', 1],
    ['1-2-LE26 ofertas', 2],
  ]);
  expect(places(next).sort()).toEqual([
    ['1-2-LE26 licitaciones', 1],
    ['1-2-LE26 ofertas', 1],
  ]);
  expect(JSON.parse(next['1-2-LE26 ofertas']![0]!)).toMatchObject({ id: 'b', estado: 'aceptada' });
  expect(again).toBe(0);
});
