/** The adapter, the sandbox over real HTTP and the engine's part in memory: one stage for the tests of a file. */
import { Big } from 'big.js';
import { afterAll, beforeAll, expect } from 'vitest';
import { bankoneBalances } from '#shared/scopes/bankone-balances.ts';
import { bankoneMovements } from '#shared/scopes/bankone-movements.ts';
import { bankoneNominas } from '#shared/scopes/bankone-nominas.ts';
import { bankoneTransfers } from '#shared/scopes/bankone-transfers.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import type { Behaviour } from '#shared/sources/bankone/sandbox/behaviour.ts';
import { SANDBOX_CREDENTIALS } from '#shared/sources/bankone/sandbox/credentials.ts';
import type { PeriodTally, Tally } from '#shared/sources/bankone/sandbox/ledger.ts';
import { type BankoneSandbox, createBankoneSandbox } from '#shared/sources/bankone/sandbox/server.ts';
import { source } from '#shared/sources/bankone/source.ts';
import type { SandboxCredential } from '#shared/sources/sandbox-kit/credential.ts';
import type { JsonObject, Notice, Parsed } from '#shared/sources/source.ts';
import { createAsk, createClock, createIo, type KeptAsk, type TestClock } from './ask.ts';

export const PERIOD = '2026-11';
export const LAST_MONTH = '2026-10';
/** 5,000 rows in 100 pages take one or two seconds on a free core; the machine may be busy. */
export const LARGE_MS = 60_000;

export const SCOPES: Readonly<Record<string, ScopeDefinition>> = {
  transfers: bankoneTransfers,
  balances: bankoneBalances,
  movements: bankoneMovements,
  nominas: bankoneNominas,
};

export type Credential = SandboxCredential<Behaviour>;
type Row = Record<string, unknown>;

export let sandbox: BankoneSandbox;
export let url: string;
export const clock: TestClock = createClock();

beforeAll(async () => {
  sandbox = createBankoneSandbox({ now: () => clock.nowMs });
  url = await sandbox.listen(0);
});
afterAll(() => sandbox.close());

export const entryOf = (behaviour: Behaviour): Credential => {
  const found = SANDBOX_CREDENTIALS.find((entry) => entry.behaviour === behaviour);
  if (!found) throw new Error(`no credential "${behaviour}"`);
  return found;
};

export const loginOf = ({ credentials }: Credential): string => credentials.rut!;

export const knobs = async (change: object): Promise<number> => {
  const headers = { 'content-type': 'application/json' };
  return (await fetch(`${url}/_sandbox/knobs`, { method: 'POST', headers, body: JSON.stringify(change) })).status;
};

/** Restores the knobs in any case, because tests run in any order. */
export const withKnobs = async (change: object, back: object, work: () => Promise<void>): Promise<void> => {
  expect(await knobs(change)).toBe(200);
  try {
    await work();
  } finally {
    await knobs(back);
  }
};

/** Sets the clock to `instant` until the work is over. */
export const at = async (instant: string, work: () => Promise<void>): Promise<void> => {
  const before = clock.nowMs;
  clock.nowMs = Date.parse(instant);
  try {
    await work();
  } finally {
    clock.nowMs = before;
  }
};

export const io = (settings = {}, signal?: AbortSignal) => createIo(url, clock, settings, signal);

export const connect = ({ credentials, metadata }: Credential) => source.connect({ credentials, metadata }, io());

/** Runs in one session and always logs it out: the next login of another test would end a forgotten session. */
export const inSession = async <Result>(
  entry: Credential,
  work: (session: JsonObject) => Promise<Result>,
): Promise<Result> => {
  const session = await connect(entry);
  try {
    return await work(session);
  } finally {
    await source.disconnect(session, io());
  }
};

export const requestOf = ({ credentials, metadata }: Credential, scope: string, period: string | null) => ({
  scope,
  period: scope === 'balances' ? null : period,
  credentials,
  metadata,
  input: {},
});

export interface Read {
  rows: Row[];
  notices: Notice[];
  closed: string[];
}

export const collect = (parsed: Iterable<Parsed>, scope: string): Read => {
  const read: Read = { rows: [], notices: [], closed: [] };
  for (const item of parsed) {
    if ('notice' in item) read.notices.push(item.notice);
    else if ('closed' in item) read.closed.push(item.closed);
    else if ('row' in item) read.rows.push(SCOPES[scope]!.parsed.parse(item.row.row) as Row);
  }
  return read;
};

export const parseAll = (entry: Credential, scope: string, period: string | null, asked: KeptAsk): Read =>
  collect(source.parse(requestOf(entry, scope, period), [...asked.kept.values()]), scope);

export const pull = async (
  entry: Credential,
  scope: string,
  period: string = PERIOD,
  asked: KeptAsk = createAsk(),
  settings = {},
): Promise<Read & { asked: KeptAsk; messages: string[] }> => {
  const messages: string[] = [];
  await inSession(entry, (session) =>
    source.pull(requestOf(entry, scope, period), {
      session,
      ask: asked.ask,
      io: io(settings),
      progress: (text) => messages.push(text),
    }),
  );
  return { ...parseAll(entry, scope, period, asked), asked, messages };
};

export const failureOf = async (work: () => Promise<unknown>): Promise<unknown> => {
  try {
    await work();
  } catch (error) {
    return error;
  }
  return undefined;
};

const sum = (rows: readonly Row[], field: string): string =>
  rows.reduce((total, row) => total.plus((row[field] as string | null) ?? 0), new Big(0)).toFixed();

const tally = (rows: readonly Row[], fields: readonly string[]): Tally => ({
  count: rows.length,
  sums: Object.fromEntries(fields.map((field) => [field, sum(rows, field)])),
});

const AMOUNTS: Readonly<Record<string, readonly string[]>> = {
  transfers: ['amount'],
  movements: ['amount', 'saldo_contable'],
  balances: ['saldo_contable', 'saldo_disponible', 'saldo_provisorio'],
  nominas: ['monto'],
};

/** What a sync would store of these rows, in the form of the ledger: two rows with the same natural key count once. */
export const tallyOf = (scope: string, all: readonly Row[]): PeriodTally => {
  const rows = [...new Map(all.map((row) => [JSON.stringify(SCOPES[scope]!.naturalKey(row)), row])).values()];
  const fields = AMOUNTS[scope]!;
  if (scope === 'balances') return tally(rows, fields);
  if (scope === 'nominas') {
    const pagos = rows.flatMap((row) => (row.pagos as Row[] | undefined) ?? []);
    return { ...tally(rows, fields), by: { pagos: tally(pagos, ['monto']) } };
  }
  const side = (direction: string) => rows.filter((row) => row.direction === direction);
  return {
    ...tally(rows, fields),
    by: { received: tally(side('received'), fields), issued: tally(side('issued'), fields) },
  };
};

export const held = (entry: Credential, scope: string, period: string = PERIOD): PeriodTally | undefined => {
  const ledger = sandbox.ledger(loginOf(entry), period)[scope as 'transfers'];
  return ledger[scope === 'balances' ? 'now' : period];
};
