/** A code of an outcome or a notice in plain words, and who can mend it. A test compares this with the service's codes. */
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

/** `tax.guias.out_of_window` by what it says; one we have no words for is told in the service's own. */
export const noticeOf = (code: string | null, message: string | null): string => {
  const key = `notice.${code?.split('.').at(-1) ?? ''}`;
  return isKnown(key) ? causeTexts.say(key) : (message ?? code ?? '');
};
