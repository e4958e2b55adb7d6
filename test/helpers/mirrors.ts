/**
 * Mirrors of connections: the programs of the guides (docs/examples), run as a reader runs them, their stored rows, and
 * the rows of the lists for comparison.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readAllRows, readScopes } from '#tools/local/demo/steps.ts';
import type { StackFile } from '#tools/local/stack-file.ts';
import { dltPipeline } from './dlt.ts';
import { countOf, EXAMPLES, type Fields, type Language, RECIPES, run } from './example-programs.ts';
import { ofAnotherTable } from './former-cursor.ts';

/** Scope and id → row. */
export type Held = Record<string, Fields>;

export interface Mirror {
  name: string;
  /**
   * Runs the program once. Returns how many changes it received.
   *
   * @param killAfterMs after which it is killed: then null, unless it ended before
   */
  poll(file: StackFile, killAfterMs?: number): Promise<number | null>;
  held(connectionId: string): Promise<Held>;
  /**
   * Sets the state after a restore of the service: the stored cursor belongs to another table, and a row is outdated.
   */
  outlive(connectionId: string): Promise<void>;
}

const access = ({ api, api_key }: StackFile): Record<string, string> => ({ API: api, KEY: api_key });

const placeOf = (scope: unknown, id: unknown): string => `${scope} ${id}`;

/** The recipe in one language. */
export const sqliteMirror = (language: Language, folder: string): Mirror => {
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
    poll: async (file, killAfterMs) =>
      countOf(
        await run(
          RECIPES[language],
          [join(EXAMPLES, `guides/mirror.${language}`)],
          { ...access(file), MIRROR: path },
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
        for (const { connection, cursor } of database.prepare('SELECT connection, cursor FROM feeds').all())
          database
            .prepare('UPDATE feeds SET cursor = ? WHERE connection = ?')
            .run(ofAnotherTable(String(cursor)), connection!);
        database.prepare("INSERT INTO rows VALUES (?, 'movements', 'untrue', null, '{}')").run(connectionId);
      }),
  };
};

/** @param programs folder of the Python that has dlt */
export const duckdbMirror = (programs: string, folder: string): Mirror => {
  const pipeline = dltPipeline(programs, folder, 'warehouse.py', 'connections');
  return {
    name: 'dlt',
    poll: (file, killAfterMs) => pipeline.load(access(file), killAfterMs),
    held: async (connectionId) =>
      Object.fromEntries(
        (await pipeline.rows())
          .filter(({ row }) => row.connection_id === connectionId)
          .map(({ scope, row: { connection_id: _, ...row } }) => [placeOf(scope.replace(/^[a-z]+_/, ''), row.id), row]),
      ),
    outlive: () => pipeline.outlive('bankone_movements', 'amount = NULL'),
  };
};

/** What the lists of a connection show. */
export const listed = async (file: StackFile, connectionId: string): Promise<Held> => {
  const below = `/api/connections/${connectionId}/`;
  const scopes = (await readScopes(file, connectionId)).filter(({ data_url }) => data_url?.startsWith(below));
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
 * A row in comparable form: a database has no column for a field that never occurred, and stores instants in its own
 * format.
 *
 * @param asSeen the field with the time at which the row was last seen: seeing it again is no change, so the copy's
 * time
 *   stays behind (docs/guides/mirror.md)
 */
export const comparable = (row: Fields, asSeen?: string): Fields =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([name, value]) => value !== null && name !== asSeen)
      .map(([name, value]) => [name, plain(value)])
      .sort(([a], [b]) => (a! < b! ? -1 : 1)),
  );

/** Differences, one line each; empty if the mirror holds what the lists show. */
export const differences = (held: Held, shown: Held): string[] => {
  const places = [...new Set([...Object.keys(held), ...Object.keys(shown)])].sort();
  return places.flatMap((place) => {
    const asSeen = place.startsWith('boletas ') ? 'updated_at' : undefined;
    const [ours, theirs] = [held, shown].map((all) => all[place] && JSON.stringify(comparable(all[place], asSeen)));
    if (ours === theirs) return [];
    return [`${place}: ${ours ?? 'is not held'}, listed: ${theirs ?? 'not'}`];
  });
};
