/** The ficha: is there a tender, and where its parts are (procurement.md §3.1). */
import type { PageElement } from './elements.ts';
import { byId, isDisabled, linksIn, type Page, showsElement, textOf } from './page.ts';
import { type Place, unreadable } from './values.ts';
import { FICHA_URL } from './wire.ts';

const isSection = ({ name, attribs }: Pick<PageElement, 'name' | 'attribs'>): boolean =>
  name === 'div' && attribs.id !== undefined && /(?:^|_)Ficha[1-9]$/.test(attribs.id);

/** A nonexistent code yields a page without any section (§3.1). */
export const hasSections = ({ elements }: Page): boolean => elements.some(isSection);

/** As `hasSections`, where nothing else of the 240 KB is wanted. */
export const showsSections = (body: Uint8Array): boolean => showsElement(body, isSection);

/** The page must be that of the tender that was asked for. Small tenders may leave out the label (§3.1). */
export const checkCodigo = (page: Page, codigo: string, place: Place): void => {
  const shown = textOf(page, 'lblNumLicitacion');
  if (shown !== undefined && shown.toUpperCase() !== codigo)
    throw unreadable(place, 'lblNumLicitacion', 'is that of another tender');
};

const buttonLinks = (page: Page, id: string, target: string): URL[] => {
  const attributes = byId(page, id)?.attribs;
  return attributes === undefined || isDisabled(attributes) ? [] : linksIn(attributes, target, FICHA_URL);
};

export interface AttachmentLinks {
  anexo: URL | undefined;
  /** The variant that asks for an image CAPTCHA (§3.2): never opened. */
  isCaptcha: boolean;
  antecedentes: URL[];
}

export const attachmentLinks = (page: Page): AttachmentLinks => {
  const antecedentes = new Map<string, URL>();
  // Links and buttons of items, wherever they stand.
  for (const { attribs } of page.elements) {
    if (!attribs.href?.includes('VerAntecedentes') && !attribs.onclick?.includes('VerAntecedentes')) continue;
    for (const link of linksIn(attribs, 'VerAntecedentes.aspx', FICHA_URL)) antecedentes.set(link.href, link);
  }
  return {
    anexo: buttonLinks(page, 'imgAdjuntos', 'ViewAttachment.aspx')[0],
    isCaptcha: buttonLinks(page, 'imgAdjuntos', 'ViewAttachmentLC.aspx').length > 0,
    antecedentes: [...antecedentes.values()],
  };
};

/** Undefined until the opening: the button is disabled (§3.4). */
export const offersLink = (page: Page): URL | undefined => buttonLinks(page, 'imgCuadroOferta', 'OpeningFrame.aspx')[0];

/** The signed terms come by a postback of the ficha itself (§3.1): the control to be pressed, if it is there. */
export const signedTerms = (page: Page): string | undefined => {
  const attributes = byId(page, 'descargar_pdf_baseFirmada')?.attribs;
  if (attributes === undefined || isDisabled(attributes)) return undefined;
  const script = `${attributes.href ?? ''} ${attributes.onclick ?? ''}`;
  return /__doPostBack\(['"]([^'"]+)['"]/.exec(script)?.[1] ?? attributes.name;
};
