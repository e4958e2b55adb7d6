/** A code of an outcome or a notice in plain words, and who can mend it. A test compares this with the service's codes. */
import { instant } from '../text/format.ts';
import { causeTexts } from './cause-texts.ts';

export type Mender = 'owner' | 'source' | 'us';

const MENDED_BY: Readonly<Record<string, Mender>> = {
  'source.invalid_credentials': 'owner',
  'source.account_locked': 'owner',
  'source.mfa_required': 'owner',
  'source.consent_expired': 'owner',
  'source.wrong_company': 'owner',
  'source.mfa_timeout': 'owner',
  'sync.cancelled': 'owner',
  'source.unavailable': 'source',
  'source.maintenance': 'source',
  'source.timeout': 'source',
  'source.rate_limited': 'source',
  'source.session_limit': 'source',
  'source.blocked': 'source',
  'source.unexpected_response': 'us',
  'sync.internal_error': 'us',
  'sync.timed_out': 'us',
};

/** Those that new credentials mend (decisions.md §3: they move a connection to `error`). */
const NEEDS_CREDENTIALS: ReadonlySet<string> = new Set([
  'source.invalid_credentials',
  'source.account_locked',
  'source.mfa_required',
  'source.consent_expired',
  'source.wrong_company',
]);

type Key = Parameters<typeof causeTexts.say>[0];
const isKnown = (key: string): key is Key => key in causeTexts.es;

export const causeOf = (code: string): { text: string; mender: Mender; needsCredentials: boolean } => ({
  text: isKnown(code) ? causeTexts.say(code) : causeTexts.say('unknown', { code }),
  mender: MENDED_BY[code] ?? 'us',
  needsCredentials: NEEDS_CREDENTIALS.has(code),
});

/**
 * `tax.guias.out_of_window` by what it says, in our words and in the service's own, which name days, columns and counts.
 * One that we have no words for has the service's alone.
 */
export const noticeOf = (code: string | null, message: string | null): { text: string; detail: string | null } => {
  const key = `notice.${code?.split('.').at(-1) ?? ''}`;
  if (isKnown(key)) return { text: causeTexts.say(key), detail: message };
  return { text: message ?? code ?? '', detail: null };
};

/** As shared/sync/login.rules.ts says them; what the last login that was tried said follows. */
const UNTRIED: readonly [RegExp, 'untried.day' | 'untried.run' | 'untried.refused'][] = [
  [/^Not tried: two unclear logins today; next try (\S+) or with new credentials\.?/, 'untried.day'],
  [/^Not tried again: two unclear logins in this run\.?/, 'untried.run'],
  [/^Not tried: these credentials were refused before\.?/, 'untried.refused'],
];

/** What the service says of a failure beside its code. That no login was tried is told in the reader's language. */
export const failureDetail = (message: string): string => {
  for (const [pattern, key] of UNTRIED) {
    const found = pattern.exec(message);
    if (!found) continue;
    const [told, at = ''] = found;
    const why = causeTexts.say(key, { at: Number.isNaN(Date.parse(at)) ? at : instant(at) });
    const last = message.slice(told.length).replace(/^ Last: /, '');
    return last === '' ? why : `${why} ${causeTexts.say('untried.last', { last })}`;
  }
  return message;
};
