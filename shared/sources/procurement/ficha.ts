/** The ficha: whether the tender exists, and where its parts are (procurement.md §3.1). */
import { byId, formOf, isDisabled, linksIn, type Page, saysError, textOf, wordsOf } from './page.ts';
import { type Place, unreadable } from './values.ts';
import { FICHA_URL } from './wire.ts';

const SECTION = /(?:^|_)Ficha([1-9])$/;

export const hasSection = ({ elements }: Page, n: number): boolean =>
  elements.some(({ name, attribs }) => name === 'div' && SECTION.exec(attribs.id ?? '')?.[1] === String(n));

const hasSections = ({ elements }: Page): boolean =>
  elements.some(({ name, attribs }) => name === 'div' && attribs.id !== undefined && SECTION.test(attribs.id));

/** True if the page has labels of a tender anywhere. */
const hasLabels = ({ elements }: Page): boolean =>
  elements.some(
    ({ attribs }) => attribs.id !== undefined && /(?:^|_)(?:lblFicha\d|lblNumLicitacion$)/.test(attribs.id),
  );

/**
 * For an unknown code the portal shows a ficha without any section (§3.1), or says that the tender does not exist. An
 * error page does neither, and a page that shows the code is a ficha in another form.
 */
const saysUnknown = (page: Page, codigo: string): boolean => {
  if (hasLabels(page)) return false;
  const words = wordsOf(page);
  if (/no\s+(?:existe|se\s+encuentra|se\s+encontr)/i.test(words) && /licitaci/i.test(words)) return true;
  const isOwn = /DetailsAcquisition\.aspx$/i.test(formOf(page, FICHA_URL)?.url.pathname ?? '');
  return isOwn && !saysError(page) && !words.toUpperCase().includes(codigo);
};

/** True if the portal knows the tender. Throws for a page that is neither a ficha nor a "does not exist" message. */
export const isKnownTender = (page: Page, codigo: string, place: Place = 'ficha'): boolean => {
  if (!hasSections(page)) {
    if (saysUnknown(page, codigo)) return false;
    throw unreadable(place, 'sections', 'are missing, and the page does not say that the tender does not exist');
  }
  const shown = textOf(page, 'lblNumLicitacion');
  if (!shown) throw unreadable(place, 'lblNumLicitacion', 'is missing');
  if (shown.toUpperCase() !== codigo) throw unreadable(place, 'lblNumLicitacion', 'is that of another tender');
  return true;
};

interface Button {
  isDisabled: boolean;
  links(target: string): URL[];
}

const buttonOf = (page: Page, id: string): Button => {
  const attributes = byId(page, id)?.attribs;
  if (attributes === undefined) throw unreadable('ficha', id, 'is missing');
  return { isDisabled: isDisabled(attributes), links: (target) => linksIn(attributes, target, FICHA_URL) };
};

export interface AttachmentLinks {
  anexo: URL | undefined;
  /** True for the variant that requires an image CAPTCHA (§3.2); it is never opened. */
  isCaptcha: boolean;
  antecedentes: URL[];
}

const isAntecedente = ({ href, onclick }: Record<string, string>): boolean =>
  /VerAntecedentes/.test(href ?? '') || /VerAntecedentes/.test(onclick ?? '');

export const attachmentLinks = (page: Page): AttachmentLinks => {
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

/** Undefined until the opening: before it the button exists but is disabled (§3.4). */
export const offersLink = (page: Page): URL | undefined => {
  const button = buttonOf(page, 'imgCuadroOferta');
  if (button.isDisabled) return undefined;
  const [link] = button.links('OpeningFrame.aspx');
  if (!link) throw unreadable('ficha', 'imgCuadroOferta', 'leads to no opening');
  return link;
};

/** Name of the control that downloads the signed terms by a postback of the ficha (§3.1), if the page has one. */
export const signedTerms = (page: Page): string | undefined => {
  const attributes = byId(page, 'descargar_pdf_baseFirmada')?.attribs;
  if (attributes === undefined || isDisabled(attributes)) return undefined;
  const script = `${attributes.href ?? ''} ${attributes.onclick ?? ''}`;
  return /__doPostBack\(['"]([^'"]+)['"]/.exec(script)?.[1] ?? attributes.name;
};
