/** The copy of tenders that the guide shows, run as a reader runs it, and what the service shows beside it. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { call, readAllRows, readTender } from '#infra/local/demo/steps.ts';
import type { StackFile } from '#infra/local/stack-file.ts';
import { countOf, EXAMPLES, ofAnotherTable, RECIPES, run } from './mirrors.ts';

/** Tender and scope → its rows as JSON, in any order. */
export type HeldTenders = Record<string, string[]>;

export interface TenderMirror {
  name: string;
  /** Answers how many changes the program took; null: it was killed. */
  poll(file: StackFile, killAfterMs?: number): Promise<number | null>;
  held(): HeldTenders;
  /** As after a restore of the service: the kept cursor is of another table, and a row says what is no longer true. */
  outlive(): void;
}

const BELOW = ['documentos', 'ofertas', 'preguntas'];

/**
 * The same row has the same text, whoever wrote it. That a tender was seen again is no change: the time of that stays
 * behind (docs/guides/mirror.md).
 */
const textOf = (row: object): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(row)
        .filter(([name]) => name !== 'observed_at')
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  );

export const tenderMirror = (language: keyof typeof RECIPES, folder: string): TenderMirror => {
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
    poll: async ({ api, api_key }, killAfterMs) => {
      const environment = { API: api, KEY: api_key, MIRROR: path };
      return countOf(
        await run(RECIPES[language], [join(EXAMPLES, `guides/tenders.${language}`)], environment, killAfterMs),
      );
    },
    held: () =>
      inDatabase((database) => {
        const rows = database.prepare('SELECT codigo, scope, row FROM tenders').all();
        const byPlace = Map.groupBy(rows, ({ codigo, scope }) => `${codigo} ${scope}`);
        return Object.fromEntries(
          [...byPlace].map(([place, of]) => [place, of.map(({ row }) => textOf(JSON.parse(String(row)))).sort()]),
        );
      }),
    outlive: () =>
      inDatabase((database) => {
        const { cursor } = database.prepare('SELECT cursor FROM tender_feed').get()!;
        database.prepare('UPDATE tender_feed SET cursor = ?').run(ofAnotherTable(String(cursor)));
        database.exec("INSERT INTO tenders VALUES ('untrue', 'ofertas', '{}')");
      }),
  };
};

/** Every tender of the organization as it is served; a list without rows is not named. */
export const servedTenders = async (file: StackFile): Promise<HeldTenders> => {
  const served: HeldTenders = {};
  for (const { codigo } of await readAllRows(file, '/procurement/licitaciones')) {
    const { data } = await call<{ data: object }>(file, `/procurement/licitaciones/${codigo}`);
    served[`${codigo} licitaciones`] = [textOf(data)];
    for (const scope of BELOW) {
      const rows = await readTender(file, String(codigo), scope);
      if (rows.length > 0) served[`${codigo} ${scope}`] = rows.map(textOf).sort();
    }
  }
  return served;
};
