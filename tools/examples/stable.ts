/**
 * Makes recordings of different runs equal. Ids are numbered in order of appearance, instants are replaced by regular
 * instants in the same order, and secrets are replaced by secrets that belong to nobody. Values that are equal in one
 * recording stay equal.
 */
import { cursorParts, cursorText } from '#shared/values/cursor-text.ts';
import type { ExampleBody } from './recorder.ts';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const KEY = /^svc_sk_/;
const SECRET = /^whsec_/;
const LINK_TOKEN = /svc_cl_[\w-]{43}/g;
/** Matches the query of a signed link, because its time and its signature differ in each recording. */
const SIGNED_QUERY = /\?.*X-Amz-Signature=[0-9a-f]{64}/;
const SIGNED_AS = `?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Expires=60&X-Amz-Signature=${'0a1b'.repeat(16)}`;
const IDS = '0192f5d4-8c3e-7a10-9f6b-';
const PREFIX_CHARS = 'svc_sk_'.length + 6;
const MINUTE_MS = 60_000;
/** Distance between two successive instants in a stable recording. */
const STEP_MS = 1_000;
/** Duration of each scope in a stable recording; it is shorter than the distance between two instants. */
const DURATION_MS = 940;
/**
 * Replacement for the digest of an authorization request, which depends on the organization and so differs in each
 * recording.
 */
const DIGEST = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const DURATIONS = ['duration_ms', 'durationMs'];

export interface Recording {
  bodies: Record<string, ExampleBody>;
  /**
   * Start of the recording. Instants from this time on come from the service; earlier instants come from an
   * institution.
   */
  startedMs: number;
  endedMs: number;
  /** Address of the local stack → its replacement in the documentation. */
  addresses: Readonly<Record<string, string>>;
}

const eachText = (value: unknown, see: (text: string) => void): void => {
  if (typeof value === 'string') see(value);
  else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) eachText(each, see);
};

/** Returns a function that replaces the n-th different text by `nameOf(n)`. */
const numbered = (nameOf: (n: number) => string): ((text: string) => string) => {
  const names = new Map<string, string>();
  return (text) => {
    const name = names.get(text) ?? nameOf(names.size);
    names.set(text, name);
    return name;
  };
};

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const LINK_EXAMPLE = `svc_cl_${Buffer.from('nobody has this link: an example').toString('base64url')}`;
const KEY_TAIL = Buffer.from('nobody has this key: example').toString('base64url');

/**
 * Returns a function that replaces the instants of the recording. An instant after the end, such as an expiry, keeps
 * its distance to the instant from which the service computed it.
 */
const instantsOf = ({ bodies, startedMs, endedMs }: Recording): ((text: string) => string) => {
  const moments = new Set<number>();
  const isOwn = (ms: number): boolean => ms >= startedMs && ms <= endedMs;
  eachText(bodies, (text) => {
    if (INSTANT.test(text) && isOwn(Date.parse(text))) moments.add(Date.parse(text));
  });
  const sorted = [...moments].sort((a, b) => a - b);
  const stable = new Map<number, number>();
  let lastMs = 0;
  for (const ms of sorted) {
    const minuteMs = Math.floor(ms / MINUTE_MS) * MINUTE_MS;
    lastMs = Math.max(minuteMs, lastMs + STEP_MS);
    stable.set(ms, lastMs);
  }
  return (text) => {
    const ms = Date.parse(text);
    if (ms < startedMs) return text;
    if (isOwn(ms)) return new Date(stable.get(ms)!).toISOString();
    const from = sorted.findLast((moment) => (ms - moment) % MINUTE_MS === 0);
    const movedMs = from === undefined ? Math.floor(ms / MINUTE_MS) * MINUTE_MS : stable.get(from)! + ms - from;
    return new Date(movedMs).toISOString();
  };
};

export const stabilize = (recording: Recording): Record<string, ExampleBody> => {
  const id = numbered((n) => `${IDS}${(n + 1).toString(16).padStart(12, '0')}`);
  const prefix = numbered((n) => `svc_sk_${base64(`${n + 1}. key`)}`.slice(0, PREFIX_CHARS));
  const secret = numbered((n) => `whsec_${base64(`not a secret, but an example ${n + 1}.`)}`);
  const instant = instantsOf(recording);
  const stableText = (text: string): string => {
    if (INSTANT.test(text)) return instant(text);
    if (SECRET.test(text)) return secret(text);
    if (KEY.test(text)) {
      const shown = prefix(text.slice(0, PREFIX_CHARS));
      return text.length === PREFIX_CHARS ? shown : `${shown}${KEY_TAIL}`;
    }
    const signed = text.replace(SIGNED_QUERY, SIGNED_AS);
    const address = Object.entries(recording.addresses).reduce((all, [from, to]) => all.replaceAll(from, to), signed);
    return address.replaceAll(UUID, id).replaceAll(LINK_TOKEN, LINK_EXAMPLE);
  };
  const stableCursor = (cursor: unknown): string | null => {
    if (typeof cursor !== 'string') return null;
    const text = JSON.stringify(cursorParts(cursor)).replaceAll(UUID, id);
    return cursorText(JSON.parse(text));
  };
  const stable = (value: unknown, name: string): unknown => {
    if (DURATIONS.includes(name) && typeof value === 'number') return DURATION_MS;
    if (name === 'next_cursor') return stableCursor(value);
    if (name === 'digest' && typeof value === 'string') return DIGEST;
    if (typeof value === 'string') return stableText(value);
    if (Array.isArray(value)) return value.map((each) => stable(each, ''));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, stable(each, key)]));
  };
  return stable(recording.bodies, '') as Record<string, ExampleBody>;
};
