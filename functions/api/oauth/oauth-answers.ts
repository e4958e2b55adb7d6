/**
 * Common parts of the OAuth endpoints: the parser that refuses repeated parameters of a form, and the errors of RFC
 * 6749 §5.2.
 */
import { type ProtocolAnswer, ProtocolError, type ProtocolRequest } from '#shared/http/protocol-endpoint.ts';

/**
 * @param answer the response's status and headers; callers set a status other than 400 only for an unknown client, and
 * for requests that the client may retry
 */
export const oauthError = (
  error: string,
  description: string,
  { status = 400, headers = {} }: Partial<Pick<ProtocolAnswer, 'status' | 'headers'>> = {},
): ProtocolError => new ProtocolError(error, { status, headers, body: { error, error_description: description } });

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const textOf = (body: Uint8Array): string => {
  try {
    return utf8.decode(body);
  } catch {
    throw oauthError('invalid_request', 'the body is no UTF-8');
  }
};

/**
 * Returns the parameters of a form; a parameter without a value counts as absent (RFC 6749 §3.2). Throws
 * `invalid_request` for another content type, and for a repeated parameter.
 */
export const parseForm = ({
  headers,
  body,
}: Pick<ProtocolRequest, 'headers' | 'body'>): ReadonlyMap<string, string> => {
  if (!FORM_TYPE.test(headers['content-type'] ?? ''))
    throw oauthError('invalid_request', 'the body must be application/x-www-form-urlencoded');
  const form = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(textOf(body))) {
    if (form.has(name)) throw oauthError('invalid_request', 'a parameter was given more than once');
    form.set(name, value);
  }
  for (const [name, value] of form) if (value === '') form.delete(name);
  return form;
};

/** Returns the parameter's value. Throws `invalid_request` when the parameter is missing. */
export const required = (form: ReadonlyMap<string, string>, name: string): string => {
  const value = form.get(name);
  if (value === undefined) throw oauthError('invalid_request', `${name} is missing`);
  return value;
};

/** Returns the parsed JSON, or undefined for invalid JSON. */
export const parseJsonBody = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(textOf(body));
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    return undefined;
  }
};
