/** Reads request bodies: checks whether a body is accepted (415, 413, 400) and whether it fits the schema (422). */

import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { Context } from 'aws-lambda';
import type { EndpointContract } from '#shared/http/contract.ts';
import { HTTP_LIMITS } from '#shared/http/limits.ts';
import { type HttpEvent, type RequestContext, readHeader } from '#shared/http/request-context.ts';
import { readsBody } from '#shared/http/response/error-codes.ts';
import { ApiError, invalidBody } from '#shared/http/response/errors.ts';
import { judge } from './issues.ts';

const JSON_TYPE = /^application\/json\s*(;|$)/i;
/** Removes a byte order mark at the beginning. */
const utf8 = new TextDecoder('utf-8', { fatal: true });
const parser = httpJsonBodyParser();

const NOT_JSON =
  'The body is not valid JSON: an object in UTF-8, with names and texts in double quotes and no comma at the end.';

const invalidJson = (message = NOT_JSON): ApiError => new ApiError('invalid_json', message);

const tooLarge = (): ApiError =>
  new ApiError('payload_too_large', `The body must be at most ${HTTP_LIMITS.bodyBytesMax / 1024} KiB.`);

/**
 * True if the gateway replaced bytes. The gateway decodes bodies that it considers text. Bytes that are not UTF-8, for
 * example from a client that writes Latin-1, become U+FFFD, which makes the body longer than it was sent.
 */
const wasReplaced = (body: string, event: Pick<HttpEvent, 'headers'>): boolean => {
  const bytesSent = readHeader(event, 'content-length');
  return body.includes('\ufffd') && bytesSent !== undefined && Number(bytesSent) !== Buffer.byteLength(body);
};

/** Returns the text of the body. The gateway passes bodies that it does not consider text as base64. */
const textOf = (event: Pick<HttpEvent, 'headers' | 'body' | 'isBase64Encoded'>): string => {
  const { body = '', isBase64Encoded } = event;
  if (!isBase64Encoded) {
    if (Buffer.byteLength(body) > HTTP_LIMITS.bodyBytesMax) throw tooLarge();
    if (wasReplaced(body, event)) throw invalidJson();
    return body.replace(/^\ufeff/, '');
  }
  const bytes = Buffer.from(body, 'base64');
  if (bytes.length > HTTP_LIMITS.bodyBytesMax) throw tooLarge();
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalidJson();
  }
};

/**
 * An escape of half a surrogate pair, which is not valid text. UTF-8 cannot encode the half, so it can only be sent as
 * an escape.
 */
const HALF_PAIR = /\\u[dD][89a-fA-F]/;

/**
 * True if all texts in the body are well-formed. The function is not recursive, because a body may be nested deeper
 * than the call stack allows.
 */
const isWellFormed = (body: unknown): boolean => {
  const left: unknown[] = [body];
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (typeof value === 'string' && !value.isWellFormed()) return false;
    if (typeof value === 'object' && value !== null)
      for (const [name, each] of Object.entries(value)) left.push(name, each);
  }
  return true;
};

/** True if a request may come without a body. Also true if the contract has no body. */
const mayBeAbsent = (contract: EndpointContract): boolean => contract.bodyOptional || contract.body === null;

/** Reads and parses the body into the context with middy's parser, which refuses `__proto__` keys at any depth. */
export const readBody = async (contract: EndpointContract, event: HttpEvent, context: Context): Promise<void> => {
  if (!readsBody(contract)) return;
  const isAbsent = (event.body ?? '') === '';
  if (isAbsent && mayBeAbsent(contract)) return;
  if (!/^(?:identity)?$/i.test(readHeader(event, 'content-encoding')?.trim() ?? ''))
    throw new ApiError('unsupported_media_type', 'The body must be sent without content-encoding.');
  if (!JSON_TYPE.test(readHeader(event, 'content-type') ?? ''))
    throw new ApiError('unsupported_media_type', 'The body must be application/json.');
  const text = textOf(event);
  if (text.trim() === '') throw invalidJson('The body is empty. Send a JSON object.');
  const parsed = { headers: { 'content-type': 'application/json' }, body: text } as unknown as HttpEvent;
  try {
    await parser.before?.({ event: parsed, context } as never);
  } catch (error) {
    if ((error as Error).message === FORBIDDEN_KEY) throw invalidBody('body has a property name that is not allowed');
    throw invalidJson();
  }
  if (HALF_PAIR.test(text) && !isWellFormed(parsed.body)) throw invalidJson();
  event.context.text = text;
  event.context.json = parsed.body;
};

const FORBIDDEN_KEY = 'Forbidden key in JSON body';

/** Returns the body as validated by the contract's schema, or null if the contract has no body. */
export const validBody = (contract: EndpointContract, { json }: RequestContext): Record<string, unknown> | null => {
  if (!readsBody(contract)) return null;
  const value = json === undefined ? {} : json;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidBody('body must be an object');
  if (contract.body === null) {
    if (Object.keys(value).length > 0) throw invalidBody('body must be empty');
    return null;
  }
  const judged = judge(contract.body, value, { hints: contract.bodyHints });
  if (judged.finding === undefined) return judged.data;
  const [code] = judged.fields.flatMap((field) => contract.bodyCodes[field] ?? []);
  throw code === undefined ? invalidBody(judged.finding) : new ApiError(code, judged.finding);
};
