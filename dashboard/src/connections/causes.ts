/** A code of an outcome or a notice in plain words, and the party that can resolve it. */
import { instant } from '../text/format.ts';
import { causeTexts } from './cause-texts.ts';
import { MENDED_BY, NEEDS_CREDENTIALS } from './codes.gen.ts';

export type Mender = 'owner' | 'source' | 'us';

const mendedBy: Readonly<Record<string, Mender>> = MENDED_BY;
/** Codes that move a connection to `error`. */
const needsCredentials: ReadonlySet<string> = new Set(NEEDS_CREDENTIALS);

type Key = Parameters<typeof causeTexts.say>[0];
const isKnown = (key: string): key is Key => key in causeTexts.es;

export const causeOf = (code: string): { text: string; mender: Mender; needsCredentials: boolean } => ({
  text: isKnown(code) ? causeTexts.say(code) : causeTexts.say('unknown', { code }),
  mender: mendedBy[code] ?? 'us',
  needsCredentials: needsCredentials.has(code),
});

/**
 * A notice such as `tax.guias.out_of_window` in our words, with the service's own message, which names days, columns
 * and counts. A code without our words gets only the service's message.
 */
export const noticeOf = (code: string | null, message: string | null): { text: string; detail: string | null } => {
  const key = `notice.${code?.split('.').at(-1) ?? ''}`;
  if (isKnown(key)) return { text: causeTexts.say(key), detail: message };
  return { text: message ?? code ?? '', detail: null };
};

/** Why a month is not complete: the code of an error or of a notice, or that the month was read before it was over. */
export const reasonOf = (code: string): string => {
  if (isKnown(code)) return causeTexts.say(code);
  return noticeOf(code, null).text;
};

/** Messages of shared/sync/login/login.rules.ts; the message of the last attempted login follows them. */
const UNTRIED: readonly [RegExp, 'untried.day' | 'untried.run' | 'untried.refused'][] = [
  [/^Not tried: two unclear logins today; next try (\S+) or with new credentials\.?/, 'untried.day'],
  [/^Not tried again: two unclear logins in this run\.?/, 'untried.run'],
  [/^Not tried: these credentials were refused before\.?/, 'untried.refused'],
];

/** The service's message in addition to the code. If no login was attempted, that part is in the reader's language. */
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
