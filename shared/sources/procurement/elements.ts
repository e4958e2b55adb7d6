/**
 * Reads a page in one pass into a flat list of its elements. A document with selectors takes ten times as long as
 * reading the tags (docs/performance.md). The structure is the tree of htmlparser2, which adds the end tags that HTML
 * allows authors to omit.
 */
import { NestedTooDeep, readHtml } from '../http/html.ts';
import { unexpected } from '../parsing/results.ts';

export interface PageElement {
  name: string;
  attribs: Record<string, string>;
  parent: PageElement | undefined;
  /** Index among all elements, in document order. */
  at: number;
  /** Index of the first element after this element that is not inside this element. */
  until: number;
  /**
   * Range of the element's text pieces: index of the first piece inside the element, and index of the first piece after
   * the element.
   */
  textFrom: number;
  textTo: number;
}

export interface Elements {
  elements: PageElement[];
  /** Text pieces in document order, with entities decoded. Each line break (`<br>`) is a piece of its own. */
  texts: string[];
  /** Indices of the pieces that are line breaks. */
  breaks: ReadonlySet<number>;
  /** Maps the last part of an id to the elements with such an id: `File` finds `ctl02_File`. */
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
      // The parser also reports the end of a tag that the end of the page cuts off, although it never reported the
      // start of this tag.
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

/** Returns the text of an element without the `<br>` line breaks. */
export const plainText = ({ texts, breaks }: Elements, { textFrom, textTo }: PageElement): string => {
  let whole = '';
  for (let at = textFrom; at < textTo; at++) if (!breaks.has(at)) whole += texts[at];
  return whole;
};

/** Returns the text of an element with the `<br>` line breaks. */
export const brokenText = ({ texts }: Elements, { textFrom, textTo }: PageElement): string =>
  textTo - textFrom === 1 ? texts[textFrom]! : texts.slice(textFrom, textTo).join('');
