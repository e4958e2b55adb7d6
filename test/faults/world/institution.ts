/**
 * A source behind the real engine: it holds a ledger, counts logins and sessions, and breaks off as the history
 * decides. Every call to it is a call of the machine, so a worker can die in the middle of a login.
 */

import { contextFields } from '#shared/platform/log-context.ts';
import type { Row, ScopeDefinition } from '#shared/scopes/scope.ts';
import {
  type Parsed,
  SessionExpired,
  type SourceAdapter,
  SourceError,
  type SourceIo,
  type SourceManifest,
  type TenderSide,
} from '#shared/sources/source.ts';
import type { Machine } from '../machine/machine.ts';
import { virtual } from '../machine/virtual-process.ts';
import type { Asked } from './asked.ts';
import type { Ledger } from './ledger.ts';
import { Phantoms } from './phantoms.ts';
import { toldTotals } from './source-totals.ts';
import { createOddAnswers } from './statements.ts';

/** Secrets that must never appear in logs, events, messages or items in clear text. */
export const CANARIES = {
  password: 'canary-password-7f3a',
  token: 'canary-token-91bc',
  payload: 'canary-payload-55d0',
};

/** A request that carried the password and got neither a session nor a refusal as its answer. */
export interface UnclearLogin {
  run: string | undefined;
  atMs: number;
  /** Counts only for its run: the institution said that it did not check the password. */
  isUnjudged: boolean;
  /** The password had never been accepted before. */
  isUnproven: boolean;
}

export interface Institution {
  adapter: SourceAdapter;
  sessions: Set<string>;
  logins: number;
  /** Login requests of each run. */
  loginsOf: Map<string, number>;
  unclear: UnclearLogin[];
  /** Times of calls by login: these are the moments at which a waiting worker had its turn. */
  called: Map<string, number[]>;
  /** Time of the last odd answer about movements. A run before it may have stored wrong rows. */
  oddMs: number;
  /** Rows that only odd answers showed. */
  phantoms: Phantoms;
  /** Chance that a login gets an unknown answer. */
  hostility: number;
  /** Called with each request of a worker. */
  onAsked: (asked: Asked) => void;
  onLeft: () => void;
  /** Called with each right answer about the movements of a month. */
  onRight: (scope: string, period: string, rows: readonly Row[]) => void;
}

const ANSWERS_MAX = 3;

/** Its tenders have no documents and are requested by their codes. */
const WITHOUT_FILES: TenderSide = {
  publishedOn: async () => [],
  isStillProven: () => true,
  files: async function* () {},
};

export const createInstitution = (
  machine: Machine,
  manifest: SourceManifest,
  scopes: readonly ScopeDefinition[],
  ledger: Ledger,
  seed: number,
): Institution => {
  const { random, faults } = machine;
  const oddly = createOddAnswers(seed);
  const isStatement = (scope: string) =>
    scopes.some(({ name, statement }) => name === scope && statement !== undefined);
  const institution: Institution = {
    sessions: new Set(),
    logins: 0,
    loginsOf: new Map(),
    unclear: [],
    called: new Map(),
    oddMs: 0,
    phantoms: new Phantoms(),
    hostility: random.chance(0.2) ? random.pick([0.3, 0.7, 1]) : 0,
    onAsked: () => {},
    onLeft: () => {},
    onRight: () => {},
    adapter: undefined as never,
  };

  /** May throw a fault instead of an answer. */
  const mayRefuse = (): void => {
    if (faults.left <= 0 || !random.chance(faults.source)) return;
    faults.left--;
    machine.mishaps++;
    throw random.pick([
      () => new SourceError('source.unavailable', 'HTTP 503'),
      () => new SourceError('source.rate_limited', 'too many calls', { retryAfterMs: 60_000 }),
      () => new SourceError('source.timeout', 'no answer'),
      () => new SourceError('source.unexpected_response', 'row 1: amount cannot be read'),
      () => new SessionExpired('the session is over'),
    ])();
  };

  const takeTurn = async (login: unknown, io: SourceIo): Promise<void> => {
    await io.turn('calls');
    const times = institution.called.get(String(login)) ?? [];
    institution.called.set(String(login), [...times, virtual.nowMs]);
  };

  let isProven = false;
  /** May give a login an answer that no adapter knows, or no answer. */
  const mayBeHostile = (): void => {
    if (!random.chance(institution.hostility)) return;
    machine.mishaps++;
    const fault = random.pick([
      () => new SourceError('source.unavailable', 'connection failed', { isUnsent: true }),
      () => new SourceError('source.maintenance', 'down for maintenance'),
      () => new SourceError('source.unavailable', 'HTTP 503'),
      () => new SourceError('source.timeout', 'no answer'),
      () => new SourceError('source.rate_limited', 'HTTP 429'),
      () => new SourceError('source.unexpected_response', 'neither a session nor a known refusal'),
      () => new SourceError('source.blocked', 'HTTP 403'),
    ])();
    const run = contextFields().run_id;
    const isUnjudged = fault.isUnsent || fault.code === 'source.maintenance';
    institution.unclear.push({ run, atMs: virtual.nowMs, isUnjudged, isUnproven: !isProven });
    machine.tell(`hostile: ${fault.code}`);
    throw fault;
  };

  institution.adapter = {
    manifest: { ...manifest, ...(manifest.account ? { account: [['login'], ['company']] } : {}) },
    loginOf: (credentials) => String(credentials.login),
    connect: async ({ credentials }, io) => {
      await takeTurn(credentials.login, io);
      return io.login(() =>
        machine.call('login', () => {
          institution.logins++;
          const runId = contextFields().run_id ?? '';
          institution.loginsOf.set(runId, (institution.loginsOf.get(runId) ?? 0) + 1);
          mayBeHostile();
          if (credentials.password !== CANARIES.password)
            throw new SourceError('source.invalid_credentials', 'The password was rejected.');
          isProven = true;
          const token = `${CANARIES.token}-${institution.logins}`;
          institution.sessions.add(token);
          return { token, login: String(credentials.login) };
        }),
      );
    },
    disconnect: async (session, io) => {
      await takeTurn(session.login, io);
      institution.onLeft();
      await machine.call('logout', () => {
        institution.sessions.delete(String(session.token));
      });
    },
    pull: async ({ scope, period, tender }, { session, ask, io, progress }) => {
      const held = (): Row[] =>
        tender === undefined
          ? ledger.rowsOf(scope, period)
          : ledger.all(scope).filter(({ codigo }) => codigo === tender);
      await takeTurn(session.login, io);
      const asked = await machine.call('list', () => {
        if (!institution.sessions.has(String(session.token))) throw new SessionExpired('unknown session');
        mayRefuse();
        // A statement is one answer: its balances fit only the rows of one moment.
        return isStatement(scope) ? 1 : Math.min(ANSWERS_MAX, 1 + (held().length % ANSWERS_MAX));
      });
      for (let n = 0; n < asked; n++) {
        progress(`${scope} ${period}: ${n} of ${asked}`);
        const key = `part-${n}-of-${asked}`;
        const unit = tender ?? period;
        await ask(key, async () => {
          await takeTurn(session.login, io);
          institution.onAsked({ scope, unit, key });
          return machine.call('read', () => {
            mayRefuse();
            const closed = ledger.closedAccounts(scope, period);
            const all = held().filter((_, at) => at % asked === n);
            const rows = isStatement(scope) ? oddly(all, closed, faults.source === 0) : all;
            if (rows !== all) {
              institution.oddMs = virtual.nowMs;
              institution.phantoms.add(rows, all);
            } else if (isStatement(scope)) institution.onRight(scope, period ?? '', rows);
            const openingOf = (account: string) => ledger.opening(scope, period ?? '', account);
            const totals = n === 0 ? toldTotals(scope, held(), closed, openingOf) : [];
            const accounts = ledger.statementsOf(scope, period);
            const body = JSON.stringify({ canary: CANARIES.payload, rows, closed, totals, accounts });
            return {
              request: { scope, unit },
              contentType: 'application/json',
              body: new TextEncoder().encode(body),
            };
          });
        });
      }
    },
    parse: function* (_, answers): Generator<Parsed> {
      for (const { key, body } of answers) {
        const answer = JSON.parse(new TextDecoder().decode(body)) as {
          rows: Record<string, unknown>[];
          closed: string[];
          totals: Parsed[];
          accounts: Parsed[];
        };
        for (const row of answer.rows) yield { row: { answerKey: key, raw: { payload: CANARIES.payload }, row } };
        for (const account of answer.closed) yield { closed: account };
        yield* answer.totals;
        yield* answer.accounts;
      }
    },
  };
  if (manifest.code === 'procurement') institution.adapter.tenders = WITHOUT_FILES;
  if (scopes.length === 0) throw new Error('an institution without scopes');
  return institution;
};
