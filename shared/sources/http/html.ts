/**
 * Reading HTML of a stranger: a closing tag is looked for among all open ones, so that a page of nothing but nested
 * tags takes the square of its length, and a tree of it more calls than a stack holds. Real pages nest some 40 deep.
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

/** Throws `NestedTooDeep`. `pause` of the given parser ends the reading. */
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
 * Texts given to `alert(...)`: how login programs refuse. Nobody reads a longer one, and a limit keeps a page of
 * nothing but beginnings from being read again for each of them.
 */
const ALERT = /alert\s{0,20}\(\s{0,20}(["'])(.{0,500}?)\1\s{0,20}\)/gs;

export const alertsIn = (html: string): string => [...html.matchAll(ALERT)].map((match) => match[2]).join('\n');

const UNSEEN = new Set(['script', 'style', 'a', 'noscript']);

export interface SeenPage {
  alerts: string;
  /** Text a person reads, without links: help on locked passwords is a link on every login page. */
  visible: string;
  hasPasswordField: boolean;
}

/** A page nested too deep says nothing: what it means is not known. */
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
