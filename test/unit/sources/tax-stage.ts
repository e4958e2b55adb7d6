/** The adapter, the sandbox over real HTTP and the engine's part in memory: one stage for the tests of a file. */
import { afterAll, beforeAll, expect } from 'vitest';
import type { Row } from '#shared/scopes/scope.ts';
import type { RcvRow } from '#shared/scopes/tax-rcv.ts';
import type { JsonObject, Notice, PullRequest } from '#shared/sources/source.ts';
import { SANDBOX_CREDENTIALS, type TaxCredential, type TaxScope } from '#shared/sources/tax/sandbox/credentials.ts';
import { createTaxSandbox, type TaxSandbox } from '#shared/sources/tax/sandbox/server.ts';
import { source } from '#shared/sources/tax/source.ts';
import { tieOutNotices } from '../../helpers/tie-out.ts';
import { createAsk, createClock, createIo, type KeptAsk, type TestClock } from './ask.ts';
import { SCOPES } from './tax-tally.ts';

/** A month of 20,000 documents takes about a second on a free core; the machine may be busy. */
export const LARGE_MS = 40_000;

export const TAX_SCOPES: readonly TaxScope[] = ['rcv', 'boletas', 'guias'];

export const PERIOD = '2026-11';
export const LAST_MONTH = '2026-10';

export let sandbox: TaxSandbox;
let url: string;
export const baseUrl = (): string => url;
const clock: TestClock = createClock();

beforeAll(async () => {
  sandbox = createTaxSandbox({ now: () => clock.nowMs });
  url = await sandbox.listen(0);
});
afterAll(() => sandbox.close());

/** Set once the tests begin. */
export const sandboxUrl = (): string => url;

export const labelled = (label: string): TaxCredential => {
  const found = SANDBOX_CREDENTIALS.find((entry) => entry.label.startsWith(label));
  if (!found) throw new Error(`no credential "${label}"`);
  return found;
};

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

export const io = (settings = {}) => createIo(url, clock, settings);
export const connect = ({ credentials, metadata }: TaxCredential) => source.connect({ credentials, metadata }, io());

/** Runs in one session and always logs it out: a forgotten session keeps its slot. */
export const inSession = async <Result>(
  entry: TaxCredential,
  work: (session: JsonObject) => Promise<Result>,
): Promise<Result> => {
  const session = await connect(entry);
  try {
    return await work(session);
  } finally {
    await source.disconnect(session, io());
  }
};

export const requestOf = (
  { credentials, metadata }: TaxCredential,
  period = PERIOD,
  scope: TaxScope = 'rcv',
): PullRequest => ({ scope, period, credentials, metadata, input: {} });

export interface Pulled<R extends Row = RcvRow> {
  rows: R[];
  notices: Notice[];
  asked: KeptAsk;
  messages: string[];
}

export const parseAll = <R extends Row = RcvRow>(
  credentials: TaxCredential['credentials'],
  asked: KeptAsk,
  period: string,
  scope: TaxScope = 'rcv',
) => {
  const rows: R[] = [];
  const notices: Notice[] = [];
  const parsed = [...source.parse({ scope, period, credentials }, [...asked.kept.values()])];
  for (const item of parsed) {
    if ('notice' in item) notices.push(item.notice);
    else if ('row' in item) rows.push(item.row.row as R);
  }
  notices.push(...tieOutNotices(SCOPES[scope], period, parsed));
  return { rows, notices };
};

export const pullScope = async <R extends Row = RcvRow>(
  scope: TaxScope,
  entry: TaxCredential,
  period = PERIOD,
  asked = createAsk(),
  settings = {},
): Promise<Pulled<R>> => {
  const messages: string[] = [];
  await inSession(entry, (session) =>
    source.pull(requestOf(entry, period, scope), {
      session,
      ask: asked.ask,
      io: io(settings),
      progress: (message) => messages.push(message),
    }),
  );
  return { ...parseAll<R>(entry.credentials, asked, period, scope), asked, messages };
};

export const pull = (entry: TaxCredential, period = PERIOD, asked = createAsk(), settings = {}): Promise<Pulled> =>
  pullScope('rcv', entry, period, asked, settings);

export const failureOf = async (work: () => Promise<unknown>): Promise<unknown> => {
  try {
    await work();
  } catch (error) {
    return error;
  }
  return undefined;
};

/** As another worker or another attempt sees the sandbox: own settings, own signal. */
export const ioWith = (signal: AbortSignal, baseUrl = url) => createIo(baseUrl, clock, {}, signal);
