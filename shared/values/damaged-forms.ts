/**
 * Recognizes texts that were damaged on their way: letters that became `?` or U+FFFD, UTF-8 that was encoded twice, and
 * HTML entities that were left in a text. Pure.
 */

/** The characters of Windows-1252 for the bytes 80 to 9F. A blank fills the position of a byte without a character. */
const HIGH =
  '\u20AC \u201A\u0192\u201E\u2026\u2020\u2021\u02C6\u2030\u0160\u2039\u0152 \u017D  \u2018\u2019\u201C\u201D\u2022\u2013\u2014\u02DC\u2122\u0161\u203A\u0153 \u017E\u0178';
const FIRST_HIGH = 0x80;
const NEXT = `[\\u0080-\\u00BF${HIGH.replaceAll(' ', '')}]`;
/** A character beyond ASCII as its bytes of UTF-8 look in ISO-8859-1 or Windows-1252: `Ã±` is ñ, `â€œ` is a quotation mark. */
const TWICE = new RegExp(`[\\u00C2\\u00C3]${NEXT}|\\u00E2${NEXT}{2}`, 'g');
/** The first bytes of most letters of Spanish. */
const LEADS = /[\u00C2\u00C3]/g;

const byteOf = (character: string): number => {
  const at = HIGH.indexOf(character);
  return at < 0 ? character.charCodeAt(0) : FIRST_HIGH + at;
};

const decodePair = (pair: string): string => {
  const [lead = 0, ...next] = [...pair].map(byteOf);
  const first = next.length === 1 ? lead & 0x1f : lead & 0x0f;
  return String.fromCharCode(next.reduce((code, byte) => code * 64 + (byte & 0x3f), first));
};

const countMatches = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** Returns the number of characters of one text that were encoded twice: 0 unless all its pairs decode. */
const countTwice = (text: string): number => {
  const pairs = text.match(TWICE) ?? [];
  const led = pairs.filter((pair) => pair.length === 2).length;
  return led === countMatches(text, LEADS) ? pairs.length : 0;
};

const SIGN_OF_TWICE = /[\u00C2\u00C3\u00E2]/;
/** Characters between the texts of an answer in JSON, CSV or HTML. */
const BETWEEN_TEXTS = /["<>;\r\n]+/;

const ESCAPED = /\\u([0-9a-f]{4})/gi;

const unescaped = (text: string): string =>
  text.includes('\\u')
    ? text.replaceAll(ESCAPED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;

/** Returns the number of damaged characters in an answer: U+FFFD, and characters that were encoded twice. */
export const countDamage = (answer: string): number => {
  const text = unescaped(answer);
  const suspects = SIGN_OF_TWICE.test(text) ? text.split(BETWEEN_TEXTS) : [];
  return countMatches(text, /\uFFFD/g) + suspects.reduce((sum, each) => sum + countTwice(each), 0);
};

const ACCENTS: Readonly<Record<string, string>> = {
  acute: '\u0301',
  grave: '\u0300',
  circ: '\u0302',
  tilde: '\u0303',
  uml: '\u0308',
  cedil: '\u0327',
};
const SIGNS: Readonly<Record<string, string>> = {
  ...{ amp: '&', quot: '"', apos: "'", lt: '<', gt: '>', nbsp: '\u00A0' },
  ...{ iexcl: '¡', iquest: '¿', ordf: 'ª', ordm: 'º', deg: '°', middot: '·', laquo: '«', raquo: '»' },
};
const ENTITY = new RegExp(
  `&(?:(?<letter>[A-Za-z])(?<accent>${Object.keys(ACCENTS).join('|')})|(?<sign>${Object.keys(SIGNS).join('|')})|#(?<decimal>\\d{2,5})|#x(?<hex>[0-9A-Fa-f]{2,4}));`,
  'g',
);

/** Returns the number of HTML entities in an answer whose format has no entities. */
export const countEntities = (answer: string): number => countMatches(answer, ENTITY);

const withoutEntities = (text: string): string =>
  text.replaceAll(ENTITY, (...match) => {
    const { letter, accent = '', sign, decimal, hex = '' } = match.at(-1) as Record<string, string | undefined>;
    if (letter !== undefined) return `${letter}${ACCENTS[accent]}`.normalize('NFC');
    if (sign !== undefined) return SIGNS[sign] ?? '';
    return String.fromCharCode(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal));
  });

const SUSPECT = /[?\uFFFD\u00C2\u00C3\u00E2]|&[#A-Za-z]\w+;/;
/** Signs for lost characters. The first byte of a pair is one if the second byte was lost. */
const LOST = /([?\uFFFD\u00C2\u00C3]+)/;

/** True if a text of the value may be damaged. A row as JSON is also a text. */
export const maybeDamaged = (value: unknown): boolean => {
  if (typeof value === 'string') return SUSPECT.test(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(maybeDamaged);
};

/** Returns the length of the character at this position if damage may replace the character, otherwise 0. */
const damagedLength = (text: string, at: number): number => {
  const code = text.codePointAt(at) ?? 0;
  if (code <= 0x7f) return text[at] === '?' ? 1 : 0;
  return code > 0xffff ? 2 : 1;
};

/** Returns the positions after 1 to `most` characters that damage may replace. */
const skipDamaged = (text: string, from: number, most: number): number[] => {
  const positions: number[] = [];
  for (let at = from, length = 0; positions.length < most; positions.push(at)) {
    length = damagedLength(text, at);
    if (length === 0) break;
    at += length;
  }
  return positions;
};

/**
 * True if the shown text is the stored text after damage. A run of signs for lost characters replaces at most as many
 * characters beyond ASCII. It may replace fewer, because one character has several bytes.
 */
export const isDamagedForm = (shown: string, stored: string): boolean => {
  if (shown === stored || !SUSPECT.test(shown)) return false;
  const decoded = withoutEntities(shown).replaceAll(TWICE, decodePair);
  // Positions that the parts so far may end at. A regular expression would take exponential time for some texts.
  let ends = new Set([0]);
  for (const [n, part] of decoded.split(LOST).entries())
    ends = new Set(
      [...ends].flatMap((at) => {
        if (n % 2 === 1) return skipDamaged(stored, at, part.length);
        return stored.startsWith(part, at) ? [at + part.length] : [];
      }),
    );
  return ends.has(stored.length);
};

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/**
 * Returns the shown value with each damaged text replaced by the stored text. Lists are compared by position. Returns
 * the same value if no text is damaged.
 */
export const restoreTexts = <Value>(shown: Value, stored: unknown): Value => {
  if (typeof shown === 'string')
    return typeof stored === 'string' && isDamagedForm(shown, stored) ? (stored as Value) : shown;
  if (!isRecord(shown) || !isRecord(stored) || Array.isArray(shown) !== Array.isArray(stored)) return shown;
  const changed = Object.entries(shown).flatMap(([key, value]) => {
    const restored = restoreTexts(value, stored[key]);
    return restored === value ? [] : [[key, restored] as const];
  });
  if (changed.length === 0) return shown;
  return (
    Array.isArray(shown)
      ? Object.assign([...shown], Object.fromEntries(changed))
      : { ...shown, ...Object.fromEntries(changed) }
  ) as Value;
};
