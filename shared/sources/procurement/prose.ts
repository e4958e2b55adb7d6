/** Converts text that may contain markup: entities, and line breaks as characters or tags (procurement.md §3.3). */
import { NestedTooDeep, readHtml } from '../http/html.ts';
import { tidy } from './page.ts';

const LINES = new Set(['p', 'div', 'li']);

/** A `<` that does not begin one of these tags is part of the author's text. */
const LONE = /<(?!\/?(?:br|p|b|i|u|div|span|strong|em|li|ul|ol)\b)/gi;

export const cleanProse = (text: string): string => {
  if (!/[&<]/.test(text)) return tidy(text);
  let prose = '';
  const handler = {
    ontext: (piece: string) => {
      prose += piece;
    },
    onopentagname: (name: string) => {
      if (name === 'br') prose += '\n';
    },
    onclosetag: (name: string) => {
      if (LINES.has(name)) prose += '\n';
    },
  };
  try {
    readHtml(text.replaceAll(LONE, '&lt;'), () => handler);
  } catch (error) {
    if (!(error instanceof NestedTooDeep)) throw error;
    // If the text is not markup of the portal, the text is only tidied.
    return tidy(text);
  }
  return tidy(prose);
};
