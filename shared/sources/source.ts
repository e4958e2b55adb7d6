/**
 * Interface between a source and the engine. A source is one folder: `manifest.ts` (pure data), `source.ts` (the
 * adapter), its parsers, its fixtures and `sandbox/`, the simulated institution on the wire.
 *
 * An adapter never uses the table, a queue or AWS: it calls its institution, stores the answers through `ask`, and
 * parses stored answers into rows.
 */

import type * as z from 'zod';
import { AppError } from '#shared/values/app-error.ts';
import type { FileProof } from '#shared/values/file-proof.ts';
import type { KnownAccounts, SeenAccount } from '#shared/values/known-accounts.ts';
import type { Pace } from '#shared/values/login-turns.ts';
import type { NoticeCode } from '#shared/values/notice-catalogue.ts';
import type { ToldTotal, TotalGroup } from '#shared/values/source-totals.ts';
import type { SourceErrorCode } from '#shared/values/sync-errors.ts';

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
  /** Credentials of a connection; published as JSON Schema so that a form can be generated from it. */
  credentialsSchema: z.ZodObject;
  /** For each hidden credential, its field names in requests; a short one is recognized only next to such a name. */
  wireNames: Readonly<Record<string, readonly string[]>>;
  /** Names of the cookies that contain the session; their values are always treated as secrets. */
  sessionCookies?: RegExp;
  /** Must accept `{}`. */
  metadataSchema: z.ZodObject;
  /** Number of sessions that one login may have at a time, across connections. */
  sessionsPerLogin: number;
  /**
   * How long the institution retains an unused session, known or assumed; the engine logs out before a longer pause.
   */
  sessionIdleMs: number;
  /** Number of months read when a periodic scope was never synchronized successfully. */
  backfillMonths: number;
  /** Scope → months, if the institution is known to retain fewer months of it. */
  scopeBackfillMonths?: Readonly<Record<string, number>>;
  /** Hosts of the real institution by role, e.g. `{ auth: 'https://…', apps: 'https://…' }`. */
  hosts: Readonly<Record<string, string>>;
  /** Pace at the real institution; the sandbox has no pace. */
  pace: Pace;
  /** Time limit of one call, and of a file download. */
  callTimeoutMs: number;
  downloadTimeoutMs: number;
}

/**
 * A refusal or failure of the institution, mapped to one of our codes. `detail` is for people and never contains a
 * credential, a token or a body from the institution.
 */
export class SourceError extends AppError {
  readonly code: SourceErrorCode;
  /** Wait that the institution asks for, if it names one. */
  readonly retryAfterMs: number | undefined;
  /** The unreadable answer, if that is the failure; the caller stores it. */
  readonly unread: UnparsedAnswer | undefined;
  /** True when nothing of the request left this machine because no connection was made. */
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

/** A login request that failed for this run, or is not made: the scope that needs it ends with this error's code. */
export class LoginRefused extends SourceError {}

/** A login request that must wait: the task resumes after `retryAfterMs`, and the wait does not count as an attempt. */
export class LoginPostponed extends SourceError {}

/** The answer in the form in which `ask` would have stored it. */
export type UnparsedAnswer = Omit<RawAnswer, 'key'>;

/** The institution ended our session. One new login is allowed; after that it counts as `source.unavailable`. */
export class SessionExpired extends AppError {}

/** One raw answer from the wire, stored (compressed, encrypted) before it is parsed. */
export interface RawAnswer {
  /** Unique within scope and period of a run, and deterministic: `purchases/REGISTRO/33`. Does not define an order. */
  key: string;
  /** Parameters of the request for the parser; never a credential, a cookie or a token. */
  request: JsonObject;
  contentType: string | null;
  body: Uint8Array;
}

/** Fetches at most once per run: after a crash a stored answer is read back instead of being requested again. */
export type AskSource = (
  key: string,
  fetch: () => Promise<{ request: JsonObject; contentType: string | null; body: Uint8Array }>,
) => Promise<RawAnswer>;

export interface SourceSettings {
  /** Address of a server that replaces every host of the manifest; undefined for the real institution. */
  baseUrl: string | undefined;
  pace: Pace;
  callTimeoutMs: number;
  downloadTimeoutMs: number;
}

/** Removes the secrets that were sent from answers. Returns the same bytes when there is nothing to remove. */
export interface Redactor {
  /** Takes a request that is about to be sent: a short or common credential is recognized by the name before it. */
  sees(sent: string): void;
  /**
   * Takes the value of a cookie or header: it is a secret of the session if the manifest names it or if it looks like
   * one. Throws when an institution sets more of them than any session needs.
   */
  learns(token: string, name?: string): void;
  /** The form that an adapter reads. */
  withoutCredentials(body: Uint8Array): Uint8Array;
  /** The form that is stored. */
  withoutSecrets(body: Uint8Array): Uint8Array;
  text(value: string): string;
}

/** Functions that the engine provides to an adapter. */
export interface SourceIo {
  settings: SourceSettings;
  redactor: Redactor;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Sleeps on the engine's clock; rejects when `signal` aborts. */
  wait(ms: number): Promise<void>;
  /**
   * Waits for the login's turn and counts the call that follows; used before every call. A long wait may end the
   * invocation, and another one resumes. `wire` names the kind of call, if an institution counts two kinds separately.
   */
  turn(wire: string): Promise<void>;
  /** Aborts when the invocation runs out of time or the run is cancelled; every call must use it. */
  signal: AbortSignal;
  /**
   * Every request that contains a password is made and classified in here, one at a time: the engine counts it before
   * it is made, and makes no more than an account survives (decisions.md §5, "Logins"). A returned answer means an
   * accepted login. A thrown error says by its code and by `isUnsent` what happened.
   */
  login<Answer>(request: () => Promise<Answer>): Promise<Answer>;
}

/** Functions and data of a pull. The adapter may replace values inside `session` (a rotated cookie). */
export interface PullContext {
  session: JsonObject;
  ask: AskSource;
  io: SourceIo;
  /** Reports the progress of a scope in plain words: "rcv 2026-10: 1,200 of 3,400 documents". */
  progress(message: string): void;
}

export interface PullRequest {
  scope: string;
  /** YYYY-MM; null for point-in-time scopes, and for scopes by tender. */
  period: string | null;
  /** Code of the tender, for scopes by tender. */
  tender?: string;
  credentials: JsonObject;
  metadata: JsonObject;
  /** Metadata of the sync request. */
  input: JsonObject;
  /** Data of earlier syncs about the accounts of this scope (banks only); absent before the first sync. */
  known?: KnownAccounts;
}

export interface Notice {
  code: NoticeCode;
  message: string;
}

/**
 * One row as read. In `row`, `undefined` means "this answer does not contain the field" (the stored value stays), null
 * means "empty at the source".
 */
export interface ParsedRow {
  row: Record<string, unknown>;
  /** The source's row as it came, normalized to an object. */
  raw: JsonObject;
  /** Key of the answer that contains the row. */
  answerKey: string;
}

/**
 * `closed` names an account (as in the rows' account field) whose closed statement of this period was read completely:
 * all its stored rows of this period that the statement does not show are deleted (decisions.md §5). `doubtful` names
 * an account whose rows are only added.
 */
export type Parsed =
  | { row: ParsedRow }
  /** Total that the source reports for a group of rows. `totals` of the scope compares it with the stored rows. */
  | { total: ToldTotal }
  /** The source has reported every group of this part; rows of any other group are compared with a total of zero. */
  | { wholeTotals: TotalGroup }
  /** `unlessKnown`: not reported if exactly the stored data was shown. `whereKept`: only if a stored value stays. */
  | { notice: Notice; unlessKnown?: boolean }
  | { whereKept: Notice }
  | { closed: string }
  | { doubtful: string }
  /** An account that the bank lists; stored for the next sync. */
  | { account: SeenAccount }
  /** Accounts that the bank's lists omit; stored so that the next sync does not report them again. */
  | { missing: readonly string[] }
  /** A few lines were unreadable and everything else was read: the rows are stored, and the scope ends `partial`. */
  | { unreadable: Notice }
  /** The institution does not know the tender: reported, and nothing is written. Only for scopes by tender. */
  | { absent: Notice };

/** Keys of one kind of answer, which its parser checks (decisions.md §5 "Completeness"). */
export interface AnswerKeys {
  /** Path from the answer's root to the list of its rows; `csv` for the columns of a file. */
  rows: readonly string[] | 'csv';
  /** If one is missing from a row, the answer is refused. */
  required: readonly string[];
  /** If one is missing, the stored values stay, and one notice `<source>.<scope>.columns_missing` names the key. */
  told: readonly string[];
  /** Keys of both kinds that the wire may contain as null, or as an empty cell. */
  nullable: readonly string[];
}

/** A file that a row names and that is not stored yet. */
export interface WantedFile {
  /** Id of the row; also identifies the fetched file. */
  id: string;
  name: string | null;
  /** The locator that the parser returned. */
  locator: JsonObject;
}

/**
 * `body` passed its checks and `proof` says which ones; `told` is a notice about a file that is stored nevertheless.
 */
export type FetchedFile = { id: string; body: Uint8Array; proof: FileProof; told?: Notice } | { notice: Notice };

/** A stored file; `proof` is null for files that were stored before files were checked. */
export interface StoredFile {
  bytes: number;
  proof: FileProof | null;
}

/** Additional functions of a source whose scopes come by tender instead of by month. */
export interface TenderSide {
  /** Codes of the tenders published on a day (YYYY-MM-DD); its answers go through `ask`. */
  publishedOn(day: string, request: PullRequest, context: Omit<PullContext, 'progress'>): Promise<string[]>;
  /** True if a stored file is still the one that its row describes; otherwise it is fetched again. */
  isStillProven(locator: JsonObject, stored: StoredFile): boolean;
  /** Fetches files one by one; a file that the institution refuses becomes a notice. */
  files(
    request: PullRequest,
    wanted: readonly WantedFile[],
    session: JsonObject,
    io: SourceIo,
  ): AsyncIterable<FetchedFile>;
}

export interface SourceAdapter {
  manifest: SourceManifest;
  /** Identifies the login at the institution (a RUT, a client id): slots and sessions are stored under its HMAC. */
  loginOf(credentials: JsonObject): string;
  /** One login attempt; throws `SourceError` when refused. The session is plain JSON: it can be stored and resumed. */
  connect(request: { credentials: JsonObject; metadata: JsonObject }, io: SourceIo): Promise<JsonObject>;
  /** Ends the session at the institution. Never throws for a session that has already ended. */
  disconnect(session: JsonObject, io: SourceIo): Promise<void>;
  /** Requests one scope and period, every answer through `ask`. Throws `SessionExpired` if the session has ended. */
  pull(request: PullRequest, context: PullContext): Promise<void>;
  /**
   * Pure: parses stored answers of one scope and period into rows and notices, in reading order (a later row of the
   * same document wins). Throws `SourceError('source.unexpected_response')` that names field and row for anything it
   * cannot read: a parser never guesses. A generator, so that the engine can renew its lease while it runs.
   */
  parse(
    request: Pick<PullRequest, 'scope' | 'period' | 'tender' | 'credentials' | 'known'>,
    answers: RawAnswer[],
  ): Iterable<Parsed>;
  /** Keys of a stored answer of a scope; undefined for an answer without rows, or one that is not described yet. */
  keysOf?(scope: string, answer: Pick<RawAnswer, 'request'>): AnswerKeys | undefined;
  /** Present when the source's scopes come by tender. */
  tenders?: TenderSide;
}
