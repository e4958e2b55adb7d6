/**
 * Takes out of an answer what we sent and nobody else may read: institutions repeat requests in error pages, in links,
 * beside data. Credentials go before an adapter reads the answer; tokens of a session, which a page may have to be sent
 * back, before anything is kept, parsed or stored.
 */
import { gunzipSync, gzipSync } from 'node:zlib';
import { normalizeRut } from '#shared/domain/rut.ts';
import type { Redactor } from '../source.ts';
import { type ByteSearch, createByteSearch } from './byte-search.ts';
import { packedForms, textForms } from './secret-forms.ts';

/** Stands in place of a secret. */
const MARK = Buffer.from('[redacted]');

/** A word, a name, a number or a RUT may stand in honest data; letters beside digits or signs do by chance only. */
const isDistinctive = (secret: string): boolean =>
  normalizeRut(secret) === undefined &&
  ((secret.length >= 8 && /\p{L}/u.test(secret) && /[^\p{L}\s.,'’&/()-]/u.test(secret)) ||
    (secret.length >= 20 && !/\s/.test(secret)));

/** Cookies also hold addresses, instants, names and RUTs, which answers rightly hold, too. */
const isToken = (value: string): boolean =>
  /^[\w+/=.~%-]{12,}$/.test(value) &&
  ((/[A-Za-z]/.test(value) && /\d/.test(value)) || value.length >= 20) &&
  !(value.includes('/') && value.includes('.')) &&
  normalizeRut(value) === undefined &&
  Number.isNaN(Date.parse(value));

const decoded = (value: string): string => {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
};

const literal = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** What may stand between a name and its value in a form, in JSON, in a page, and in each of them escaped. */
const BETWEEN = String.raw`(?:[^\w&%\\<]|&#?\w{1,6};|%[0-9A-Fa-f]{2}|\\u00[0-9a-f]{2}|\\|</?\w{1,8}[^<>]{0,40}>){1,24}?`;
const NAME = String.raw`([\w.-]{1,64})(?:=|"\s?:\s?")`;

interface Weak {
  /** Its forms, as a pattern. */
  value: string;
  /** A pattern for each name under which it was sent. */
  patterns: Map<string, RegExp>;
}

/** Gzip beyond this is no file that anybody reads: it is left as it is, and refused when it is read. */
const UNPACKED_BYTES_MAX = 64 * 1024 * 1024;

const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

const unpacked = (bytes: Uint8Array): Buffer | undefined => {
  try {
    return gunzipSync(bytes, { maxOutputLength: UNPACKED_BYTES_MAX });
  } catch {
    return undefined;
  }
};

type Place = [from: number, to: number];

/** The very same bytes where there is nothing to take out. */
const marked = (body: Buffer, placesIn: (body: Buffer) => Place[]): Buffer => {
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

/** The body itself when the work gives back what it was given. */
const unlessSame = (body: Uint8Array, work: (buffer: Buffer) => Buffer): Uint8Array => {
  const buffer = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const clean = work(buffer);
  return clean === buffer ? body : clean;
};

export const createRedactor = (credentials: readonly string[]): Redactor => {
  const known = new Set<string>();
  const ofCredentials = createByteSearch();
  const ofSession = createByteSearch();
  const learn = (search: ByteSearch, secret: string): void => {
    if (known.has(secret)) return;
    known.add(secret);
    search.add([...textForms(secret), ...packedForms(secret)]);
  };
  const weak: Weak[] = [];
  for (const secret of credentials)
    if (isDistinctive(secret)) learn(ofCredentials, secret);
    else if (secret !== '') {
      const forms = textForms(secret).map((form) => literal(form.toString('latin1')));
      weak.push({ value: forms.join('|'), patterns: new Map() });
    }

  const sees = (sent: string): void => {
    const text = Buffer.from(sent).toString('latin1');
    for (const { value, patterns } of weak) {
      for (const [pair, name] of text.matchAll(new RegExp(`${NAME}(?:${value})(?=$|[&"])`, 'g'))) {
        if (known.has(pair)) continue;
        known.add(pair);
        // In base64 a pair can be found, a short value cannot.
        ofCredentials.add(packedForms(Buffer.from(pair, 'latin1').toString()));
        patterns.set(name!, new RegExp(`(${literal(name!)}${BETWEEN})(?:${value})(?!\\w)`, 'g'));
      }
    }
  };

  const weakPlaces = (body: Buffer): Place[] => {
    const patterns = weak.flatMap((one) => [...one.patterns.values()]);
    const text = patterns.length === 0 ? '' : body.toString('latin1');
    return patterns.flatMap((pattern) =>
      [...text.matchAll(pattern)].map((match): Place => {
        const to = match.index + match[0].length;
        return [match.index + match[1]!.length, to];
      }),
    );
  };

  const credentialPlaces = (body: Buffer): Place[] => [...ofCredentials.places(body), ...weakPlaces(body)];
  const allPlaces = (body: Buffer): Place[] => [...credentialPlaces(body), ...ofSession.places(body)];

  return {
    sees,
    learns: (token) => {
      for (const form of [token, decoded(token)]) if (isToken(form)) learn(ofSession, form);
    },
    withoutCredentials: (body) => unlessSame(body, (buffer) => marked(buffer, credentialPlaces)),
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
