/** Defines the text that `q` searches and how it is compared (decisions.md §7). Pure. */

const FIELD = '\u0001';
/** Separates tax ids, which are all in the last field. */
const RUT = '\u0003';
/** Ends the value that is only compared as a whole. */
const EXACT = '\u0002';
/** A match must not span two fields or rows. Therefore a search text with a control character matches nothing. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is meant
const CONTROL = /[\u0000-\u001f]/g;

/** Returns the text in lower case without accents: `Ñandú` → `nandu`. */
export const foldText = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

const plain = (text: string): string => text.replaceAll(CONTROL, ' ').toWellFormed();

const bareRut = (text: string): string => foldText(text).replaceAll(/[.-]/g, '');

/**
 * Returns the searched text of a row: the texts in folded form, then the tax ids without dots and dash. Half of a
 * surrogate pair becomes U+FFFD. `exact` comes before them, and `q` does not search it.
 */
export const searchText = (
  texts: readonly (string | null)[],
  ruts: readonly (string | null)[],
  exact?: string | null,
): string => {
  const bare = ruts.map((rut) => plain(bareRut(rut ?? ''))).join(RUT);
  const searched = [...texts.map((text) => plain(foldText(text ?? ''))), bare].join(FIELD);
  return exact === undefined ? searched : `${plain(exact ?? '')}${EXACT}${searched}`;
};

/** Returns a function that checks whether a row has the exact value and matches `q`. Absent parts match every row. */
export const rowMatcher = ({ q, exact }: { q?: string | undefined; exact?: string | undefined }) => {
  const matches = q === undefined ? () => true : textMatcher(q);
  return (text: string): boolean => {
    const at = text.indexOf(EXACT);
    return (exact === undefined || text.slice(0, Math.max(at, 0)) === exact) && matches(text.slice(at + 1));
  };
};

/** Returns a function that checks whether a text matches `q`. A tax id in `q` may also have dots and dash. */
export const textMatcher = (q: string): ((text: string) => boolean) => {
  const asked = foldText(q);
  if (asked === '' || asked.search(CONTROL) >= 0) return () => false;
  const rut = bareRut(q);
  if (rut === '' || rut === asked) return (text) => text.includes(asked);
  return (text) => text.includes(asked) || text.slice(text.lastIndexOf(FIELD) + 1).includes(rut);
};
