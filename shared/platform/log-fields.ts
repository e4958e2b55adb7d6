/**
 * The allow-list of the log: what a line may say besides its message, and in which form. Whatever is not here, or has
 * another form, is dropped (architecture.md §9, B14): a payload, a credential or a token handed in by mistake cannot be
 * printed, because it is neither an id nor a word of ours nor a number.
 */

type FieldForm = (value: unknown) => boolean;

const textLike =
  (pattern: RegExp): FieldForm =>
  (value) =>
    typeof value === 'string' && pattern.test(value);

const uuid = textLike(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);
/** A request's id is the caller's own when well-formed (`shared/http/request/request-id.ts`). */
const requestId = textLike(/^[A-Za-z0-9._:-]{1,128}$/);
/** Codes, states, operations. No digit, no capital: nothing that was drawn at random looks so. */
const word = textLike(/^(?=.{1,64}$)[a-z]+(?:[._:-][a-z]+)*$/);
const number: FieldForm = (value) => typeof value === 'number' && Number.isFinite(value);
const className = textLike(/^\$?[A-Za-z]{1,64}$/);

const FORMS = {
  request_id: requestId,
  organization_id: uuid,
  connection_id: uuid,
  run_id: uuid,
  /** Of an API key, or of the grant of an access token: never the token. */
  credential_id: uuid,
  endpoint_id: uuid,
  delivery_id: uuid,
  grant_id: uuid,
  raw_payload_id: uuid,
  scope: word,
  period: textLike(/^(?:\d{4}-\d{2}|now)$/),
  operation: word,
  status: (value) => number(value) || word(value),
  code: word,
  /** Of agents, by name. */
  tool: word,
  attempt: number,
  duration_ms: number,
  count: number,
  bytes: number,
  error_name: className,
  /** Names of the causes, outermost first. */
  error_causes: textLike(/^(?=.{1,200}$)\$?[A-Za-z]+(?: < \$?[A-Za-z]+)*$/),
  /** Functions, files and lines (`describe-error.ts`). */
  error_at: textLike(/^(?=.{1,2000}$)at [^\n]+:\d+:\d+\)?$/),
  /** Which field of an answer of ours breaks its contract; written on development stages alone. */
  finding: textLike(/^[ -~]{1,300}$/),
} as const satisfies Record<string, FieldForm>;

type Numbers = 'attempt' | 'duration_ms' | 'count' | 'bytes';

export type LogFieldName = keyof typeof FORMS;
export type LogFields = {
  [name in LogFieldName]?:
    | (name extends Numbers ? number : name extends 'status' ? number | string : string)
    | undefined;
};

/** What of `fields` may be written. */
export const allowedFields = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => Object.hasOwn(FORMS, name) && FORMS[name as LogFieldName](value)),
  );
