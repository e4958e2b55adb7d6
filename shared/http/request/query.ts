/**
 * Parses the query string into a typed query. Uses the raw string, because API Gateway joins repeated parameters with
 * commas.
 */
import type * as z from 'zod';
import type { $ZodType } from 'zod/v4/core';
import { type EndpointContract, refusesUnknownQuery } from '#shared/http/contract.ts';
import { ApiError } from '#shared/http/response/errors.ts';
import { fieldName, judge } from './issues.ts';
import { readDefinition, unwrap } from './schema-at.ts';

/**
 * The form of a plain integer: not `1e3`, `0x10` or ` 1`. The schema refuses numbers that a double cannot hold exactly.
 */
const INTEGER = /^-?\d{1,16}$/;

/** Converts text to the schema's type. Text without the form of that type stays text, and the schema refuses it. */
const decode = (schema: $ZodType, text: string): unknown => {
  const { type, values } = readDefinition(unwrap(schema));
  const wanted = type === 'literal' ? typeof values?.[0] : type;
  if (wanted === 'number' && INTEGER.test(text)) return Number(text);
  if (wanted === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
};

const refuse = (finding: string): never => {
  throw new ApiError('validation_error', finding);
};

/**
 * Returns the name for messages. `limit[]`, as some clients write a list, is quoted, and so is the name of a parameter
 * whose `=` was encoded; other unusual names are not.
 */
const parameterName = (name: string): string => {
  if (/^\w{1,64}\[\]$/.test(name)) return name;
  const encoded = /^(\w{1,64})=/.exec(name)?.[1];
  return encoded === undefined ? fieldName([name]) : `${encoded}%3D`;
};

const refuseUnknownAndRepeated = (sent: URLSearchParams, known: ReadonlySet<string>): void => {
  const seen = new Set<string>();
  for (const name of sent.keys()) {
    if (!known.has(name))
      refuse(`${parameterName(name)} is not a known query parameter. Known: ${[...known].join(', ') || 'none'}.`);
    if (seen.has(name)) refuse(`${parameterName(name)} must be given once`);
    seen.add(name);
  }
};

const REPLACED = /\ufffd/g;
/** The replacement character, raw or percent-encoded. */
const SENT_REPLACED = /\ufffd|%ef%bf%bd/gi;

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/**
 * Refuses a query with invalid bytes. Decoding silently turns bytes that are not UTF-8 into U+FFFD. If the decoded
 * query has more of these characters than were sent, some bytes were invalid.
 */
const refuseReplaced = (sent: URLSearchParams, raw: string): void => {
  const decoded = [...sent].reduce((sum, pair) => sum + countOf(pair.join(''), REPLACED), 0);
  if (decoded > countOf(raw, SENT_REPLACED)) refuse('query must be UTF-8');
};

export const parseQuery = (
  contract: Pick<EndpointContract, 'query' | 'basePath' | 'path'>,
  rawQueryString: string,
): Record<string, unknown> | null => {
  const sent = new URLSearchParams(rawQueryString);
  const shape = (contract.query?.shape ?? {}) as Record<string, z.ZodType>;
  refuseReplaced(sent, rawQueryString);
  if (refusesUnknownQuery(contract)) refuseUnknownAndRepeated(sent, new Set(Object.keys(shape)));
  if (contract.query === null) return null;
  const decoded: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(shape)) {
    const text = sent.get(name);
    if (text !== null) decoded[name] = decode(schema, text);
  }
  const judged = judge(contract.query, decoded, { noun: 'query' });
  return judged.finding === undefined ? judged.data : refuse(judged.finding);
};
