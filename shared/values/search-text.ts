/** What `q` looks in and how it is compared (decisions.md §7). Pure. */

const FIELD = '\u0001';
/** What is looked for may not reach over a field or row: a text that holds a control character is found nowhere. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is meant
const CONTROL = /[\u0000-\u001f]/g;

/** Lower case without accents: `Ñandú` → `nandu`. */
export const foldText = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

const bareRut = (text: string): string => foldText(text).replaceAll(/[.-]/g, '');

/** What `q` looks in: the texts as they are, the tax ids without dots and dash, these last. Half a pair is U+FFFD. */
export const searchText = (texts: readonly (string | null)[], rut: string | null): string =>
  [...texts.map((text) => foldText(text ?? '')), bareRut(rut ?? '')]
    .map((text) => text.replaceAll(CONTROL, ' ').toWellFormed())
    .join(FIELD);

/** Is it what `q` asks for? A tax id may be asked for with dots and dash too. */
export const textMatcher = (q: string): ((text: string) => boolean) => {
  const asked = foldText(q);
  if (asked === '' || asked.search(CONTROL) >= 0) return () => false;
  const rut = bareRut(q);
  if (rut === '' || rut === asked) return (text) => text.includes(asked);
  return (text) => text.includes(asked) || text.slice(text.lastIndexOf(FIELD) + 1).includes(rut);
};
