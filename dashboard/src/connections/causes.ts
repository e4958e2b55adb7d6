/** Describes the code of an outcome or a notice in plain words, and names the party that can resolve the problem. */
import type { Schemas } from '../api/client.ts';
import { instant } from '../text/format.ts';
import { inEnglish, language } from '../text/language.ts';
import { causeTexts } from './cause-texts.ts';
import { MENDED_BY, NEEDS_CREDENTIALS } from './codes.gen.ts';
import { listFigures } from './notice-figures.ts';

type Notice = Schemas['ScopeNotice'];

export type Mender = 'owner' | 'source' | 'us';

const mendedBy: Readonly<Record<string, Mender>> = MENDED_BY;
/** Codes of failures that move a connection to the status `error`. */
const needsCredentials: ReadonlySet<string> = new Set(NEEDS_CREDENTIALS);

type CauseKey = Parameters<typeof causeTexts.say>[0];
const isKnown = (key: string): key is CauseKey => key in causeTexts.es;

export const describeCause = (code: string): { text: string; mender: Mender; needsCredentials: boolean } => ({
  text: isKnown(code) ? causeTexts.say(code) : causeTexts.say('unknown', { code }),
  mender: mendedBy[code] ?? 'us',
  needsCredentials: needsCredentials.has(code),
});

const noticeKey = (code: string): string => `notice.${code.split('.').at(-1)}`;

/** Returns the texts of the notices among the codes of a connection's `attention`. */
export const describeAttention = (codes: readonly string[] = []): string[] =>
  codes.map(noticeKey).flatMap((key) => (isKnown(key) ? [causeTexts.say(key)] : []));

/**
 * Returns the dashboard's text for a notice such as `tax.guias.out_of_window`. `detail` names months, accounts and
 * counts: on an English page in the service's own message, otherwise in figures.
 */
export const describeNotice = ({
  code,
  message,
  params,
}: Pick<Notice, 'code' | 'message' | 'params'>): { text: string; detail: string | null } => {
  const key = noticeKey(code ?? '');
  if (isKnown(key)) return { text: causeTexts.say(key), detail: inEnglish(message) ?? listFigures(params) };
  const text = inEnglish(message) ?? causeTexts.say('notice-unknown', { code: code ?? '' });
  return { text, detail: null };
};

/**
 * Returns the reason why a month is not complete. The code is an error's or a notice's code, or says that the month was
 * read before the month was over.
 */
export const describeReason = (code: string): string => {
  if (isKnown(code)) return causeTexts.say(code);
  return describeNotice({ code, message: code }).text;
};

/**
 * Patterns of messages in shared/sync/login/login.rules.ts that say that no login was attempted, after the label of the
 * scope. The rest of such a message is the message of the last attempted login.
 */
const UNTRIED: readonly [RegExp, 'untried.day' | 'untried.run' | 'untried.logins' | 'untried.refused'][] = [
  [/^(?:.*?: )?Not tried: two unclear logins today; next try (\S+) or with new credentials\.?/, 'untried.day'],
  [/^(?:.*?: )?Not tried again: two unclear logins in this run\.?/, 'untried.run'],
  [/^(?:.*?: )?Not tried again: two logins in this run\.?/, 'untried.logins'],
  [/^(?:.*?: )?Not tried: these credentials were refused before\.?/, 'untried.refused'],
];

/**
 * Returns what the service's message says in addition to the code, null if the page has no words for it. If the message
 * begins with the reason why no login was attempted, this beginning is in the reader's language. The rest is English.
 */
export const failureDetail = (message: string): string | null => {
  for (const [pattern, key] of UNTRIED) {
    const found = pattern.exec(message);
    if (!found) continue;
    const [told, at = ''] = found;
    const why = causeTexts.say(key, { at: Number.isNaN(Date.parse(at)) ? at : instant(at) });
    const last = message.slice(told.length).replace(/^ Last: /, '');
    return last === '' || language !== 'en' ? why : `${why} ${causeTexts.say('untried.last', { last })}`;
  }
  return inEnglish(message);
};
