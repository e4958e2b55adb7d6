/** The adapter, the sandbox over real HTTP and the engine's part in memory: one stage for the tests of bank three. */
import Big from 'big.js';
import { afterAll, beforeAll, expect } from 'vitest';
import type { StatementRow } from '#shared/scopes/banks/statement-movements.ts';
import { bankthreeBalances } from '#shared/scopes/bankthree-balances.ts';
import { bankthreeMovements } from '#shared/scopes/bankthree-movements.ts';
import type { Row } from '#shared/scopes/scope.ts';
import type { Behaviour } from '#shared/sources/bankthree/sandbox/behaviour.ts';
import { type BankthreeCredential, SANDBOX_CREDENTIALS } from '#shared/sources/bankthree/sandbox/credentials.ts';
import type { Tally } from '#shared/sources/bankthree/sandbox/ledger.ts';
import { type BankthreeSandbox, createBankthreeSandbox } from '#shared/sources/bankthree/sandbox/server.ts';
import { source } from '#shared/sources/bankthree/source.ts';
import { type JsonObject, type RawAnswer, SessionExpired, SourceError } from '#shared/sources/source.ts';
import { type KnownAccounts, NOTHING_KNOWN } from '#shared/values/known-accounts.ts';
import { accountKey } from '#shared/values/statements.ts';
import { SYNC_ERRORS, type SyncErrorCode } from '#shared/values/sync-errors.ts';
import { createAsk, createClock, createIo, type KeptAsk, type TestClock } from './ask.ts';

/** A month of 5,000 movements takes a moment on a free core; the machine may be busy. */
export const LARGE_MS = 40_000;

export const PERIOD = '2026-11';
export const LAST_MONTH = '2026-10';
export const BACKFILL = ['2026-11', '2026-10', '2026-09'];

export let sandbox: BankthreeSandbox;
export let url: string;
export const clock: TestClock = createClock();

beforeAll(async () => {
  sandbox = createBankthreeSandbox({ now: () => clock.nowMs });
  url = await sandbox.listen(0);
});
afterAll(() => sandbox.close());

export const entryOf = (behaviour: Behaviour): BankthreeCredential =>
  SANDBOX_CREDENTIALS.find((entry) => entry.behaviour === behaviour)!;

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

export const io = (settings = {}, signal?: AbortSignal) => createIo(url, clock, settings, signal);

export const connect = ({ credentials, metadata }: BankthreeCredential) =>
  source.connect({ credentials, metadata }, io());

/** Runs in one session and always logs it out. */
export const inSession = async <Result>(
  entry: BankthreeCredential,
  work: (session: JsonObject) => Promise<Result>,
): Promise<Result> => {
  const session = await connect(entry);
  try {
    return await work(session);
  } finally {
    await source.disconnect(session, io());
  }
};

export const requestOf = ({ credentials, metadata }: BankthreeCredential, period: string | null = PERIOD) => ({
  scope: period === null ? 'balances' : 'movements',
  period,
  credentials,
  metadata,
  input: {},
});

export interface Read {
  rows: Row[];
  notices: string[];
  closed: string[];
}

/** Built once, because compiling one takes longer than reading a month. */
const SCHEMAS = { movements: bankthreeMovements.parsed.strict(), balances: bankthreeBalances.parsed.strict() };

export const parseAll = (
  credentials: JsonObject,
  period: string | null,
  answers: Iterable<RawAnswer>,
  known: KnownAccounts = NOTHING_KNOWN,
): Read => {
  const read: Read = { rows: [], notices: [], closed: [] };
  const scope = period === null ? 'balances' : 'movements';
  const schema = SCHEMAS[scope];
  for (const item of source.parse({ scope, period, credentials, known }, [...answers])) {
    if ('notice' in item) read.notices.push(item.notice.code);
    else if ('closed' in item) read.closed.push(item.closed);
    else if ('row' in item) read.rows.push(schema.parse(item.row.row));
  }
  return read;
};

export interface Pulled extends Read {
  asked: KeptAsk;
  messages: string[];
}

export const pull = async (
  entry: BankthreeCredential,
  period: string | null = PERIOD,
  asked = createAsk(),
  settings = {},
): Promise<Pulled> => {
  const messages: string[] = [];
  await inSession(entry, (session) =>
    source.pull(requestOf(entry, period), {
      session,
      ask: asked.ask,
      io: io(settings),
      progress: (message) => messages.push(message),
    }),
  );
  return { ...parseAll(entry.credentials, period, asked.kept.values()), asked, messages };
};

export const failureOf = async (work: () => Promise<unknown>): Promise<unknown> => {
  try {
    await work();
  } catch (error) {
    return error;
  }
  return undefined;
};

const idOf = (row: Row): string =>
  JSON.stringify('tipo' in row ? bankthreeMovements.naturalKey(row) : bankthreeBalances.naturalKey(row));

/** The last row of a document wins, as in the engine. */
export const stored = (rows: readonly Row[]): Row[] => [...new Map(rows.map((row) => [idOf(row), row])).values()];

const sumOf = (rows: readonly Row[], field: string): string =>
  rows.reduce((total, row) => total.plus((row[field] as string | null) ?? 0), Big(0)).toFixed();

const tally = (rows: readonly Row[], ...fields: string[]): Tally => ({
  count: rows.length,
  sums: Object.fromEntries(fields.map((field) => [field, sumOf(rows, field)])),
});

export const balancesTally = (rows: readonly Row[]): Tally => tally(stored(rows), 'saldo_contable', 'saldo_disponible');

export const movementsTally = (rows: readonly Row[]) => {
  const all = stored(rows);
  const of = (direction: string) =>
    tally(
      all.filter((row) => row.direction === direction),
      'amount',
      'saldo_contable',
    );
  return { ...tally(all, 'amount', 'saldo_contable'), by: { received: of('received'), issued: of('issued') } };
};

export interface Ended {
  outcome: 'ok' | SyncErrorCode;
  notices: string[];
  /** Rows by period. */
  rows: Map<string | null, Row[]>;
  errors: Error[];
}

const TRIES = 4;

/**
 * Synchronizes a scope as the engine does: four attempts that share stored answers, one new session per attempt. The
 * engine decides what each answer is worth, not this function.
 */
export const synchronize = async (entry: BankthreeCredential, scope: string, settings = {}): Promise<Ended> => {
  const left = new Set<string | null>(scope === 'balances' ? [null] : BACKFILL);
  const books = new Map([...left].map((period) => [period, createAsk()]));
  const ended: Ended = { outcome: 'ok', notices: [], rows: new Map(), errors: [] };
  for (let attempt = 1; attempt <= TRIES && left.size > 0; attempt++) {
    let session: JsonObject | undefined;
    try {
      session = await connect(entry);
      for (const period of [...left]) {
        const once = () =>
          source.pull(requestOf(entry, period), {
            session: session!,
            ask: books.get(period)!.ask,
            io: io(settings),
            progress: () => {},
          });
        try {
          await once().catch(async (error: unknown) => {
            if (!(error instanceof SessionExpired)) throw error;
            await source.disconnect(session!, io());
            session = await connect(entry);
            await once().catch((again: unknown) => {
              throw again instanceof SessionExpired ? new SourceError('source.unavailable', again.message) : again;
            });
          });
          const { rows, notices } = parseAll(entry.credentials, period, books.get(period)!.kept.values());
          ended.rows.set(period, stored(rows));
          ended.notices.push(...notices);
          left.delete(period);
        } catch (error) {
          ended.errors.push(error as Error);
          ended.outcome = (error as SourceError).code;
          if (ended.outcome !== 'source.unexpected_response' || attempt < TRIES) throw error;
        }
      }
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      if (!ended.errors.includes(error)) ended.errors.push(error);
      ended.outcome = error.code;
      if (!SYNC_ERRORS[error.code].retried) break;
    } finally {
      if (session) await source.disconnect(session, io());
    }
  }
  if (left.size === 0) ended.outcome = 'ok';
  return ended;
};

/** The stored rows after a closed statement was read: its rows, and no others of the accounts that it closes. */
export const afterClosing = (before: readonly Row[], { rows, closed }: Read): Row[] => {
  const shut = new Set(closed.map(accountKey));
  const isGone = (row: Row) => shut.has(accountKey((row as StatementRow).numero_cuenta));
  return stored([...before.filter((row) => !isGone(row)), ...rows]);
};
