/**
 * What a source is to the engine. A source is one folder: `manifest.ts` (pure data), `source.ts` (the adapter),
 * its parsers, its fixtures and `sandbox/`, the simulated institution on the wire.
 *
 * An adapter never touches the table, a queue or AWS: it speaks to its institution, keeps what it was answered,
 * and turns kept answers into rows.
 */

import type * as z from 'zod';
import { AppError } from '#shared/values/app-error.ts';
import type { FileProof } from '#shared/values/file-proof.ts';
import type { KnownAccounts, SeenAccount } from '#shared/values/known-accounts.ts';
import type { Pace } from '#shared/values/login-turns.ts';
import type { NoticeCode } from '#shared/values/notice-catalogue.ts';
import type { SourceErrorCode } from '#shared/values/sync-errors.ts';
import type { ToldTotal, TotalGroup } from '#shared/values/told-totals.ts';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** Pure data: infra, the external-sources listing and the local runner read it without loading the adapter. */
export interface SourceManifest {
  code: string;
  name: string;
  type: 'tax_authority' | 'bank' | 'procurement';
  country: 'CL';
  isActive: boolean;
  /** Scope names, in the order in which runs list them. */
  scopes: readonly string[];
  /** What a connection must give; published as JSON Schema so that a form can be drawn from it. */
  credentialsSchema: z.ZodObject;
  /** For each hidden credential the names under which the institution is sent it: a short one is known by its name. */
  wireNames: Readonly<Record<string, readonly string[]>>;
  /** Names of the cookies that hold the session: their values are secrets, whatever they look like. */
  sessionCookies?: RegExp;
  /** `{}` is always valid. */
  metadataSchema: z.ZodObject;
  /** How many sessions one login may hold at a time, across connections. */
  sessionsPerLogin: number;
  /** How long an institution is known, or taken, to keep a session that nobody uses; a longer pause logs out before. */
  sessionIdleMs: number;
  /** Months read when a periodic scope was never synchronized with success. */
  backfillMonths: number;
  /** Scope → months, where the institution is known to keep fewer of it. */
  scopeBackfillMonths?: Readonly<Record<string, number>>;
  /** Hosts of the real institution by role, e.g. `{ auth: 'https://…', apps: 'https://…' }`. */
  hosts: Readonly<Record<string, string>>;
  /** Pace against the real institution; the sandbox runs without. */
  pace: Pace;
  /** Time limit of one call, and of a file download. */
  callTimeoutMs: number;
  downloadTimeoutMs: number;
}

/**
 * A refusal or fault of the institution, mapped to one of our codes. `detail` is for people: it never holds a
 * credential, a token or an upstream body.
 */
export class SourceError extends AppError {
  readonly code: SourceErrorCode;
  /** How long the institution asks us to wait, when it says so. */
  readonly retryAfterMs: number | undefined;
  /** What could not be read, where that is the fault: whoever asked for it keeps it. */
  readonly unread: UnparsedAnswer | undefined;
  /** Nothing of the request left this machine: no connection was made. */
  readonly isUnsent: boolean;
  constructor(
    code: SourceErrorCode,
    detail: string,
    options: { retryAfterMs?: number | undefined; cause?: unknown; unread?: UnparsedAnswer; isUnsent?: boolean } = {},
  ) {
    super(detail, { cause: options.cause });
    this.code = code;
    this.retryAfterMs = options.retryAfterMs;
    this.unread = options.unread;
    this.isUnsent = options.isUnsent ?? false;
  }
}

/** A login request that failed for good in this run, or that is not made: the scope that needs it ends with its code. */
export class LoginRefused extends SourceError {}

/** A login request that is not made now: whoever needs it comes back after `retryAfterMs`, and spends no try. */
export class LoginPostponed extends SourceError {}

/** As `ask` would have kept it, had it been readable. */
export type UnparsedAnswer = Omit<RawAnswer, 'key'>;

/** The institution ended our session: one new login is allowed, then it counts as `source.unavailable`. */
export class SessionExpired extends AppError {}

/** One raw answer as it came off the wire, kept (compressed, encrypted) before anything is made of it. */
export interface RawAnswer {
  /** Unique within scope and period of a run, deterministic: `purchases/REGISTRO/33`. Orders nothing. */
  key: string;
  /** What was asked, for the parser: never a credential, a cookie or a token. */
  request: JsonObject;
  contentType: string | null;
  body: Uint8Array;
}

/** Fetches at most once per run: a kept answer is read back instead of being asked again after a crash. */
export type AskSource = (
  key: string,
  fetch: () => Promise<{ request: JsonObject; contentType: string | null; body: Uint8Array }>,
) => Promise<RawAnswer>;

export interface SourceSettings {
  /** Any server in place of the institution: every host of the manifest is served by it. */
  baseUrl: string | undefined;
  pace: Pace;
  callTimeoutMs: number;
  downloadTimeoutMs: number;
}

/** Knows what was sent in secret, and takes it out of what came back. Gives the very same bytes where nothing is to go. */
export interface Redactor {
  /** A request as it is about to be sent: a short or common credential is known by the name before it. */
  sees(sent: string): void;
  /**
   * The value of a cookie or header: a secret of the session where the source names it, or where it looks like one.
   * Throws when an institution sets more of them than any session needs.
   */
  learns(token: string, name?: string): void;
  /** For an adapter to read. */
  withoutCredentials(body: Uint8Array): Uint8Array;
  /** To be kept. */
  withoutSecrets(body: Uint8Array): Uint8Array;
  text(value: string): string;
}

/** What the engine gives an adapter to work with. */
export interface SourceIo {
  settings: SourceSettings;
  redactor: Redactor;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Sleeps on the engine's clock; rejects when `signal` aborts. */
  wait(ms: number): Promise<void>;
  /**
   * Waits for the login's turn and counts the call that follows: before every call. A long wait may end the invocation, and
   * another goes on. `wire` names the way of asking, where an institution counts two of them apart.
   */
  turn(wire: string): Promise<void>;
  /** Aborts when the invocation is out of time or the run was cancelled: pass it to every call. */
  signal: AbortSignal;
  /**
   * Every request that carries a password is made and judged in here, each on its own: the engine counts it before it is
   * made, and makes no more of them than an account survives (decisions.md §5, "Logins"). What it answers was accepted;
   * what it throws tells by its code, and by `isUnsent`, what the request came to.
   */
  login<Answer>(request: () => Promise<Answer>): Promise<Answer>;
}

/** What an adapter asks with. It may replace values inside `session` (a rotated cookie). */
export interface PullContext {
  session: JsonObject;
  ask: AskSource;
  io: SourceIo;
  /** Tells where a scope is, in plain words: "rcv 2026-10: 1,200 of 3,400 documents". */
  progress(message: string): void;
}

export interface PullRequest {
  scope: string;
  /** YYYY-MM; null for point-in-time scopes, and for those that come by tender. */
  period: string | null;
  /** Code of the tender, for scopes that come by tender. */
  tender?: string;
  credentials: JsonObject;
  metadata: JsonObject;
  /** Metadata of the sync request. */
  input: JsonObject;
  /** What earlier readings told of the accounts of this scope, of a bank's alone; absent: nothing. */
  known?: KnownAccounts;
}

export interface Notice {
  code: NoticeCode;
  message: string;
}

/**
 * One row as read. In `row`, `undefined` means "this answer does not carry the field" (what is stored stays),
 * null means "empty at the source".
 */
export interface ParsedRow {
  row: Record<string, unknown>;
  /** The source's row as it came, normalized to an object. */
  raw: JsonObject;
  /** Key of the answer it was read from. */
  answerKey: string;
}

/**
 * `closed` names an account (as in the rows' account field) whose closed statement of this period was read whole: all
 * its rows of this period that it does not show are deleted (decisions.md §5). `doubtful`: its rows only add to others.
 */
export type Parsed =
  | { row: ParsedRow }
  /** What the source tells in total of a group of rows. Compared with the rows as stored, by `totals` of the scope. */
  | { total: ToldTotal }
  /** Every group of this part that the source has was told: rows of another one stand beside a total of nothing. */
  | { wholeTotals: TotalGroup }
  /** `unlessKnown`: told unless exactly the stored was shown. `whereKept`: only if a stored value stays for want of one. */
  | { notice: Notice; unlessKnown?: boolean }
  | { whereKept: Notice }
  | { closed: string }
  | { doubtful: string }
  /** An account that the bank lists: the next reading knows of it. */
  | { account: SeenAccount }
  /** Accounts that the bank's lists leave out: the next reading knows that they were told. */
  | { missing: readonly string[] }
  /** A few lines could not be read, and everything else was: it is stored, and the scope ends `partial`. */
  | { unreadable: Notice }
  /** The institution does not know what was asked for: told, and nothing is written. Of scopes by tender alone. */
  | { absent: Notice };

/** What one kind of answer carries, as its parser checks it (decisions.md §5 "Completeness"). */
export interface AnswerKeys {
  /** Keys from the answer's root to the list of its rows; `csv`: the columns of a file. */
  rows: readonly string[] | 'csv';
  /** Absent from a row: the answer is refused. */
  required: readonly string[];
  /** Absent: the stored values stay, and one notice `<source>.<scope>.columns_missing` names the key. */
  told: readonly string[];
  /** Of both: keys that the wire may carry as null, or as an empty cell. */
  nullable: readonly string[];
}

/** A file that a row names and that is not stored yet. */
export interface WantedFile {
  /** Of the row; names the file in what is fetched. */
  id: string;
  name: string | null;
  /** As the parser gave it. */
  locator: JsonObject;
}

/** `body` passed its checks; `proof` says by what it was known, `told` what is to be told of a file that is stored. */
export type FetchedFile = { id: string; body: Uint8Array; proof: FileProof; told?: Notice } | { notice: Notice };

/** A file as it was stored; `proof` null: before files were judged. */
export interface StoredFile {
  bytes: number;
  proof: FileProof | null;
}

/** What a source has whose scopes come by tender in place of by month. */
export interface TenderSide {
  /** Codes of the tenders published on a day (YYYY-MM-DD), its answers through `ask`. */
  publishedOn(day: string, request: PullRequest, context: Omit<PullContext, 'progress'>): Promise<string[]>;
  /** Is a stored file still the one that its row speaks of? One that is not is fetched again. */
  isStillProven(locator: JsonObject, stored: StoredFile): boolean;
  /** Fetches files one by one; a file that the institution does not give is told by a notice. */
  files(
    request: PullRequest,
    wanted: readonly WantedFile[],
    session: JsonObject,
    io: SourceIo,
  ): AsyncIterable<FetchedFile>;
}

export interface SourceAdapter {
  manifest: SourceManifest;
  /** What identifies the login at the institution (a RUT, a client id): slots and sessions are kept under its HMAC. */
  loginOf(credentials: JsonObject): string;
  /**
   * One login, tried once. The session is plain JSON, so that it can be kept encrypted and resumed by another
   * worker. A refusal throws `SourceError`.
   */
  connect(request: { credentials: JsonObject; metadata: JsonObject }, io: SourceIo): Promise<JsonObject>;
  /** Frees the session at the institution. Never throws for a session that is already gone. */
  disconnect(session: JsonObject, io: SourceIo): Promise<void>;
  /**
   * Asks for everything of one scope and period, every answer through `ask`. Throws `SessionExpired` when the
   * institution ended the session.
   */
  pull(request: PullRequest, context: PullContext): Promise<void>;
  /**
   * Pure: kept answers of one scope and period → rows and notices, in reading order (a later row of the same
   * document wins). Throws `SourceError('source.unexpected_response')` naming field and row for anything it
   * cannot read: a parser never guesses. A generator, so that the engine can renew its lease while it runs.
   */
  parse(
    request: Pick<PullRequest, 'scope' | 'period' | 'tender' | 'credentials' | 'known'>,
    answers: RawAnswer[],
  ): Iterable<Parsed>;
  /** What a kept answer of a scope carries; undefined for an answer without rows, or one that nobody described yet. */
  keysOf?(scope: string, answer: Pick<RawAnswer, 'request'>): AnswerKeys | undefined;
  /** Present when its scopes come by tender. */
  tenders?: TenderSide;
}
