/** The adapter, the sandbox over real HTTP and the engine's part in memory: one stage for the tests of a file. */
import Big from 'big.js';
import { afterAll, beforeAll, expect } from 'vitest';
import { type RcvRow, taxRcv } from '#shared/scopes/tax-rcv.ts';
import type { JsonObject, Notice } from '#shared/sources/source.ts';
import { SANDBOX_CREDENTIALS, type SandboxCredential } from '#shared/sources/tax/sandbox/credentials.ts';
import type { Ledger } from '#shared/sources/tax/sandbox/ledger.ts';
import { createTaxSandbox, type TaxSandbox } from '#shared/sources/tax/sandbox/server.ts';
import { source } from '#shared/sources/tax/source.ts';
import { createAsk, createClock, createIo, type KeptAsk, type TestClock } from './ask.ts';

/** A month of 20,000 documents takes about a second on a free core; the machine may be busy. */
export const LARGE_MS = 40_000;

export const PERIOD = '2026-11';
export const LAST_MONTH = '2026-10';

export let sandbox: TaxSandbox;
let url: string;
const clock: TestClock = createClock();

beforeAll(async () => {
  sandbox = createTaxSandbox({ now: () => clock.nowMs });
  url = await sandbox.listen(0);
});
afterAll(() => sandbox.close());

export const labelled = (label: string): SandboxCredential => {
  const found = SANDBOX_CREDENTIALS.find((entry) => entry.label.startsWith(label));
  if (!found) throw new Error(`no credential "${label}"`);
  return found;
};

export const knobs = async (change: object): Promise<number> => {
  const headers = { 'content-type': 'application/json' };
  return (await fetch(`${url}/_sandbox/knobs`, { method: 'POST', headers, body: JSON.stringify(change) })).status;
};

/** Knobs are put back whatever happens: tests run in any order. */
export const withKnobs = async (change: object, back: object, work: () => Promise<void>): Promise<void> => {
  expect(await knobs(change)).toBe(200);
  try {
    await work();
  } finally {
    await knobs(back);
  }
};

export const io = (settings = {}) => createIo(url, clock, settings);
export const connect = ({ credentials, metadata }: SandboxCredential) =>
  source.connect({ credentials, metadata }, io());

/** One session, always left again: a forgotten one keeps its place. */
export const inSession = async <Result>(
  entry: SandboxCredential,
  work: (session: JsonObject) => Promise<Result>,
): Promise<Result> => {
  const session = await connect(entry);
  try {
    return await work(session);
  } finally {
    await source.disconnect(session, io());
  }
};

export const requestOf = ({ credentials, metadata }: SandboxCredential, period = PERIOD) => ({
  scope: 'rcv',
  period,
  credentials,
  metadata,
  input: {},
});

export interface Pulled {
  rows: RcvRow[];
  notices: Notice[];
  asked: KeptAsk;
  messages: string[];
}

export const parseAll = (credentials: SandboxCredential['credentials'], asked: KeptAsk, period: string) => {
  const rows: RcvRow[] = [];
  const notices: Notice[] = [];
  for (const item of source.parse({ scope: 'rcv', period, credentials }, [...asked.kept.values()])) {
    if ('notice' in item) notices.push(item.notice);
    else if ('row' in item) rows.push(item.row.row as RcvRow);
  }
  return { rows, notices };
};

export const pull = async (
  entry: SandboxCredential,
  period = PERIOD,
  asked = createAsk(),
  settings = {},
): Promise<Pulled> => {
  const messages: string[] = [];
  await inSession(entry, (session) =>
    source.pull(requestOf(entry, period), session, asked.ask, io(settings), (message) => messages.push(message)),
  );
  return { ...parseAll(entry.credentials, asked, period), asked, messages };
};

export const failureOf = async (work: () => Promise<unknown>): Promise<unknown> => {
  try {
    await work();
  } catch (error) {
    return error;
  }
  return undefined;
};

/** The last row of a document wins, as in the engine. */
export const tallyOf = (rows: RcvRow[]): Ledger['rcv'][string] => {
  const documents = new Map(rows.map((row) => [JSON.stringify(taxRcv.naturalKey(row)), row]));
  const tally = (list: RcvRow[]) => {
    const sum = (field: 'net_amount' | 'exempt_amount' | 'vat_amount' | 'total_amount') =>
      list.reduce((total, row) => total.plus(row[field] ?? 0), Big(0)).toFixed();
    return {
      count: list.length,
      sums: {
        net_amount: sum('net_amount'),
        exempt_amount: sum('exempt_amount'),
        vat_amount: sum('vat_amount'),
        total_amount: sum('total_amount'),
      },
    };
  };
  const list = [...documents.values()];
  const books = Object.groupBy(list, ({ direction, estado }) => `${direction}.${estado}`);
  return {
    ...tally(list),
    by: Object.fromEntries(Object.entries(books).map(([book, docs]) => [book, tally(docs ?? [])])),
  };
};

/** As another worker or another try sees the sandbox: own settings, own signal. */
export const ioWith = (signal: AbortSignal, baseUrl = url) => createIo(baseUrl, clock, {}, signal);
