/** The sources for dlt of docs/examples, each in its own pipeline, and the DuckDB tables that they load. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countOf, EXAMPLES, type Fields, run } from './example-programs.ts';
import { ofAnotherTable } from './former-cursor.ts';

/** Every row of every table of a data set, as JSON. */
const READ = `
import json, os
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

const SPOIL = `
import os
import duckdb
schema, table, change = os.environ["SCHEMA"], os.environ["TABLE"], os.environ["CHANGE"]
duckdb.connect(os.environ["DUCKDB"]).execute(f'UPDATE "{schema}".{table} SET {change}')
`;

/** Columns of dlt and of the examples in addition to those of a row. */
const BESIDE = /^(?:_dlt_.+|scope|is_deleted|change_order)$/;

export interface LoadedRow {
  scope: string;
  row: Fields;
}

export interface Pipeline {
  /** Returns how many rows were loaded; null if the program was killed. */
  load(settings: Record<string, string>, killAfterMs?: number): Promise<number | null>;
  rows(): Promise<LoadedRow[]>;
  /**
   * Sets the state after a restore of the service: the stored cursor belongs to another table, and rows are outdated.
   */
  outlive(table: string, change: string): Promise<void>;
}

/**
 * @param programs folder of the Python that has dlt
 * @param example file of the guides
 * @param name as the example names its pipeline
 */
export const dltPipeline = (programs: string, folder: string, example: string, name: string): Pipeline => {
  const python = join(programs, 'python');
  const data = join(folder, 'dlt');
  const environment = {
    DUCKDB: join(folder, 'mirror.duckdb'),
    SCHEMA: name.replaceAll('-', '_'),
    DLT_DATA_DIR: data,
    // No telemetry, and no warnings about fields that are always null.
    RUNTIME__DLTHUB_TELEMETRY: 'false',
    RUNTIME__LOG_LEVEL: 'ERROR',
  };
  return {
    load: async (settings, killAfterMs) =>
      countOf(await run(python, [join(EXAMPLES, 'guides', example)], { ...environment, ...settings }, killAfterMs)),
    rows: async () => {
      const { out } = await run(python, ['-c', READ], environment);
      return (JSON.parse(out) as Fields[]).map((row) => ({
        scope: String(row.scope),
        row: Object.fromEntries(Object.entries(row).filter(([column]) => !BESIDE.test(column))),
      }));
    },
    outlive: async (table, change) => {
      const state = join(data, `pipelines/${name}/state.json`);
      const kept = readFileSync(state, 'utf8');
      writeFileSync(
        state,
        kept.replaceAll(/(?<="cursor": ?")[^"]+/g, (cursor) => ofAnotherTable(cursor)),
      );
      await run(python, ['-c', SPOIL], { ...environment, TABLE: table, CHANGE: change });
    },
  };
};
