/** A page of the portal: its elements by the end of their id, links from attributes, form fields. */
import { isUtf8 } from 'node:buffer';
import { decodeText } from '../http/charset.ts';
import { brokenText, type Elements, lastWord, type PageElement, plainText, readElements } from './elements.ts';

export interface HtmlPage extends Elements {
  html: string;
  /** True if some bytes are not valid characters. */
  isDamaged: boolean;
}

export const openPage = (body: Uint8Array): HtmlPage => {
  const html = decodeText(body);
  return { ...readElements(html), html, isDamaged: html.includes('\uFFFD') && !isUtf8(body) };
};

/**
 * Returns the first element with the id. ASP.NET may put a prefix before any id (procurement.md §3.1), so only the last
 * part is compared, as a whole.
 */
export const byId = ({ byLastWord }: HtmlPage, id: string): PageElement | undefined => {
  const prefixed = `_${id}`;
  return byLastWord
    .get(lastWord(id))
    ?.find(({ attribs }) => attribs.id === id || attribs.id?.endsWith(prefixed) === true);
};

/** Returns the text of the first element with the id, including line breaks; undefined when no element has the id. */
export const findText = (page: HtmlPage, id: string): string | undefined => {
  const found = byId(page, id);
  return found && tidy(brokenText(page, found));
};

/** Returns the text that a person would read on the page. */
export const readWords = (page: HtmlPage): string => {
  const body = page.elements.find(({ name }) => name === 'body');
  return body ? plainText(page, body) : '';
};

const HEADINGS: ReadonlySet<string> = new Set(['title', 'h1', 'h2', 'h3', 'p']);
const ERROR =
  /(?<!\p{L})(?:error|errores|problema|problemas|intente|inténtelo|no disponible|fuera de servicio)(?!\p{L})/iu;

/**
 * True if the page shows an error. Only headings and messages are checked, because the subject of a tender may also
 * mention errors.
 */
export const saysError = (page: HtmlPage): boolean =>
  page.elements.some((element) => {
    const { class: words = '', id = '' } = element.attribs;
    const isMessage = /error|mensaje|message|alert/i.test(`${words} ${id}`);
    return (HEADINGS.has(element.name) || isMessage) && ERROR.test(plainText(page, element));
  });

const isBlank = (sign: string | undefined): boolean => sign === ' ' || sign === '\t';

/**
 * Removes blanks at both ends of a line, and the carriage return. This is a loop, because a pattern would backtrack
 * over each blank of a long line.
 */
const withoutMargins = (line: string, at: number, lines: readonly string[]): string => {
  let from = 0;
  let to = line.length;
  if (at < lines.length - 1) {
    if (line[to - 1] === '\r') to--;
    while (to > from && isBlank(line[to - 1])) to--;
  }
  if (at > 0) while (from < to && isBlank(line[from])) from++;
  return line.slice(from, to);
};

export const tidy = (text: string): string => {
  const spaced = text.includes('\u00A0') ? text.replaceAll('\u00A0', ' ') : text;
  return (spaced.includes('\n') ? spaced.split('\n').map(withoutMargins).join('\n') : spaced).trim();
};

const LINKS = new Map<string, RegExp>();

const linkPattern = (name: string): RegExp => {
  const known = LINKS.get(name);
  if (known) return known;
  const pattern = new RegExp(
    `(?<![^'"\\s(])[^'"\\s(]*${name.replaceAll('.', '\\.')}\\?[A-Za-z]+=[A-Za-z0-9%+/=_-]+`,
    'gi',
  );
  LINKS.set(name, pattern);
  return pattern;
};

/**
 * Returns links to `<name>?<key>=<token>` from any attribute that contains them (`href`, `src`, `onclick`). The link
 * stays text: the token is base64 and must not be encoded again (§3.1).
 */
export const linksIn = (attributes: Record<string, string>, name: string, base: string): URL[] => {
  const pattern = linkPattern(name);
  return Object.values(attributes).flatMap((value) =>
    (value.includes('?') ? [...value.matchAll(pattern)] : []).flatMap(([link]) => URL.parse(link, base) ?? []),
  );
};

/** Returns the address and the hidden fields of the page's form, for a postback (§3.2). */
export const readPageForm = (
  { elements }: HtmlPage,
  base: string,
): { url: URL; fields: URLSearchParams } | undefined => {
  const action = elements.find(({ name }) => name === 'form')?.attribs.action;
  if (action === undefined || !URL.canParse(action, base)) return undefined;
  const fields = new URLSearchParams();
  for (const { name: tag, attribs } of elements) {
    const { name, value = '', type } = attribs;
    if (tag === 'input' && type?.toLowerCase() === 'hidden' && name) fields.set(name, value);
  }
  return { url: new URL(action, base), fields };
};

export const isDisabled = (attributes: Record<string, string>): boolean =>
  'disabled' in attributes && attributes.disabled !== 'false';
