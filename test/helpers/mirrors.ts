/**
 * Mirrors of connections: the programs of the guides (docs/examples), run as a reader runs them, what they hold
 * afterwards, and what the lists show beside it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { readAllRows, scopesOf } from '#infra/local/demo/steps.ts';
import type { StackFile } from '#infra/local/stack-file.ts';
import { installed } from '#infra/python/venv.ts';

export const EXAMPLES = join(import.meta.dirname, '../../docs/examples');
export const RECIPES = { ts: process.execPath, py: 'python3' } as const;

export type Fields = Readonly<Record<string, unknown>>;
/** Scope and id → row. */
export type Held = Record<string, Fields>;

export interface Mirror {
  name: string;
  /**
   * Runs the program once. Answers how many changes it took.
   *
   * @param killAfterMs after which it is killed: then null, unless it was over before
   */
  poll(file: StackFile, connectionId: string, killAfterMs?: number): Promise<number | null>;
  held(connectionId: string): Promise<Held>;
  /** As after a restore of the service: the kept cursor is of another table, and a row says what is no longer true. */
  outlive(connectionId: string): Promise<void>;
}

interface Ended {
  status: number | null;
  out: string;
}

export const run = async (
  program: string,
  args: string[],
  environment: Record<string, string>,
  killAfterMs?: number,
): Promise<Ended> => {
  const child = spawn(program, args, { env: { PATH: process.env.PATH, HOME: '/nowhere', ...environment } });
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  const [out, told] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  clearTimeout(timer);
  if (child.signalCode === 'SIGKILL' && killAfterMs !== undefined) return { status: null, out };
  if (child.exitCode !== 0) throw new Error(`${args[0]} ended with ${child.exitCode ?? child.signalCode}: ${told}`);
  return { status: 0, out };
};

/** The program's last line begins with a number. */
export const countOf = ({ status, out }: Ended): number | null => {
  if (status === null) return null;
  const count = /^(\d+) \w+$/.exec(out.trim().split('\n').at(-1)!)?.[1];
  if (count === undefined) throw new Error(`no count in ${out}`);
  return Number(count);
};

const access = ({ api, api_key }: StackFile, connectionId: string): Record<string, string> => ({
  API: api,
  KEY: api_key,
  CONNECTION: connectionId,
});

/** Which table a cursor is of is its second part. */
export const ofAnotherTable = (cursor: string): string => {
  const [version, , ...rest] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  return Buffer.from(JSON.stringify([version, 'another', ...rest])).toString('base64url');
};

const placeOf = (scope: unknown, id: unknown): string => `${scope} ${id}`;

/** The recipe in a language. */
export const sqliteMirror = (language: keyof typeof RECIPES, folder: string): Mirror => {
  const path = join(folder, `mirror.${language}.sqlite`);
  const inDatabase = <T>(work: (database: DatabaseSync) => T): T => {
    const database = new DatabaseSync(path);
    try {
      return work(database);
    } finally {
      database.close();
    }
  };
  return {
    name: `mirror.${language}`,
    poll: async (file, connectionId, killAfterMs) =>
      countOf(
        await run(
          RECIPES[language],
          [join(EXAMPLES, `guides/mirror.${language}`)],
          { ...access(file, connectionId), MIRROR: path },
          killAfterMs,
        ),
      ),
    held: async (connectionId) =>
      inDatabase((database) =>
        Object.fromEntries(
          database
            .prepare('SELECT scope, id, row FROM rows WHERE connection = ?')
            .all(connectionId)
            .map(({ scope, id, row }) => [placeOf(scope, id), JSON.parse(String(row))]),
        ),
      ),
    outlive: async (connectionId) =>
      inDatabase((database) => {
        const kept = database.prepare('SELECT cursor FROM feed WHERE connection = ?').get(connectionId)!;
        const cursor = ofAnotherTable(String(kept.cursor));
        database.prepare('UPDATE feed SET cursor = ? WHERE connection = ?').run(cursor, connectionId);
        database.prepare("INSERT INTO rows VALUES (?, 'movements', 'untrue', null, '{}')").run(connectionId);
      }),
  };
};

/** Each table of the mirror as JSON. */
const READ_DUCKDB = `
import json, os, sys
import duckdb
database, schema = duckdb.connect(os.environ["DUCKDB"], read_only=True), os.environ["SCHEMA"]
database.execute("SET TimeZone = 'UTC'")
names = database.execute("SELECT table_name FROM information_schema.tables WHERE table_schema = ?", [schema]).fetchall()
rows = []
for (name,) in names:
    if not name.startswith("_dlt"):
        cursor = database.execute(f'SELECT * FROM "{schema}"."{name}"')
        columns = [column[0] for column in cursor.description]
        rows += [dict(zip(columns, row)) for row in cursor.fetchall()]
print(json.dumps(rows, default=lambda value: value.isoformat() if hasattr(value, "isoformat") else str(value)))
`;

const SPOIL_DUCKDB = `
import os
import duckdb
schema = os.environ["SCHEMA"]
duckdb.connect(os.environ["DUCKDB"]).execute(f'UPDATE "{schema}".movements SET amount = NULL')
`;

/** Columns of dlt and of the example beside those of a row. */
const BESIDE = /^(?:_dlt_.+|scope|is_deleted|change_order)$/;

/** @param programs folder of the Python that has dlt */
export const duckdbMirror = (programs: string, folder: string): Mirror => {
  const python = join(programs, 'python');
  const data = join(folder, 'dlt');
  const environment = (connectionId: string): Record<string, string> => ({
    DUCKDB: join(folder, 'mirror.duckdb'),
    SCHEMA: `connection_${connectionId.replaceAll('-', '_')}`,
    DLT_DATA_DIR: data,
    // Nothing leaves the machine, and fields that are always null are no matter of a warning.
    RUNTIME__DLTHUB_TELEMETRY: 'false',
    RUNTIME__LOG_LEVEL: 'ERROR',
  });
  return {
    name: 'dlt',
    poll: async (file, connectionId, killAfterMs) => {
      const own = { ...environment(connectionId), ...access(file, connectionId) };
      return countOf(await run(python, [join(EXAMPLES, 'guides/warehouse.py')], own, killAfterMs));
    },
    held: async (connectionId) => {
      const { out } = await run(python, ['-c', READ_DUCKDB], environment(connectionId));
      return Object.fromEntries(
        (JSON.parse(out) as Fields[]).map((row) => [
          placeOf(row.scope, row.id),
          Object.fromEntries(Object.entries(row).filter(([name]) => !BESIDE.test(name))),
        ]),
      );
    },
    outlive: async (connectionId) => {
      const state = join(data, `pipelines/connection_${connectionId}/state.json`);
      const kept = readFileSync(state, 'utf8');
      writeFileSync(
        state,
        kept.replaceAll(/(?<="cursor": ?")[^"]+/g, (cursor) => ofAnotherTable(cursor)),
      );
      await run(python, ['-c', SPOIL_DUCKDB], environment(connectionId));
    },
  };
};

/** Every mirror that this machine can have, and why it cannot have the others. */
export const findMirrors = async (folder: string): Promise<{ mirrors: Mirror[]; lacking: string[] }> => {
  const { programs, reason } = await installed('.venv-dlt', join(EXAMPLES, 'requirements.txt'));
  const hasPython = reason?.includes('ENOENT') !== true;
  return {
    mirrors: [
      sqliteMirror('ts', folder),
      ...(hasPython ? [sqliteMirror('py', folder)] : []),
      ...(programs === undefined ? [] : [duckdbMirror(programs, folder)]),
    ],
    lacking: reason === undefined ? [] : [reason],
  };
};

/** What the lists of a connection show. */
export const listed = async (file: StackFile, connectionId: string): Promise<Held> => {
  const below = `/api/connections/${connectionId}/`;
  const scopes = (await scopesOf(file, connectionId)).filter(({ data_url }) => data_url?.startsWith(below));
  const rows = await Promise.all(
    scopes.map(async ({ name, data_url }) => ({ name, rows: await readAllRows(file, data_url!) })),
  );
  return Object.fromEntries(
    rows.flatMap(({ name, rows: of }) => of.map((row) => [placeOf(name, row.id), row] as const)),
  );
};

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/;

const plain = (value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  if (INSTANT.test(value)) return new Date(value).toISOString();
  return /^[[{]/.test(value) ? JSON.parse(value) : value;
};

/**
 * A row however it is kept: a database has no column for a field that was never there, and keeps instants in its own
 * way. That a daily total was seen again is no change: the time of that stays behind (docs/guides/mirror.md).
 */
const comparable = (place: string, row: Fields): Fields =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([name, value]) => value !== null && !(place.startsWith('boletas ') && name === 'updated_at'))
      .map(([name, value]) => [name, plain(value)])
      .sort(([a], [b]) => (a! < b! ? -1 : 1)),
  );

/** What differs, a line each; none: the mirror holds what the lists show. */
export const differences = (held: Held, shown: Held): string[] => {
  const places = [...new Set([...Object.keys(held), ...Object.keys(shown)])].sort();
  return places.flatMap((place) => {
    const [ours, theirs] = [held, shown].map((all) => all[place] && JSON.stringify(comparable(place, all[place])));
    if (ours === theirs) return [];
    return [`${place}: ${ours ?? 'is not held'}, listed: ${theirs ?? 'not'}`];
  });
};
