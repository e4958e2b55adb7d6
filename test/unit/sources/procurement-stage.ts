/** The adapter, the sandbox over real HTTP and the engine's part in memory: one stage for the tests of a file. */
import Big from 'big.js';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { procurementDocumentos } from '#shared/scopes/procurement-documentos.ts';
import { procurementLicitaciones } from '#shared/scopes/procurement-licitaciones.ts';
import { procurementOfertas } from '#shared/scopes/procurement-ofertas.ts';
import { procurementPreguntas } from '#shared/scopes/procurement-preguntas.ts';
import type { Row } from '#shared/scopes/scope.ts';
import type { Behaviour } from '#shared/sources/procurement/sandbox/behaviour.ts';
import { type ProcurementCredential, SANDBOX_CREDENTIALS } from '#shared/sources/procurement/sandbox/credentials.ts';
import type { Tally } from '#shared/sources/procurement/sandbox/ledger.ts';
import { createProcurementSandbox, type ProcurementSandbox } from '#shared/sources/procurement/sandbox/server.ts';
import { source } from '#shared/sources/procurement/source.ts';
import type { FetchedFile, JsonObject, Notice, ParsedRow, WantedFile } from '#shared/sources/source.ts';
import { type Liar, startLiar } from '#test/fakes/liar.ts';
import { createAsk, createClock, createIo, type KeptAsk, type TestClock } from './ask.ts';

export const SCOPES = {
  licitaciones: procurementLicitaciones,
  documentos: procurementDocumentos,
  preguntas: procurementPreguntas,
  ofertas: procurementOfertas,
} as const;
export type Scope = keyof typeof SCOPES;
export const NAMES = Object.keys(SCOPES) as Scope[];

export let sandbox: ProcurementSandbox;
export let url: string;
export const clock: TestClock = createClock();

/** Call at the top of a test file. */
export const useSandbox = (): void => {
  beforeAll(async () => {
    sandbox = createProcurementSandbox({ now: () => clock.nowMs });
    url = await sandbox.listen(0);
  });
  afterAll(() => sandbox.close());
};

export let liar: Liar;

/** Call after `useSandbox`. Each test begins with right answers. */
export const useLiar = (): void => {
  beforeAll(async () => {
    liar = await startLiar(url);
  });
  beforeEach(() => {
    liar.lie = () => undefined;
  });
  afterAll(() => liar.close());
};

export const behaving = (behaviour: Behaviour): ProcurementCredential => {
  const found = SANDBOX_CREDENTIALS.find((entry) => entry.behaviour === behaviour);
  if (!found) throw new Error(`no credential behaves "${behaviour}"`);
  return found;
};

export const knobs = async (change: object): Promise<void> => {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/_sandbox/knobs`, { method: 'POST', headers, body: JSON.stringify(change) });
  expect(answer.status).toBe(200);
};

export const io = (settings = {}) => createIo(url, clock, settings);
export const connect = (entry: ProcurementCredential, settings = {}): Promise<JsonObject> =>
  source.connect({ credentials: entry.credentials, metadata: {} }, io(settings));

export const requestOf = (scope: Scope, entry: ProcurementCredential, tender: string) => ({
  scope,
  period: null,
  tender,
  credentials: entry.credentials,
  metadata: {},
  input: {},
});

export interface Pulled {
  rows: ParsedRow[];
  notices: Notice[];
  isAbsent: boolean;
  asked: KeptAsk;
}

export const parseAll = (scope: Scope, tender: string, asked: KeptAsk): Omit<Pulled, 'asked'> => {
  const rows: ParsedRow[] = [];
  const notices: Notice[] = [];
  let isAbsent = false;
  for (const item of source.parse({ scope, period: null, tender, credentials: {} }, [...asked.kept.values()])) {
    if ('row' in item) rows.push(item.row);
    else if ('notice' in item) notices.push(item.notice);
    else if ('absent' in item) {
      isAbsent = true;
      notices.push(item.absent);
    }
  }
  return { rows, notices, isAbsent };
};

export const pull = async (
  scope: Scope,
  entry: ProcurementCredential,
  tender: string,
  asked = createAsk(),
  settings = {},
  session: JsonObject = {},
): Promise<Pulled> => {
  await source.pull(requestOf(scope, entry, tender), {
    session,
    ask: asked.ask,
    io: io(settings),
    progress: () => undefined,
  });
  return { ...parseAll(scope, tender, asked), asked };
};

/** Every row passes the scope's own schema, and a row shown twice counts once. */
export const checkedRows = (scope: Scope, rows: readonly ParsedRow[]): Row[] => {
  const own = new Map<string, Row>();
  for (const { row } of rows) {
    const parsed = SCOPES[scope].parsed.strict().parse(row) as Row;
    const key = JSON.stringify(SCOPES[scope].naturalKey(parsed));
    if (!own.has(key)) own.set(key, parsed);
  }
  return [...own.values()];
};

const FIELDS: Readonly<Record<Scope, string | null>> = {
  licitaciones: 'monto_estimado',
  documentos: 'tamano',
  preguntas: null,
  ofertas: 'total_oferta',
};

export const tallyOf = (scope: Scope, rows: readonly Row[]): Tally => {
  const field = FIELDS[scope];
  const sum = (name: string) => rows.reduce((total, row) => total.plus((row[name] as string | null) ?? 0), Big(0));
  return { count: rows.length, sums: field === null ? {} : { [field]: sum(field).toFixed() } };
};

export const wantedOf = (scope: Scope, rows: readonly Row[]): WantedFile[] => {
  const documents = scope === 'ofertas' ? rows.flatMap((row) => row.documentos as Row[]) : rows;
  return documents.map((row, at) => ({
    id: `${at}:${String(row.documento_id)}`,
    name: row.nombre as string | null,
    locator: row.locator as JsonObject,
  }));
};

export const filesOf = async (
  scope: Scope,
  entry: ProcurementCredential,
  tender: string,
  wanted: readonly WantedFile[],
): Promise<FetchedFile[]> => {
  const files: FetchedFile[] = [];
  const request = requestOf(scope, entry, tender);
  for await (const file of source.tenders!.files(request, wanted, {}, io())) files.push(file);
  return files;
};
