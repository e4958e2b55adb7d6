/** The ficha shows whether the tender exists, and links to the tender's parts (procurement.md §3.1). */
import { byId, findText, type HtmlPage, isDisabled, linksIn, readPageForm, readWords, saysError } from './page.ts';
import { type FieldPath, unreadable } from './values.ts';
import { FICHA_URL } from './wire.ts';

const SECTION = /(?:^|_)Ficha([1-9])$/;

export const hasSection = ({ elements }: HtmlPage, n: number): boolean =>
  elements.some(({ name, attribs }) => name === 'div' && SECTION.exec(attribs.id ?? '')?.[1] === String(n));

const hasSections = ({ elements }: HtmlPage): boolean =>
  elements.some(({ name, attribs }) => name === 'div' && attribs.id !== undefined && SECTION.test(attribs.id));

/** True if the page has any label of a tender. */
const hasLabels = ({ elements }: HtmlPage): boolean =>
  elements.some(
    ({ attribs }) => attribs.id !== undefined && /(?:^|_)(?:lblFicha\d|lblNumLicitacion$)/.test(attribs.id),
  );

/**
 * True if the page says that the tender does not exist. For an unknown code the portal shows a ficha without sections
 * (§3.1) or a message. An error page shows neither of these, and a page that shows the code is a ficha in another form.
 */
const saysUnknown = (page: HtmlPage, codigo: string): boolean => {
  if (hasLabels(page)) return false;
  const words = readWords(page);
  if (/no\s+(?:existe|se\s+encuentra|se\s+encontr)/i.test(words) && /licitaci/i.test(words)) return true;
  const isOwn = /DetailsAcquisition\.aspx$/i.test(readPageForm(page, FICHA_URL)?.url.pathname ?? '');
  return isOwn && !saysError(page) && !words.toUpperCase().includes(codigo);
};

/** True if the portal knows the tender. Throws for a page that is neither a ficha nor a "does not exist" message. */
export const isKnownTender = (page: HtmlPage, codigo: string, place: FieldPath = 'ficha'): boolean => {
  if (!hasSections(page)) {
    if (saysUnknown(page, codigo)) return false;
    throw unreadable(place, 'sections', 'are missing, and the page does not say that the tender does not exist');
  }
  const shown = findText(page, 'lblNumLicitacion');
  if (!shown) throw unreadable(place, 'lblNumLicitacion', 'is missing');
  if (shown.toUpperCase() !== codigo) throw unreadable(place, 'lblNumLicitacion', 'is that of another tender');
  return true;
};

interface Button {
  isDisabled: boolean;
  links(target: string): URL[];
}

const buttonOf = (page: HtmlPage, id: string): Button => {
  const attributes = byId(page, id)?.attribs;
  if (attributes === undefined) throw unreadable('ficha', id, 'is missing');
  return { isDisabled: isDisabled(attributes), links: (target) => linksIn(attributes, target, FICHA_URL) };
};

export interface AttachmentLinks {
  anexo: URL | undefined;
  /** True for the variant of a listing that requires an image CAPTCHA (§3.2). The adapter never opens this variant. */
  isCaptcha: boolean;
  antecedentes: URL[];
}

const isAntecedente = ({ href, onclick }: Record<string, string>): boolean =>
  /VerAntecedentes/.test(href ?? '') || /VerAntecedentes/.test(onclick ?? '');

export const attachmentLinks = (page: HtmlPage): AttachmentLinks => {
  const antecedentes = new Map<string, URL>();
  // Links and buttons of items may be anywhere on the page.
  for (const { attribs } of page.elements) {
    if (!isAntecedente(attribs)) continue;
    const links = linksIn(attribs, 'VerAntecedentes.aspx', FICHA_URL);
    if (links.length === 0) throw unreadable('ficha', 'VerAntecedentes', 'is a link of another shape');
    for (const link of links) antecedentes.set(link.href, link);
  }
  const button = buttonOf(page, 'imgAdjuntos');
  const anexo = button.isDisabled ? undefined : button.links('ViewAttachment.aspx')[0];
  const isCaptcha = !button.isDisabled && button.links('ViewAttachmentLC.aspx').length > 0;
  if (!button.isDisabled && anexo === undefined && !isCaptcha)
    throw unreadable('ficha', 'imgAdjuntos', 'leads to no listing');
  return { anexo, isCaptcha, antecedentes: [...antecedentes.values()] };
};

/**
 * Returns the link to the offers; undefined until the opening, because the button is disabled before the opening
 * (§3.4).
 */
export const offersLink = (page: HtmlPage): URL | undefined => {
  const button = buttonOf(page, 'imgCuadroOferta');
  if (button.isDisabled) return undefined;
  const [link] = button.links('OpeningFrame.aspx');
  if (!link) throw unreadable('ficha', 'imgCuadroOferta', 'leads to no opening');
  return link;
};

/**
 * Returns the name of the control that downloads the signed terms, if the page has this control. The download is a
 * postback of the ficha (§3.1).
 */
export const signedTerms = (page: HtmlPage): string | undefined => {
  const attributes = byId(page, 'descargar_pdf_baseFirmada')?.attribs;
  if (attributes === undefined || isDisabled(attributes)) return undefined;
  const script = `${attributes.href ?? ''} ${attributes.onclick ?? ''}`;
  return /__doPostBack\(['"]([^'"]+)['"]/.exec(script)?.[1] ?? attributes.name;
};
