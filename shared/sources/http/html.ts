/**
 * Reads HTML of unknown origin with a limit on nesting. The parser looks for a closing tag among all open tags, so a
 * page of only nested tags takes quadratic time, and a recursive walk of its tree overflows the stack. Real pages have
 * about 40 levels.
 */
import { Parser } from 'htmlparser2';
import { AppError } from '#shared/values/app-error.ts';

const DEPTH_MAX = 256;

export class NestedTooDeep extends AppError {
  constructor() {
    super(`tags nested more than ${DEPTH_MAX} deep`);
  }
}

type HtmlHandler = NonNullable<ConstructorParameters<typeof Parser>[0]>;

/**
 * Calls the handler for each part of the page; `pause` of the passed parser stops the reading. Throws `NestedTooDeep`.
 */
export const readHtml = (html: string, handler: (parser: Pick<Parser, 'pause'>) => Partial<HtmlHandler>): void => {
  let depth = 0;
  const own = handler({ pause: () => parser.pause() });
  const parser: Parser = new Parser({
    ...own,
    onopentagname: (name) => {
      if (++depth > DEPTH_MAX) throw new NestedTooDeep();
      own.onopentagname?.(name);
    },
    onclosetag: (name, isImplied) => {
      depth--;
      own.onclosetag?.(name, isImplied);
    },
  });
  parser.end(html);
};

/**
 * Texts passed to `alert(...)`, by which login programs show a refusal. The length limit bounds the work on a page with
 * many unfinished calls.
 */
const ALERT = /alert\s{0,20}\(\s{0,20}(["'])(.{0,500}?)\1\s{0,20}\)/gs;

export const alertsIn = (html: string): string => [...html.matchAll(ALERT)].map((match) => match[2]).join('\n');

const UNSEEN = new Set(['script', 'style', 'a', 'noscript']);

export interface SeenPage {
  alerts: string;
  /**
   * Text that a person reads on the page. Links are left out, because every login page has a link to help on locked
   * passwords, which looks like a refusal.
   */
  visible: string;
  hasPasswordField: boolean;
}

/** Reads a page. A page with too many levels counts as empty, because its meaning is unknown. */
export const seePage = (html: string): SeenPage => {
  let visible = '';
  let hasPasswordField = false;
  const unseen: string[] = [];
  try {
    readHtml(html, () => ({
      onopentag: (name, { type, name: field }) => {
        if (UNSEEN.has(name)) unseen.push(name);
        if (name === 'input' && (type?.toLowerCase() === 'password' || field === 'clave')) hasPasswordField = true;
      },
      onclosetag: (name) => {
        if (unseen.at(-1) === name) unseen.pop();
      },
      ontext: (text) => {
        if (unseen.length === 0) visible += text;
      },
    }));
  } catch (error) {
    if (!(error instanceof NestedTooDeep)) throw error;
    return { alerts: '', visible: '', hasPasswordField: false };
  }
  return { alerts: alertsIn(html), visible: visible.replaceAll(/\s+/g, ' '), hasPasswordField };
};

/**
 * Returns a text in lower case, with single blanks and without accents, because of "Check markers case-insensitively
 * after decoding" (banks.md §3.3).
 */
export const foldText = (text: string): string =>
  // Accents that are separate characters are removed first, because normalization sorts a long sequence of accents in
  // quadratic time.
  text.replaceAll(/\p{M}/gu, '').normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll(/\s+/g, ' ');
