/**
 * The programs of docs/guides/mirror.md, each run twice at once over a feed with one change per page: no change is
 * lost.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '#test/helpers/e2e-child.ts';

const GUIDES = join(import.meta.dirname, '../../../docs/examples/guides');
const RECIPES = { ts: process.execPath, py: 'python3' } as const;
type Language = keyof typeof RECIPES;

/**
 * One change per page: a row is created and deleted, and another row is created. The feed of tenders has the same
 * changes.
 */
const CHANGES = [
  { change: 'created', id: 'gone', row: {} },
  { change: 'deleted', id: 'gone', row: null },
  { change: 'created', id: 'kept', row: {} },
];
const START = { connections: '/connections/c/changes?limit=200', procurement: '/procurement/changes?limit=200' };

/** A delayed answer. `arrived` resolves when its request has arrived; `open` sends it. */
interface Gate {
  arrived: Promise<void>;
  open(): void;
}

const folder = temporaryFolder();
const gates = new Map<string, { arrive(): void; opened: Promise<void> }>();
let isGone = false;

/** The only connection, which always has changes. */
const NAMED = { change: 'changed', connection_id: 'c', scope: 'rcv', path: '/connections/c/changes' };

const answerTo = (path: string): { status: number; body: unknown } => {
  if (path.startsWith('/changes'))
    return { status: 200, body: { data: [NAMED], feed: { next_cursor: '1', has_more: false } } };
  if (path === '/procurement/licitaciones/gone')
    return { status: isGone ? 404 : 200, body: { data: { codigo: 'gone' } } };
  if (path === '/procurement/licitaciones/kept') return { status: 200, body: { data: { codigo: 'kept' } } };
  const at = Number(new URL(path, 'http://feed').searchParams.get('cursor') ?? 0);
  isGone ||= at > 0;
  const told = CHANGES.slice(at, at + 1).map((change) => ({ ...change, period: null, codigo: change.id }));
  const scope = path.startsWith('/procurement') ? 'licitaciones' : 'rcv';
  const next = Math.min(at + 1, CHANGES.length);
  const feed = { next_cursor: String(next), has_more: next < CHANGES.length };
  return { status: 200, body: { data: told.map((change) => ({ ...change, scope })), feed } };
};

const server = createServer(async ({ url = '', headers }, response) => {
  const { status, body } = answerTo(url);
  const gate = gates.get(`${headers.authorization} ${url}`);
  gate?.arrive();
  await gate?.opened;
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
});
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const gateOf = (key: string, path: string): Gate => {
  const arrival = Promise.withResolvers<void>();
  const opening = Promise.withResolvers<void>();
  gates.set(`Bearer ${key} ${path}`, { arrive: arrival.resolve, opened: opening.promise });
  return { arrived: arrival.promise, open: opening.resolve };
};

const start = (program: string, language: Language, key: string): ChildProcess => {
  const { port } = server.address() as AddressInfo;
  const environment = { API: `http://127.0.0.1:${port}`, KEY: key, CONNECTION: 'c', MIRROR: join(folder, program) };
  const env = { PATH: process.env.PATH, HOME: '/nowhere', ...environment };
  return spawn(RECIPES[language], [join(GUIDES, program)], { env, stdio: 'inherit' });
};

const ended = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
};

const held = (program: string, query: string): unknown[] => {
  const database = new DatabaseSync(join(folder, program));
  try {
    return database
      .prepare(query)
      .all()
      .map(({ id }) => id);
  } finally {
    database.close();
  }
};

const hasPython = spawnSync(RECIPES.py, ['--version']).status === 0;
const LANGUAGES: Language[] = hasPython ? ['ts', 'py'] : ['ts'];

/** For each program: its first request, the request whose answer is delayed, and a query for the rows that it holds. */
const PROGRAMS = [
  ['mirror', START.connections, START.connections, 'SELECT id FROM rows'],
  ['tenders', START.procurement, '/procurement/licitaciones/gone', 'SELECT codigo AS id FROM tenders'],
] as const;

test.each(
  LANGUAGES.flatMap((language) => PROGRAMS.map(([name, ...of]) => [`${name}.${language}`, language, ...of] as const)),
)('%s keeps no page over what another run kept meanwhile', async (program, language, path, slowAt, query) => {
  isGone = false;
  gates.clear();
  const slowAnswer = gateOf('slow', slowAt);
  const slow = start(program, language, 'slow');
  await slowAnswer.arrived;

  const quickAnswer = gateOf('quick', `${path}&cursor=2`);
  const quick = start(program, language, 'quick');
  await quickAnswer.arrived;

  // The slow program's answer is older than what is stored by now. Then the program dies.
  const further = [1, 2].map((cursor) => gateOf('slow', `${path}&cursor=${cursor}`).arrived);
  slowAnswer.open();
  await Promise.race(further);
  slow.kill('SIGKILL');
  await ended(slow);
  quickAnswer.open();
  await ended(quick);
  expect(held(program, query)).toEqual(['kept']);

  await ended(start(program, language, 'later'));
  expect(held(program, query)).toEqual(['kept']);
});
