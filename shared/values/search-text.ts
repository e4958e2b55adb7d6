/** Defines the text that `q` searches and how it is compared (decisions.md §7). Pure. */

const FIELD = '\u0001';
/** A match must not span two fields or rows. Therefore a search text with a control character matches nothing. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is meant
const CONTROL = /[\u0000-\u001f]/g;

/** Returns the text in lower case without accents: `Ñandú` → `nandu`. */
export const foldText = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

const bareRut = (text: string): string => foldText(text).replaceAll(/[.-]/g, '');

/**
 * Returns the searched text of a row: the texts in folded form, then the tax id without dots and dash. Half of a
 * surrogate pair becomes U+FFFD.
 */
export const searchText = (texts: readonly (string | null)[], rut: string | null): string =>
  [...texts.map((text) => foldText(text ?? '')), bareRut(rut ?? '')]
    .map((text) => text.replaceAll(CONTROL, ' ').toWellFormed())
    .join(FIELD);

/** Returns a function that checks whether a text matches `q`. A tax id in `q` may also have dots and dash. */
export const textMatcher = (q: string): ((text: string) => boolean) => {
  const asked = foldText(q);
  if (asked === '' || asked.search(CONTROL) >= 0) return () => false;
  const rut = bareRut(q);
  if (rut === '' || rut === asked) return (text) => text.includes(asked);
  return (text) => text.includes(asked) || text.slice(text.lastIndexOf(FIELD) + 1).includes(rut);
};
