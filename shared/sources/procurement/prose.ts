/** Text that may hold markup: entities and line breaks, as tags, too (procurement.md §3.3). */
import { Parser } from 'htmlparser2';
import { tidy } from './page.ts';

const LINES = new Set(['p', 'div', 'li']);

/** A lone `<` is what somebody wrote; only what is markup is read as such. */
const LONE = /<(?!\/?(?:br|p|b|i|u|div|span|strong|em|li|ul|ol)\b)/gi;

export const proseOf = (text: string): string => {
  if (!/[&<]/.test(text)) return tidy(text);
  let prose = '';
  const parser = new Parser({
    ontext: (piece) => {
      prose += piece;
    },
    onopentagname: (name) => {
      if (name === 'br') prose += '\n';
    },
    onclosetag: (name) => {
      if (LINES.has(name)) prose += '\n';
    },
  });
  parser.end(text.replaceAll(LONE, '&lt;'));
  return tidy(prose);
};
