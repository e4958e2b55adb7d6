/**
 * Visits an institution once with the real adapter: one login, each scope, a logout. Nothing is stored; the observed
 * and what the parser made of the answers stay in memory.
 */
import { nowMs } from '#shared/platform/clock.ts';
import { walkMonth, walkStep } from '#shared/rows/item/month-walk.rules.ts';
import { compareWithTotals, differencesIn, packAmounts } from '#shared/rows/item/totals.rules.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import {
  type JsonObject,
  LoginRefused,
  type Parsed,
  type PullRequest,
  type RawAnswer,
  SessionExpired,
  type SourceAdapter,
  SourceError,
  type SourceIo,
} from '#shared/sources/source.ts';
import { makeIo } from '#shared/sync/login/source-io.ts';
import { LoginTurns, type Pace, paceOfSession } from '#shared/values/login-turns.ts';
import type { ObservedCall } from '#shared/values/observed-call.ts';
import { countNames } from './shape.ts';

const NO_PACE: Pace = { callDelayMs: 0, callsMax: 0, windowMs: 0 };

export interface VisitOptions {
  adapter: SourceAdapter;
  scopes: readonly ScopeDefinition[];
  credentials: JsonObject;
  metadata: JsonObject;
  /** Month of the scopes that are read by month, YYYY-MM. */
  period: string;
  /** Code of the tender; scopes by tender are left out without it. */
  tender: string | undefined;
  /** Server that is visited instead of the hosts of the manifest. Calls to a server on this machine are not paced. */
  baseUrl: string | undefined;
  progress(message: string): void;
  /** Aborts when a person ends the visit. */
  signal?: AbortSignal;
  /** Sleeps; a test passes time in another way. */
  wait?: (ms: number) => Promise<void>;
  /** Time limit of a call instead of that of the manifest. */
  callTimeoutMs?: number;
}

/** A call, and the step that made it: `login`, the name of a scope, or `logout`. */
export interface VisitedCall extends ObservedCall {
  step: string;
}

/** Where a step stopped. `message` names the call, the row and the field; it contains no value. */
export interface Stop {
  code: string;
  message: string;
}

export interface ScopeVisit {
  scope: string;
  stop: Stop | null;
  answers: number;
  rows: number;
  /** Number of notices by code. */
  notices: Record<string, number>;
  /** Comparison with the institution's totals, and the figures that differ. Null if the scope has no totals. */
  totals: { verdict: string; differing: string[] } | null;
  /** Number of accounts by the state of their balances. Null if the scope has no balances. */
  balances: Record<string, number> | null;
}

export interface Visit {
  source: string;
  observed: VisitedCall[];
  loginStop: Stop | null;
  scopes: ScopeVisit[];
}

const LONG_NUMBER = /\d[\d.,-]{3,}/g;
/** Messages quote words of an institution. */
const QUOTED = /["“«][^"”»]*["”»]/g;

/** Messages of the adapters name places. Quoted words and long numbers may be values and are removed. */
const describeStop = (error: unknown): Stop => {
  if (!(error instanceof SourceError || error instanceof SessionExpired))
    return { code: 'unknown', message: 'the adapter ended with a fault of its own' };
  return { code: error.code, message: error.message.replace(QUOTED, '"…"').replace(LONG_NUMBER, '#') };
};

/** After such a fault every further call of the visit would meet it again. */
const endsVisit = (error: unknown): boolean =>
  error instanceof SessionExpired ||
  (error instanceof SourceError &&
    ['source.blocked', 'source.rate_limited', 'source.maintenance', 'source.session_limit'].includes(error.code));

const isLoopback = (url: string | undefined): boolean =>
  url !== undefined && ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname);

interface VisitIo {
  reading: SourceIo;
  /** Cannot log in, and is not ended with the visit. */
  logout: SourceIo;
}

const LONG_WAIT_MS = 10_000;

const openIo = (options: VisitOptions, observe: SourceIo['observe']): VisitIo => {
  const { adapter, credentials, baseUrl, progress, signal = new AbortController().signal } = options;
  const { manifest } = adapter;
  const pace = isLoopback(baseUrl) ? NO_PACE : manifest.pace;
  const turns = new LoginTurns(paceOfSession(pace, manifest.sessionsPerLogin));
  let logins = 0;
  const login: SourceIo['login'] = async (request) => {
    if (++logins > 1)
      throw new LoginRefused('source.unavailable', 'the visit makes one login, and the session is over');
    return request();
  };
  const watched = (io: SourceIo): SourceIo => ({
    ...io,
    settings: { ...io.settings, pace, baseUrl, callTimeoutMs: options.callTimeoutMs ?? manifest.callTimeoutMs },
    wait: options.wait ?? io.wait,
    turn: (wire) => {
      const waitMs = turns.next(wire, nowMs()) - nowMs();
      if (waitMs > LONG_WAIT_MS) progress(`waits ${Math.ceil(waitMs / 1_000)} s for its turn`);
      return io.turn(wire);
    },
    ...(observe && { observe }),
  });
  const visit = { credentials, turns };
  return {
    reading: watched(makeIo(manifest, { ...visit, signal, login })),
    logout: watched(makeIo(manifest, { ...visit, signal: new AbortController().signal })),
  };
};

const readTotals = ({ totals: definition }: ScopeDefinition, parsed: readonly Parsed[]): ScopeVisit['totals'] => {
  if (!definition) return null;
  const rows = parsed.flatMap((item) => ('row' in item ? [item.row.row] : []));
  const counted = rows.map((row, at) => ({ id: String(at), amounts: packAmounts(definition, row), isShown: true }));
  const told = {
    totals: parsed.flatMap((item) => ('total' in item ? [item.total] : [])),
    whole: parsed.flatMap((item) => ('wholeTotals' in item ? [item.wholeTotals] : [])),
  };
  const compared = compareWithTotals(definition, told, counted, { groups: 1_000, ids: 0 });
  return { verdict: compared.verdict, differing: [...new Set(differencesIn(compared).map(({ figure }) => figure))] };
};

const readBalances = ({ walk }: ScopeDefinition, parsed: readonly Parsed[]): ScopeVisit['balances'] => {
  if (!walk) return null;
  const steps = parsed.flatMap((item) => ('row' in item ? [walkStep(walk, item.row.row)] : []));
  const states = [...Map.groupBy(steps, ({ account }) => account).values()].map(
    (own) => walkMonth(own, { opening: null, closing: null }).state,
  );
  return countNames(states);
};

const countNotices = (parsed: readonly Parsed[]): Record<string, number> =>
  countNames(
    parsed.flatMap((item) => {
      if ('notice' in item) return [item.notice.code];
      return 'unreadable' in item ? [item.unreadable.code] : [];
    }),
  );

const visitScope = async (
  { adapter, credentials, metadata, period, tender, progress }: VisitOptions,
  scope: ScopeDefinition,
  session: JsonObject,
  io: SourceIo,
): Promise<{ scope: ScopeVisit; isOver: boolean }> => {
  const request: PullRequest = {
    ...{ scope: scope.name, credentials, metadata, input: {} },
    period: scope.periodic ? period : null,
    ...(adapter.tenders && tender !== undefined && { tender }),
  };
  const answers = new Map<string, RawAnswer>();
  const ask = async (key: string, fetch: () => Promise<Omit<RawAnswer, 'key'>>): Promise<RawAnswer> => {
    const answer = answers.get(key) ?? { key, ...(await fetch()) };
    answers.set(key, answer);
    return answer;
  };
  const parsed: Parsed[] = [];
  const seen: ScopeVisit = {
    scope: scope.name,
    stop: null,
    answers: 0,
    rows: 0,
    notices: {},
    totals: null,
    balances: null,
  };
  let isOver = false;
  try {
    await adapter.pull(request, { session, ask, io, progress });
    for (const item of adapter.parse(request, [...answers.values()])) parsed.push(item);
    Object.assign(seen, { totals: readTotals(scope, parsed), balances: readBalances(scope, parsed) });
  } catch (error) {
    seen.stop = describeStop(io.signal.aborted ? io.signal.reason : error);
    isOver = io.signal.aborted || endsVisit(error);
  }
  const rows = parsed.filter((item) => 'row' in item).length;
  return { scope: { ...seen, answers: answers.size, rows, notices: countNotices(parsed) }, isOver };
};

/** Never throws for a fault of the institution: the visit says where it stopped. */
export const visitInstitution = async (options: VisitOptions): Promise<Visit> => {
  const { adapter, credentials, metadata, progress } = options;
  const observed: VisitedCall[] = [];
  let step = 'login';
  const observe = (call: ObservedCall) => observed.push({ ...call, step });
  const io = openIo(options, observe);
  const visit: Visit = { source: adapter.manifest.code, observed, loginStop: null, scopes: [] };
  let session: JsonObject;
  try {
    progress('logs in');
    session = await adapter.connect({ credentials, metadata }, io.reading);
  } catch (error) {
    return { ...visit, loginStop: describeStop(error) };
  }
  try {
    for (const scope of options.scopes) {
      step = scope.name;
      progress(`reads ${scope.name}`);
      const visited = await visitScope(options, scope, session, io.reading);
      visit.scopes.push(visited.scope);
      if (visited.isOver) break;
    }
  } finally {
    step = 'logout';
    progress('logs out');
    await adapter.disconnect(session, io.logout).catch(() => undefined);
  }
  return visit;
};
