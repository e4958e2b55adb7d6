/**
 * Interface between a source and the engine. A source is one folder: `manifest.ts` (pure data), `source.ts` (the
 * adapter), its parsers, its fixtures and `sandbox/`, the simulated institution on the wire.
 *
 * An adapter never uses the table, a queue or AWS: it calls its institution, stores the answers through `ask`, and
 * parses stored answers into rows.
 */

import type * as z from 'zod';
import type { AnswerKeys } from '#shared/values/answer-keys.ts';
import { AppError } from '#shared/values/app-error.ts';
import type { FileProof } from '#shared/values/file-proof.ts';
import type { KnownAccounts, SeenAccount } from '#shared/values/known-accounts.ts';
import type { Pace } from '#shared/values/login-turns.ts';
import type { NoticeCode } from '#shared/values/notice-catalogue.ts';
import type { NoticeParams } from '#shared/values/notice-params.ts';
import type { ObservedCall } from '#shared/values/observed-call.ts';
import type { ToldTotal, TotalGroup } from '#shared/values/source-totals.ts';
import type { SourceErrorCode } from '#shared/values/sync-errors.ts';

export type { AnswerKeys } from '#shared/values/answer-keys.ts';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** Pure data of a source: infra, the external-sources listing and the local runner read it without the adapter. */
export interface SourceManifest {
  code: string;
  name: string;
  type: 'tax_authority' | 'bank' | 'procurement';
  country: 'CL';
  isActive: boolean;
  /** Scope names, in the order in which runs list them. */
  scopes: readonly string[];
  /** Schema of a connection's credentials; published as JSON Schema so that a form can be generated from it. */
  credentialsSchema: z.ZodObject;
  /** Fields of the login, then of its company; the first present one counts. Absent if logins are shared normally. */
  account?: readonly (readonly string[])[];
  /** By hidden credential: its field names in requests. A short credential is recognized only next to such a name. */
  wireNames: Readonly<Record<string, readonly string[]>>;
  /** Names of the cookies that contain the session; their values are always treated as secrets. */
  sessionCookies?: RegExp;
  /** Schema of a connection's metadata. The schema must accept `{}`. */
  metadataSchema: z.ZodObject;
  /** Number of sessions that one login may have at a time, across connections. */
  sessionsPerLogin: number;
  /**
   * Idle time after which the institution ends a session, known or assumed. The engine logs out before a longer pause.
   */
  sessionIdleMs: number;
  /** True if unclear logins cannot lock an account: a day does not limit them. */
  cannotLock?: boolean;
  /** Number of months that are read if no earlier sync of a periodic scope succeeded. */
  backfillMonths: number;
  /** Number of months for single scopes, if the institution is known to retain fewer months of them. */
  scopeBackfillMonths?: Readonly<Record<string, number>>;
  /** Base URLs of the real institution's hosts by role: `{ auth: 'https://…', apps: 'https://…' }`. */
  hosts: Readonly<Record<string, string>>;
  /** Pace at the real institution; calls to the sandbox need no pace. */
  pace: Pace;
  /** Time limit of one call, and time limit of one file download. */
  callTimeoutMs: number;
  downloadTimeoutMs: number;
}

/**
 * A refusal or failure of the institution, mapped to one of our codes. `detail` is for people and never contains a
 * credential, a token or a body from the institution.
 */
export class SourceError extends AppError {
  readonly code: SourceErrorCode;
  /** Wait that the institution asks for; undefined when it does not ask for a wait. */
  readonly retryAfterMs: number | undefined;
  /** The unreadable answer, if the error is about such an answer. The caller stores the answer. */
  readonly unread: UnparsedAnswer | undefined;
  /** True if no part of the request left this machine, because no connection was made. */
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

/** A login request failed or is not allowed: the scope that needs the login ends with this error's code. */
export class LoginRefused extends SourceError {}

/** A login request must wait: the task resumes after `retryAfterMs`, and the wait does not count as an attempt. */
export class LoginPostponed extends SourceError {}

/** The answer as `ask` stores it, but without a key. */
export type UnparsedAnswer = Omit<RawAnswer, 'key'>;

/** The institution ended our session. One new login is allowed; after a second end the scope ends with `code`. */
export class SessionExpired extends AppError {
  readonly code: SourceErrorCode = 'source.unavailable';
}

/** One raw answer from the wire, stored (compressed, encrypted) before it is parsed. */
export interface RawAnswer {
  /** Key that is unique within scope and period of a run, and the same in every run: `purchases/REGISTRO/33`. */
  key: string;
  /** Parameters of the request that the parser needs; never a credential, a cookie or a token. */
  request: JsonObject;
  contentType: string | null;
  body: Uint8Array;
}

/** Fetches an answer at most once per run: after a crash `ask` reads the stored answer instead. */
export type AskSource = (
  key: string,
  fetch: () => Promise<{ request: JsonObject; contentType: string | null; body: Uint8Array }>,
) => Promise<RawAnswer>;

export interface SourceSettings {
  /** Address of a server that replaces all hosts of the manifest; undefined for the real institution. */
  baseUrl: string | undefined;
  pace: Pace;
  callTimeoutMs: number;
  downloadTimeoutMs: number;
}

/** Removes our secrets from answers. Returns the same bytes if an answer contains no secret. */
export interface Redactor {
  /** Learns field names from a request before it is sent: a short credential is recognized by its name. */
  sees(sent: string): void;
  /**
   * Learns the value of a cookie or header that is a secret of the session: the manifest names it, or it looks like a
   * secret. Throws when an institution sets more such values than any session needs.
   */
  learns(token: string, name?: string): void;
  /** Returns the body for an adapter, without credentials. */
  withoutCredentials(body: Uint8Array): Uint8Array;
  /** Returns the body for storage, without any secret. */
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
   * Waits until the login may make a call, and counts this call; the HTTP client uses it before every call. A long wait
   * may end the invocation, and another invocation resumes. `wire` names the kind of call, if an institution counts two
   * kinds separately.
   */
  turn(wire: string): Promise<void>;
  /** Aborts when the invocation runs out of time or the run is cancelled; every call must use it. */
  signal: AbortSignal;
  /**
   * Runs a request that contains a password, and classifies its answer; one such request runs at a time. The engine
   * counts the request before it is made, and allows no more requests than an account tolerates (decisions.md §5,
   * "Logins"). A returned answer means an accepted login. The code and `isUnsent` of a thrown error say why the login
   * failed. `isRenewal`: the announced life of a token is over, so the run does not count the request.
   */
  login<Answer>(request: () => Promise<Answer>, options?: { isRenewal?: boolean }): Promise<Answer>;
  /** Reports that the institution waits until a person approves the login, at most until `untilMs`. */
  awaitsApproval?(untilMs: number): void;
  /** Receives every exchange. Only `npm run contact` sets it; the service never does. */
  observe?(exchange: ObservedCall): void;
}

/** Functions and data of a pull. The adapter may replace values inside `session`, such as a rotated cookie. */
export interface PullContext {
  session: JsonObject;
  ask: AskSource;
  io: SourceIo;
  /** Reports the progress of a scope to a person: "rcv 2026-10: 1,200 of 3,400 documents". */
  progress(message: string): void;
}

export interface PullRequest {
  scope: string;
  /** Month of the request, YYYY-MM; null for point-in-time scopes and for scopes by tender. */
  period: string | null;
  /** Code of the tender; present only for scopes by tender. */
  tender?: string;
  credentials: JsonObject;
  metadata: JsonObject;
  /** Metadata of the request that started the sync. */
  input: JsonObject;
  /** Data of earlier syncs about the accounts of this scope (banks only); absent before the first sync. */
  known?: KnownAccounts;
}

export interface Notice {
  code: NoticeCode;
  message: string;
  params?: NoticeParams | undefined;
}

/**
 * One row as read. In `row`, `undefined` means that the answer lacks the field and the stored value stays; null means
 * that the field is empty at the source.
 */
export interface ParsedRow {
  row: Record<string, unknown>;
  /** The row as the source sent it, normalized to an object. */
  raw: JsonObject;
  /** Key of the answer that contains the row. */
  answerKey: string;
}

/**
 * `closed` names an account (by the value of the rows' account field) whose closed statement of this period was read
 * completely: stored rows of this period that the statement does not show are deleted (decisions.md §5). `doubtful`
 * names an account whose new rows are added and whose stored rows stay unchanged.
 */
export type Parsed =
  | { row: ParsedRow }
  /** Total that the source reports for a group of rows. The scope's `totals` compares it with the stored rows. */
  | { total: ToldTotal }
  /** The source has reported the totals of all groups of this part; rows of any other group are compared with zero. */
  | { wholeTotals: TotalGroup }
  /**
   * The `notice` is suppressed if `unlessKnown` is set and the answer shows exactly the stored data. The notice in
   * `whereKept` is reported only if a stored value stays.
   */
  | { notice: Notice; unlessKnown?: boolean }
  | { whereKept: Notice }
  | { closed: string }
  | { doubtful: string }
  /** An account that the bank lists; stored for the next sync. */
  | { account: SeenAccount }
  /** Accounts that the bank's lists omit; stored so that the next sync does not report them again. */
  | { missing: readonly string[] }
  /** Report of a few unreadable lines; all other rows are stored, and the scope ends `partial`. */
  | { unreadable: Notice }
  /** The institution does not know the tender: reported, and no row is written. Only for scopes by tender. */
  | { absent: Notice };

/** A file that a row names and that is not yet stored. */
export interface WantedFile {
  /** Id of the row, which also identifies the fetched file. */
  id: string;
  name: string | null;
  /** Locator of the file, as the parser returned it. */
  locator: JsonObject;
}

/** `body` passed the checks that `proof` names. `warning` is a notice about a file that is stored nevertheless. */
export type FetchedFile = { id: string; body: Uint8Array; proof: FileProof; warning?: Notice } | { notice: Notice };

/** A stored file. `proof` is null if the file was stored before the adapter checked files. */
export interface StoredFile {
  bytes: number;
  proof: FileProof | null;
}

/** Further functions of a source that reads scopes by tender instead of by month. */
export interface TenderSide {
  /** Returns the codes of the tenders published on a day (YYYY-MM-DD); the answers are stored through `ask`. */
  publishedOn(day: string, request: PullRequest, context: Omit<PullContext, 'progress'>): Promise<string[]>;
  /** True if a stored file still matches its row; otherwise the file is fetched again. */
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
  /** Identity of the login at the institution (a RUT, a client id); slots and sessions are stored under its HMAC. */
  loginOf(credentials: JsonObject): string;
  /** Makes one login attempt; throws `SourceError` if refused. The session is plain JSON, so it can be stored. */
  connect(request: { credentials: JsonObject; metadata: JsonObject }, io: SourceIo): Promise<JsonObject>;
  /** Ends the session at the institution. Does not throw for a session that has already ended. */
  disconnect(session: JsonObject, io: SourceIo): Promise<void>;
  /** Requests one scope and period; every answer goes through `ask`. Throws `SessionExpired` if the session ended. */
  pull(request: PullRequest, context: PullContext): Promise<void>;
  /**
   * Parses the stored answers of one scope and period into rows and notices. Pure. Rows come in reading order, and a
   * later row of the same document replaces an earlier row. An unreadable value throws
   * `SourceError('source.unexpected_response')` that names field and row. A generator, so that the engine can renew its
   * lease while the parser runs.
   */
  parse(
    request: Pick<PullRequest, 'scope' | 'period' | 'tender' | 'credentials' | 'known'>,
    answers: RawAnswer[],
  ): Iterable<Parsed>;
  /** Returns the keys of a stored answer; undefined if the answer has no rows, or if its keys are not described yet. */
  keysOf?(scope: string, answer: Pick<RawAnswer, 'request'>): AnswerKeys | undefined;
  /** Present if the source's scopes are read by tender. */
  tenders?: TenderSide;
}
