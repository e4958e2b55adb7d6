/**
 * Removes our secrets from answers, because institutions repeat requests in error pages, links and data. Credentials
 * are removed before an adapter reads the answer. Tokens of a session are removed before the answer is parsed or
 * stored; the adapter still sees them, because it may have to send back a token of a page.
 */
import { gunzipSync, gzipSync } from 'node:zlib';
import type { HiddenCredential } from '#shared/values/credential-fields.ts';
import { type Redactor, SourceError } from '../source.ts';
import { createByteSearch } from './byte-search.ts';
import { createEscapedSearch } from './escaped-search.ts';
import { SESSION_SECRET_CHARS_MAX, SESSION_SECRETS_MAX } from './limits.ts';
import { packedForms, textForms } from './secret-forms.ts';
import { isDistinctive, isSessionToken, isToken } from './secret-kinds.ts';
import { createWeakSecrets, type TextRange } from './weak-secrets.ts';

/** Text that replaces a secret. */
const MARK = Buffer.from('[redacted]');

const decoded = (value: string): string => {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
};

/** Returns three spellings of a cookie's value: as it was set, decoded, and without its quotes. */
const spellings = (token: string): string[] => {
  const bare = token.replace(/^"(.*)"$/s, '$1');
  return [...new Set([token, bare, decoded(bare)])];
};

/**
 * If a gzip body unpacks to more than this, the redactor does not decompress it, and the reader of the body refuses it.
 */
const UNPACKED_BYTES_MAX = 64 * 1024 * 1024;

const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

const unpacked = (bytes: Uint8Array): Buffer | undefined => {
  try {
    return gunzipSync(bytes, { maxOutputLength: UNPACKED_BYTES_MAX });
  } catch {
    return undefined;
  }
};

/** Replaces all secrets. Returns the same buffer when it contains no secret. */
const marked = (body: Buffer, placesIn: (body: Buffer) => TextRange[]): Buffer => {
  const found = placesIn(body).sort((a, b) => a[0] - b[0]);
  if (found.length === 0) return body;
  const parts: Buffer[] = [];
  let end = 0;
  for (const [from, to] of found) {
    if (from >= end) parts.push(body.subarray(end, from), MARK);
    end = Math.max(end, to);
  }
  return Buffer.concat([...parts, body.subarray(end)]);
};

/** Returns `body` itself when `work` changes nothing. */
const unlessSame = (body: Uint8Array, work: (buffer: Buffer) => Buffer): Uint8Array => {
  const buffer = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const clean = work(buffer);
  return clean === buffer ? body : clean;
};

const createSecrets = () => {
  const known = new Set<string>();
  const bytes = createByteSearch();
  const escaped = createEscapedSearch();
  const weak = createWeakSecrets();
  const sees = (sent: string): void => {
    // In base64, a short value cannot be found, but its name and value together can.
    for (const pair of weak.sees(sent)) bytes.add(packedForms(pair));
  };
  return {
    known,
    sees,
    /** Adds a secret that is removed anywhere. */
    learn: (secret: string): void => {
      if (known.has(secret)) return;
      known.add(secret);
      bytes.add([...textForms(secret), ...packedForms(secret)]);
      escaped.add(secret);
    },
    /** Adds a secret that is removed only next to the name of its field. */
    learnWeak: (secret: string, names: readonly string[]): void => {
      if (secret === '' || known.has(secret)) return;
      known.add(secret);
      weak.add(secret, names);
      for (const name of names) {
        sees(new URLSearchParams({ [name]: secret }).toString());
        sees(JSON.stringify({ [name]: secret }));
      }
    },
    places: (body: Buffer): TextRange[] => [...bytes.places(body), ...escaped.places(body), ...weak.places(body)],
  };
};

export interface RedactorOptions {
  credentials?: readonly HiddenCredential[];
  /** Matches the names of the cookies that contain the session. */
  sessionCookies?: RegExp | undefined;
}

export const createRedactor = ({ credentials = [], sessionCookies }: RedactorOptions = {}): Redactor => {
  const ofCredentials = createSecrets();
  const ofSession = createSecrets();
  for (const { value, names } of credentials)
    if (isDistinctive(value)) ofCredentials.learn(value);
    else ofCredentials.learnWeak(value, names);

  const isOfSession = (name: string): boolean => name === 'authorization' || sessionCookies?.test(name) === true;

  const learns: Redactor['learns'] = (token, name = '') => {
    for (const spelling of spellings(token.slice(0, SESSION_SECRET_CHARS_MAX))) {
      if (ofSession.known.has(spelling)) continue;
      if (isToken(spelling) || (isOfSession(name) && isSessionToken(spelling))) ofSession.learn(spelling);
      else if (isOfSession(name)) ofSession.learnWeak(spelling, [name]);
    }
    if (ofSession.known.size > SESSION_SECRETS_MAX)
      throw new SourceError(
        'source.unexpected_response',
        `more than ${SESSION_SECRETS_MAX} cookies and tokens in one session`,
      );
  };

  const allPlaces = (body: Buffer): TextRange[] => [...ofCredentials.places(body), ...ofSession.places(body)];

  return {
    sees: ofCredentials.sees,
    learns,
    withoutCredentials: (body) => unlessSame(body, (buffer) => marked(buffer, ofCredentials.places)),
    withoutSecrets: (body) =>
      unlessSame(body, (buffer) => {
        const inner = isGzip(body) ? unpacked(buffer) : undefined;
        if (inner === undefined) return marked(buffer, allPlaces);
        const clean = marked(inner, allPlaces);
        return clean === inner ? buffer : gzipSync(clean);
      }),
    text: (value) => marked(Buffer.from(value), allPlaces).toString(),
  };
};
