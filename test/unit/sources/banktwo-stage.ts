/** Bank two's adapter, its sandbox over real HTTP and the engine's part in memory: one stage for the tests of a file. */
import Big from 'big.js';
import { afterAll, beforeAll } from 'vitest';
import type { banktwoBalances } from '#shared/scopes/banktwo-balances.ts';
import { type BanktwoMovement, banktwoMovements } from '#shared/scopes/banktwo-movements.ts';
import type { Behaviour } from '#shared/sources/banktwo/sandbox/behaviour.ts';
import { SANDBOX_CREDENTIALS, type SandboxClient } from '#shared/sources/banktwo/sandbox/credentials.ts';
import type { PeriodTally, Tally } from '#shared/sources/banktwo/sandbox/ledger.ts';
import { type BanktwoSandbox, createBanktwoSandbox } from '#shared/sources/banktwo/sandbox/server.ts';
import { source } from '#shared/sources/banktwo/source.ts';
import { type JsonObject, type Notice, SessionExpired } from '#shared/sources/source.ts';
import { createAsk, createClock, createIo, type KeptAsk, type TestClock } from './ask.ts';

export const LARGE_MS = 60_000;
export const PERIOD = '2026-11';
export const LAST_MONTH = '2026-10';

export let sandbox: BanktwoSandbox;
export let url: string;
/** Shared by the sandbox and the engine: it moves when the code waits. */
export const clock: TestClock = createClock();

beforeAll(async () => {
  sandbox = createBanktwoSandbox({ now: () => clock.nowMs });
  url = await sandbox.listen(0);
});
afterAll(() => sandbox.close());

export const clientOf = (behaviour: Behaviour): SandboxClient =>
  SANDBOX_CREDENTIALS.find((entry) => entry.behaviour === behaviour)!;

export const knobs = async (change: object): Promise<number> => {
  const headers = { 'content-type': 'application/json' };
  return (await fetch(`${url}/_sandbox/knobs`, { method: 'POST', headers, body: JSON.stringify(change) })).status;
};

export const io = (settings = {}) => createIo(url, clock, settings);
export const connect = ({ credentials, metadata }: Pick<SandboxClient, 'credentials' | 'metadata'>) =>
  source.connect({ credentials, metadata }, io());

export const failureOf = async (work: () => Promise<unknown>): Promise<unknown> => {
  try {
    await work();
  } catch (error) {
    return error;
  }
  return undefined;
};

export interface Read<Row> {
  rows: Row[];
  raws: JsonObject[];
  notices: Notice[];
}

export const parseAll = <Row>(scope: string, period: string | null, credentials: JsonObject, asked: KeptAsk) => {
  const read: Read<Row> = { rows: [], raws: [], notices: [] };
  for (const item of source.parse({ scope, period, credentials }, [...asked.kept.values()])) {
    if ('notice' in item) read.notices.push(item.notice);
    else if ('row' in item) {
      read.rows.push(item.row.row as Row);
      read.raws.push(item.row.raw);
    }
  }
  return read;
};

export interface Pulled<Row> extends Read<Row> {
  asked: KeptAsk;
  session: JsonObject;
  messages: string[];
}

interface PullOptions {
  asked?: KeptAsk;
  settings?: object;
  session?: JsonObject;
}

/** Pulls as the engine does: one new login when the session ends. */
const pullScope = async <Row>(
  scope: string,
  period: string | null,
  entry: SandboxClient,
  { asked = createAsk(), settings = {}, session }: PullOptions = {},
): Promise<Pulled<Row>> => {
  const { credentials, metadata } = entry;
  const messages: string[] = [];
  let open = session ?? (await connect(entry));
  const request = { scope, period, credentials, metadata, input: {} };
  const pull = () =>
    source.pull(request, {
      session: open,
      ask: asked.ask,
      io: io(settings),
      progress: (message) => messages.push(message),
    });
  await pull().catch(async (error: unknown) => {
    if (!(error instanceof SessionExpired)) throw error;
    open = await connect(entry);
    await pull();
  });
  return { ...parseAll<Row>(scope, period, credentials, asked), asked, session: open, messages };
};

export const pullMovements = (entry: SandboxClient, period = PERIOD, options?: PullOptions) =>
  pullScope<BanktwoMovement>('movements', period, entry, options);

export type Balance = Record<keyof typeof banktwoBalances.listRow.shape, string | null>;
export const pullBalances = (entry: SandboxClient, options?: PullOptions) =>
  pullScope<Balance>('balances', null, entry, options);

const sums = (rows: object[], fields: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    fields.map((field) => {
      const values = rows.map((row) => (row as Record<string, string | null>)[field] ?? '0');
      return [field, values.reduce((total, value) => total.plus(value), Big(0)).toFixed()];
    }),
  );

/** The last row of a movement wins, as in the engine. */
export const tallyMovements = (rows: BanktwoMovement[]): PeriodTally => {
  const unique = new Map(rows.map((row) => [JSON.stringify(banktwoMovements.naturalKey(row)), row]));
  const tally = (list: BanktwoMovement[]): Tally => ({
    count: list.length,
    sums: sums(list, ['amount', 'saldo_contable']),
  });
  const books = Object.groupBy([...unique.values()], ({ direction }) => direction);
  const by = Object.fromEntries(Object.entries(books).map(([name, list]) => [name, tally(list)]));
  return { ...tally([...unique.values()]), by };
};

export const tallyBalances = (rows: Balance[]): Tally => ({
  count: rows.length,
  sums: sums(rows, ['saldo_contable', 'saldo_disponible', 'saldo_contable_9am', 'retencion']),
});
