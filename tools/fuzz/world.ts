/** Creates data on the stack under test: connections with rows, runs, keys, endpoints with deliveries. */
import { changesSince, connectionChanges, TENDER_CHANGES } from '#tools/local/demo/changes.ts';
import { call, connect, subscribe, synchronize } from '#tools/local/demo/steps.ts';
import type { StackFile } from '#tools/local/stack-file.ts';

export interface FuzzWorld {
  /** Path of a list, with parameters in braces → ids in the list. */
  ids: Record<string, string[]>;
  sources: {
    code: string;
    /** Id of the connection to the source. */
    connection: string;
    scopes: string[];
    credentials: Record<string, unknown>;
    metadata: Record<string, unknown>;
  }[];
  /** Id of a connection, or `tenders` → two cursors of its feed: one in the middle, and one at the end. */
  cursors: Record<string, string[]>;
}

const IDS_MAX = 5;

interface FuzzDescription {
  paths: Record<string, Record<string, unknown>>;
}

/** Reads a list with the first of two credentials, the API key and the session, that the API accepts for this list. */
const readList = async (stack: StackFile, path: string): Promise<Record<string, unknown>[]> => {
  for (const headers of [
    { authorization: `Bearer ${stack.api_key}` },
    { cookie: `sb-access-token=${stack.session}` },
  ]) {
    const answer = await fetch(`${stack.api}${path}`, { headers: headers as Record<string, string> });
    if (!answer.ok) continue;
    const { data } = (await answer.json()) as { data?: unknown };
    return Array.isArray(data) ? (data as Record<string, unknown>[]) : [];
  }
  return [];
};

const TENDERS = '/procurement/licitaciones';

/** Returns the ids that identify rows in paths: codes for tenders, ids for all other rows. */
const idsAt = async (stack: StackFile, path: string): Promise<string[]> => {
  const rows = await readList(stack, path);
  const names = rows.map(({ id, codigo }) => (path === TENDERS ? codigo : id));
  return names.filter((name) => typeof name === 'string').slice(0, IDS_MAX);
};

/** Returns a list's path with every combination of known ids for its parameters. */
const filled = (path: string, ids: FuzzWorld['ids']): string[] => {
  const name = /\{(\w+)\}/.exec(path)?.[1];
  if (name === undefined) return [path];
  const prefix = path.split(`/{${name}}`)[0]!;
  return (ids[prefix] ?? []).flatMap((id) => filled(path.replace(`{${name}}`, id), ids));
};

const idsOf = async (stack: StackFile): Promise<FuzzWorld['ids']> => {
  const { paths } = (await (await fetch(`${stack.api}/openapi.json`)).json()) as FuzzDescription;
  const ids: FuzzWorld['ids'] = {};
  // Shorter paths are read first, because the ids of their rows are parameters of longer paths.
  for (const path of Object.keys(paths).sort((a, b) => a.length - b.length)) {
    if (path.endsWith('}') || !('get' in paths[path]!)) continue;
    const found = await Promise.all(filled(path, ids).map((each) => idsAt(stack, each)));
    ids[path] = found.flat().slice(0, IDS_MAX);
  }
  ids['/procurement/documentos'] = ids[`${TENDERS}/{codigo}/documentos`] ?? [];
  return Object.fromEntries(Object.entries(ids).filter(([, known]) => known.length > 0));
};

type FuzzSource = FuzzWorld['sources'][number];

interface ExternalSource {
  code: string;
  supported_scopes: string[];
  scopes: { sync_metadata: { properties?: Record<string, unknown> } }[];
}

const lastMonth = (): string => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)).toISOString().slice(0, 7);
};

/**
 * Returns sync metadata for the last month, whose rows are enough data; returns undefined for a source without months.
 */
const lastMonthOf = ({ scopes }: ExternalSource): Record<string, unknown> | undefined => {
  const isPeriodic = scopes.some(({ sync_metadata }) => 'periods' in (sync_metadata.properties ?? {}));
  return isPeriodic ? { periods: [lastMonth()] } : undefined;
};

const cursorsOf = async (stack: StackFile, path: string): Promise<string[]> => {
  const { feed } = await call<{ feed: { next_cursor: string } }>(stack, `${path}?limit=1`);
  const { cursor } = await changesSince(stack, path, feed.next_cursor);
  return [feed.next_cursor, cursor];
};

/**
 * Connects a source and fills the connection with data. Throws when the source cannot be read, because without data the
 * fuzzer would test less than it reports.
 */
const fill = async (stack: StackFile, source: ExternalSource): Promise<FuzzSource> => {
  const { code, supported_scopes: scopes } = source;
  const connection = await connect(stack, code, scopes);
  const { status, error_code } = await synchronize(stack, connection, () => {}, lastMonthOf(source));
  if (status !== 'succeeded' && status !== 'partial') throw new Error(`sync of ${code} ended ${status}: ${error_code}`);
  const { credentials, metadata } = stack.sandbox[code]!;
  return { code, connection, scopes, credentials, metadata };
};

/**
 * Connects the sources that have a sandbox (all, or only the sources in `only`), synchronizes each, and reads the
 * resulting ids.
 */
export const makeWorld = async (stack: StackFile, only?: readonly string[]): Promise<FuzzWorld> => {
  const { data } = (await (await fetch(`${stack.api}/external-sources?is_active=true`)).json()) as {
    data: ExternalSource[];
  };
  const known = data.filter(({ code }) => code in stack.sandbox && (only === undefined || only.includes(code)));
  await subscribe(stack);
  const sources = await Promise.all(known.map((source) => fill(stack, source)));
  const paths = sources.map(({ connection }) => [connection, connectionChanges(connection)] as const);
  const cursors: FuzzWorld['cursors'] = {};
  for (const [name, path] of [...paths, ['tenders', TENDER_CHANGES] as const])
    cursors[name] = await cursorsOf(stack, path);
  return { ids: await idsOf(stack), sources, cursors };
};
