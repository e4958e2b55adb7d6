/** The mirrors of tenders in the guide, run as a reader runs them, and the served tenders for comparison. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { call, readAllRows, readTender } from '#tools/local/demo/steps.ts';
import type { StackFile } from '#tools/local/stack-file.ts';
import { dltPipeline } from './dlt.ts';
import { countOf, EXAMPLES, type Fields, type Language, RECIPES, run } from './example-programs.ts';
import { ofAnotherTable } from './former-cursor.ts';
import { comparable } from './mirrors.ts';

/** Tender and scope → its rows as JSON, in any order. */
export type HeldTenders = Record<string, string[]>;

export interface TenderMirror {
  name: string;
  /** What the program counts: changes, or rows that it loaded. */
  counts: 'changes' | 'rows';
  /** Returns null if the program was killed. */
  poll(file: Pick<StackFile, 'api' | 'api_key'>, killAfterMs?: number): Promise<number | null>;
  held(): Promise<HeldTenders>;
  /**
   * Sets the state after a restore of the service: the stored cursor belongs to another table, and a row is outdated.
   */
  outlive(): Promise<void>;
}

const BELOW = ['documentos', 'ofertas', 'preguntas'];

/** Gives the same text for the same row, from any program. */
const textOf = (row: Fields): string => JSON.stringify(comparable(row, 'observed_at'));

const byPlace = (rows: readonly { codigo: unknown; scope: unknown; row: Fields }[]): HeldTenders =>
  Object.fromEntries(
    [...Map.groupBy(rows, ({ codigo, scope }) => `${codigo} ${scope}`)].map(([place, of]) => [
      place,
      of.map(({ row }) => textOf(row)).sort(),
    ]),
  );

const environment = ({ api, api_key }: Parameters<TenderMirror['poll']>[0]): Record<string, string> => ({
  API: api,
  KEY: api_key,
});

export const sqliteTenders = (language: Language, folder: string): TenderMirror => {
  const path = join(folder, `tenders.${language}.sqlite`);
  const inDatabase = <T>(work: (database: DatabaseSync) => T): T => {
    const database = new DatabaseSync(path);
    try {
      return work(database);
    } finally {
      database.close();
    }
  };
  return {
    name: `tenders.${language}`,
    counts: 'changes',
    poll: async (file, killAfterMs) => {
      const program = join(EXAMPLES, `guides/tenders.${language}`);
      return countOf(await run(RECIPES[language], [program], { ...environment(file), MIRROR: path }, killAfterMs));
    },
    held: async () =>
      inDatabase((database) => {
        const rows = database.prepare('SELECT codigo, scope, row FROM tenders').all();
        return byPlace(rows.map(({ codigo, scope, row }) => ({ codigo, scope, row: JSON.parse(String(row)) })));
      }),
    outlive: async () =>
      inDatabase((database) => {
        const { cursor } = database.prepare('SELECT cursor FROM tender_feed').get()!;
        database.prepare('UPDATE tender_feed SET cursor = ?').run(ofAnotherTable(String(cursor)));
        database.exec("INSERT INTO tenders VALUES ('untrue', 'ofertas', '{}')");
      }),
  };
};

/** @param programs folder of the Python that has dlt */
export const duckdbTenders = (programs: string, folder: string): TenderMirror => {
  const pipeline = dltPipeline(programs, folder, 'warehouse_tenders.py', 'tenders');
  return {
    name: 'dlt',
    counts: 'rows',
    poll: (file, killAfterMs) => pipeline.load(environment(file), killAfterMs),
    held: async () => byPlace((await pipeline.rows()).map(({ scope, row }) => ({ codigo: row.codigo, scope, row }))),
    outlive: () => pipeline.outlive('licitaciones', "codigo = 'untrue'"),
  };
};

/** Every tender of the organization as it is served; a list without rows is left out. */
export const servedTenders = async (file: StackFile): Promise<HeldTenders> => {
  const served: Parameters<typeof byPlace>[0][number][] = [];
  for (const { codigo } of await readAllRows(file, '/procurement/licitaciones')) {
    const { data } = await call<{ data: Fields }>(file, `/procurement/licitaciones/${codigo}`);
    served.push({ codigo, scope: 'licitaciones', row: data });
    for (const scope of BELOW)
      served.push(...(await readTender(file, String(codigo), scope)).map((row) => ({ codigo, scope, row })));
  }
  return byPlace(served);
};
