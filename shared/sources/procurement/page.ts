/** A page of the portal as a document: elements by the end of their id, links out of attributes, form fields. */
import { type CheerioAPI, load } from 'cheerio/slim';
import { decodeText } from '../http/charset.ts';

export interface Page {
  $: CheerioAPI;
  html: string;
}

export const openPage = (body: Uint8Array): Page => {
  const html = decodeText(body);
  return { $: load(html), html };
};

/** ASP.NET may put a prefix before any id (procurement.md §3.1): matched by suffix, a whole word of it. */
export const byId = ({ $ }: Page, id: string) =>
  $(`[id$="${id}"]`).filter((_, element) => {
    const own = element.attribs.id ?? '';
    return own === id || own.endsWith(`_${id}`);
  });

/** Text of the first such element, line breaks kept; undefined when there is none. */
export const textOf = (page: Page, id: string): string | undefined => {
  const found = byId(page, id).first();
  if (found.length === 0) return undefined;
  const copy = found.clone();
  copy.find('br').replaceWith('\n');
  return tidy(copy.text());
};

export const tidy = (text: string): string =>
  text
    .replaceAll('\u00A0', ' ')
    .replaceAll(/[ \t]*\r?\n[ \t]*/g, '\n')
    .trim();

const escaped = (name: string): string => name.replaceAll('.', '\\.');

/**
 * Links to `<name>?<key>=<token>` out of whatever attribute holds them (`href`, `src`, `onclick`), as text: the token
 * is base64 and must not be encoded again (§3.1).
 */
export const linksIn = (attributes: Record<string, string>, name: string, base: string): URL[] => {
  const pattern = new RegExp(`[^'"\\s(]*${escaped(name)}\\?[A-Za-z]+=[A-Za-z0-9%+/=_-]+`, 'gi');
  return Object.values(attributes).flatMap((value) =>
    [...value.matchAll(pattern)].flatMap(([link]) => (URL.canParse(link, base) ? [new URL(link, base)] : [])),
  );
};

/** Address and hidden fields of the page's form, for a postback (§3.2). */
export const formOf = ({ $ }: Page, base: string): { url: URL; fields: URLSearchParams } | undefined => {
  const form = $('form').first();
  const action = form.attr('action');
  if (action === undefined || !URL.canParse(action, base)) return undefined;
  const fields = new URLSearchParams();
  $('input[type="hidden"]').each((_, input) => {
    const { name, value = '' } = input.attribs;
    if (name) fields.set(name, value);
  });
  return { url: new URL(action, base), fields };
};

export const isDisabled = (attributes: Record<string, string>): boolean =>
  'disabled' in attributes && attributes.disabled !== 'false';
