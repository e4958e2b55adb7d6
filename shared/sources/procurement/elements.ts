/**
 * Reads a page in one pass into a flat list of its elements. A document with selectors took ten times as long as
 * reading the tags (docs/performance.md). The tree is that of htmlparser2, including the end tags that HTML allows to
 * omit.
 */
import { NestedTooDeep, readHtml } from '../http/html.ts';
import { unexpected } from '../parsing/results.ts';

export interface PageElement {
  name: string;
  attribs: Record<string, string>;
  parent: PageElement | undefined;
  /** Index among all elements, in document order. */
  at: number;
  /** Index of the first element that is not inside this one. */
  until: number;
  /** Text pieces inside the element: index of the first, and of the first after the element. */
  textFrom: number;
  textTo: number;
}

export interface Elements {
  elements: PageElement[];
  /** Text pieces in document order, with entities decoded; each line break (`<br>`) is a piece. */
  texts: string[];
  /** Indices of the pieces that are line breaks. */
  breaks: ReadonlySet<number>;
  /** Elements by the last part of their id: `ctl02_File` → `File`. */
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
      // A tag that the end of the page cuts off is closed without having been opened.
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

/** Text of an element, without line breaks of the page. */
export const plainText = ({ texts, breaks }: Elements, { textFrom, textTo }: PageElement): string => {
  let whole = '';
  for (let at = textFrom; at < textTo; at++) if (!breaks.has(at)) whole += texts[at];
  return whole;
};

/** Text of an element, with line breaks of the page. */
export const brokenText = ({ texts }: Elements, { textFrom, textTo }: PageElement): string =>
  textTo - textFrom === 1 ? texts[textFrom]! : texts.slice(textFrom, textTo).join('');
