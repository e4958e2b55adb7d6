/**
 * A page as a flat list of its elements, read in one pass: a document with selectors took ten times as long as reading
 * its tags (docs/performance.md). The tree is that of htmlparser2, with the closings that HTML leaves out.
 */
import { NestedTooDeep, readHtml } from '../http/html.ts';
import { unexpected } from '../parsing/results.ts';

export interface PageElement {
  name: string;
  attribs: Record<string, string>;
  parent: PageElement | undefined;
  /** Its place among all elements, in the order of the page. */
  at: number;
  /** Place of the first element that is not inside it. */
  until: number;
  /** Pieces of text inside it: the first, and the first after it. */
  textFrom: number;
  textTo: number;
}

export interface Elements {
  elements: PageElement[];
  /** Pieces of text in the order of the page, entities decoded; a line break of the page is one, too. */
  texts: string[];
  /** Which pieces are line breaks. */
  breaks: ReadonlySet<number>;
  /** Elements by the last word of their id: `ctl02_File` → `File`. */
  byLastWord: ReadonlyMap<string, PageElement[]>;
}

const wholly = (...[html, handler]: Parameters<typeof readHtml>): void => {
  try {
    readHtml(html, handler);
  } catch (error) {
    if (!(error instanceof NestedTooDeep)) throw error;
    throw unexpected('page', error.message);
  }
};

export const lastWord = (id: string): string => id.slice(id.lastIndexOf('_') + 1);

export const readElements = (html: string): Elements => {
  const elements: PageElement[] = [];
  const texts: string[] = [];
  const breaks = new Set<number>();
  const byLastWord = new Map<string, PageElement[]>();
  let open: PageElement | undefined;
  wholly(html, () => ({
    onopentag: (name, attribs) => {
      if (name === 'br') breaks.add(texts.push('\n') - 1);
      const at = elements.length;
      const textFrom = texts.length;
      open = { name, attribs, parent: open, at, until: at + 1, textFrom, textTo: textFrom };
      elements.push(open);
      const { id } = attribs;
      if (id === undefined) return;
      const word = lastWord(id);
      const known = byLastWord.get(word);
      if (known) known.push(open);
      else byLastWord.set(word, [open]);
    },
    onclosetag: () => {
      // A tag cut off by the end of the page is closed without having been opened.
      if (!open) return;
      open.until = elements.length;
      open.textTo = texts.length;
      open = open.parent;
    },
    ontext: (text) => {
      texts.push(text);
    },
  }));
  return { elements, texts, breaks, byLastWord };
};

/** Text of an element, line breaks of the page left out. */
export const plainText = ({ texts, breaks }: Elements, { textFrom, textTo }: PageElement): string => {
  let whole = '';
  for (let at = textFrom; at < textTo; at++) if (!breaks.has(at)) whole += texts[at];
  return whole;
};

/** Text of an element, line breaks of the page as such. */
export const brokenText = ({ texts }: Elements, { textFrom, textTo }: PageElement): string =>
  textTo - textFrom === 1 ? texts[textFrom]! : texts.slice(textFrom, textTo).join('');
