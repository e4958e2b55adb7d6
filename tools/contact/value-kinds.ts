/** Names the form of a value without the value. Pure. */
import { foldText } from '#shared/values/search-text.ts';

/** Kinds of a leaf value, each with the number of times it was seen. */
export type KindCounts = Record<string, number>;

const LETTERS = /\p{L}/u;
const SIGNS_MAX = 20;

const FORMS: readonly (readonly [kind: string, form: RegExp])[] = [
  ['empty', /^$/],
  ['blank', /^\s+$/],
  ['RUT', /^\d{1,8}-[\dkK]$/],
  ['RUT with dots', /^\d{1,2}\.\d{3}\.\d{3}-[\dkK]$/],
  ['integer with leading zeros', /^0\d+$/],
  ['integer', /^[+-]?\d+$/],
  ['integer with dots', /^[$+-]{0,2}\s?\d{1,3}(?:\.\d{3})+$/],
  ['decimal with comma', /^[$+-]{0,2}\s?[\d.]+,\d+$/],
  ['decimal with point', /^[+-]?\d+\.\d+$/],
];

/** Digits and separators of days and times, at least two separators. */
const MOMENT = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T ]\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/** Returns for example "moment 99/99/9999 99:99". Parts of a second have any number of digits. */
const momentForm = (text: string): string =>
  `moment ${text.replace(/\.\d+(?=Z|[+-]|$)/, (part) => (part.length > 3 ? '.f' : part)).replace(/\d/g, '9')}`;

const kindOfText = (text: string): string => {
  const form = FORMS.find(([, pattern]) => pattern.test(text));
  if (form) return form[0];
  if (MOMENT.test(text)) return momentForm(text);
  if (LETTERS.test(text)) return 'text';
  // Only the signs between numbers are shown, for example "9:9".
  const signs = text.replace(/\d+/g, '9');
  return signs.length > SIGNS_MAX ? 'signs' : `signs ${signs}`;
};

/** Returns the kind of a leaf of JSON, of a cell or of a form field. */
export const nameKind = (value: unknown): string => {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return 'true or false';
  if (typeof value === 'number') return Number.isInteger(value) ? 'number' : 'number with decimals';
  return typeof value === 'string' ? kindOfText(value) : 'other';
};

/** Words that names of several words may have, and parts of addresses that are shown. Null allows all of them. */
export interface KnownNames {
  words: ReadonlySet<string>;
  addressParts: ReadonlySet<string>;
}

const IDENTIFIER = /^[A-Za-z_$@][\w$.-]{0,59}$/;
const SEVERAL_WORDS = /^(?=.*\p{L})[\p{L}\p{M}\p{Zs}\d.°º/()%-]{1,60}$/u;
const COUNTERS = /\d+/g;
/** A longer number in a name may be a value. */
const LONG_NUMBER = /\d{4}/;

export const wordsIn = (name: string): string[] =>
  foldText(name)
    .split(/[^a-z]+/)
    .filter((word) => word.length > 2);

/**
 * Returns a name of a key, field or column as it is, but with `#` for numbers in it: an identifier, or several words that
 * names are made of. Anything else may be a value, and becomes its kind.
 */
export const nameOrKind = (name: string, known: KnownNames | null = null): string => {
  const isName =
    IDENTIFIER.test(name) ||
    (SEVERAL_WORDS.test(name) && (known === null || wordsIn(name).every((word) => known.words.has(word))));
  return isName && !LONG_NUMBER.test(name) ? name.replace(COUNTERS, '#') : `{${nameKind(name)}}`;
};
