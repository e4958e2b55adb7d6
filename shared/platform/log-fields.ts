/**
 * The allow-list of the log: the fields that a line may have in addition to its message, and the form of each field.
 * Any other field or form is dropped (architecture.md §9, B14). So a payload, credential or token passed by mistake is
 * not printed, because it has the form of neither an id, nor one of our words, nor a number.
 */

import { isIP } from 'node:net';

type FieldForm = (value: unknown) => boolean;

const textLike =
  (pattern: RegExp): FieldForm =>
  (value) =>
    typeof value === 'string' && pattern.test(value);

const uuid = textLike(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);
/** A request's id is the id that the caller sent if that id is well-formed (`shared/http/request/request-id.ts`). */
const requestId = textLike(/^[A-Za-z0-9._:-]{1,128}$/);
/**
 * The form of codes, states and operations. It allows no digits and no capitals, so that random values such as tokens
 * do not match.
 */
const word = textLike(/^(?=.{1,64}$)[a-z]+(?:[._:-][a-z]+)*$/);
/** The form of codes with underscores, which the audit trail uses. */
const underscored = textLike(/^(?=.{1,64}$)[a-z]+(?:[._][a-z]+)*$/);
const ipAddress: FieldForm = (value) => typeof value === 'string' && isIP(value) !== 0 && !value.includes('%');
const number: FieldForm = (value) => typeof value === 'number' && Number.isFinite(value);
const className = textLike(/^\$?[A-Za-z]{1,64}$/);

const FORMS = {
  request_id: requestId,
  organization_id: uuid,
  connection_id: uuid,
  run_id: uuid,
  /** Id of an API key or of an access token's grant; never the token. */
  credential_id: uuid,
  endpoint_id: uuid,
  delivery_id: uuid,
  grant_id: uuid,
  raw_payload_id: uuid,
  /** Id of an audit event, of what it changed and of who made the change. */
  event_id: uuid,
  target_id: uuid,
  author_id: uuid,
  author: underscored,
  action: underscored,
  /** Address of the gateway's peer, and the unproven one that the peer names. */
  address: ipAddress,
  forwarded_address: ipAddress,
  scope: word,
  period: textLike(/^(?:\d{4}-\d{2}|now)$/),
  operation: word,
  status: (value) => number(value) || word(value),
  code: word,
  /** Name of an agent tool. */
  tool: word,
  attempt: number,
  duration_ms: number,
  count: number,
  bytes: number,
  error_name: className,
  /** Names of the error's causes, outermost first. */
  error_causes: textLike(/^(?=.{1,200}$)\$?[A-Za-z]+(?: < \$?[A-Za-z]+)*$/),
  /** Functions, files and lines of the error's stack (`describe-error.ts`). */
  error_at: textLike(/^(?=.{1,2000}$)at [^\n]+:\d+:\d+\)?$/),
  /** The field of an API answer that violates its contract. Logged only on development stages. */
  finding: textLike(/^[ -~]{1,300}$/),
} as const satisfies Record<string, FieldForm>;

type Numbers = 'attempt' | 'duration_ms' | 'count' | 'bytes';

export type LogFieldName = keyof typeof FORMS;
export type LogFields = {
  [name in LogFieldName]?:
    | (name extends Numbers ? number : name extends 'status' ? number | string : string)
    | undefined;
};

/** Returns the fields that may be logged. */
export const allowedFields = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => Object.hasOwn(FORMS, name) && FORMS[name as LogFieldName](value)),
  );
