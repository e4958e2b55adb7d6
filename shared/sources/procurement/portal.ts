/**
 * Opens listings. `enc` tokens and view states belong to one load of a page and expire (procurement.md §3.1, §3.2), so
 * a later request starts again from the tender's code.
 */
import { reading, unexpected } from '../parsing/results.ts';
import type { SourceError } from '../source.ts';
import { BOUNDS } from './bounds.ts';
import { plainText } from './elements.ts';
import { attachmentLinks, isKnownTender, offersLink } from './ficha.ts';
import { type FileGrid, findPager } from './grids.ts';
import { bidLink, readOffers } from './offer-grid.ts';
import { type HtmlPage, linksIn, readPageForm } from './page.ts';
import { type FetchedPage, stale, type Web } from './web.ts';
import { ANTECEDENTES_URL, ATTACHMENT_URL, BID_URL, type BidButton, FICHA_URL, OPENING_URL } from './wire.ts';

export type Listing =
  | { kind: 'anexo' }
  /** `item` is the position of the link on the ficha, from 0. */
  | { kind: 'antecedente'; item: number }
  | { kind: 'cuadro' }
  | { kind: 'oferta'; rut: string; oferta: string; boton: BidButton };

export const GRID_OF: Readonly<Record<Exclude<Listing['kind'], 'cuadro'>, FileGrid>> = {
  anexo: 'DWNL',
  antecedente: 'grdAttachment',
  oferta: 'DWNL',
};

const BASE_OF: Readonly<Record<Listing['kind'], string>> = {
  anexo: ATTACHMENT_URL,
  antecedente: ANTECEDENTES_URL,
  cuadro: OPENING_URL,
  oferta: BID_URL,
};

const missing = (what: string): SourceError => unexpected(what, 'the link to it is missing');

/** A tender, and the loaded pages of its summary of offers. These pages are used for the attachments of all offers. */
export interface TenderPortal {
  web: Web;
  codigo: string;
  /** Pages of the summary of offers, by page number. */
  offers: Map<number, FetchedPage>;
}

export const askFicha = async (web: Web, codigo: string): Promise<FetchedPage> => {
  const asked = { page: 'ficha', codigo };
  const page = await web.get('ficha', `${FICHA_URL}?idlicitacion=${encodeURIComponent(codigo)}`, asked);
  if (page.closed) throw page.closed;
  if (page.isStale) throw stale('ficha');
  await reading(asked, page, () => isKnownTender(page, codigo));
  return page;
};

/**
 * Opens the offers in three steps: OpeningFrame, OpeningHeader, SupplySummary. Only a script contains the link to the
 * last step (§3.4).
 */
export const openOffers = async (web: Web, frameUrl: URL): Promise<FetchedPage> => {
  const frame = await web.get('opening frame', frameUrl, { page: 'apertura' });
  if (frame.closed || frame.isStale) return frame;
  const frames = frame.elements.filter(({ name }) => name === 'frame' || name === 'iframe');
  const headerUrl = frames.flatMap(({ attribs }) => linksIn(attribs, 'OpeningHeader.aspx', OPENING_URL))[0];
  if (!headerUrl) throw missing('opening header');
  const head = await web.get('opening header', headerUrl, { page: 'encabezado' });
  if (head.closed || head.isStale) return head;
  const scripts = head.elements.filter(({ name }) => name === 'script').map((element) => plainText(head, element));
  const summaryUrl = linksIn({ script: scripts.join('') }, 'SupplySummary.aspx', OPENING_URL)[0];
  if (!summaryUrl) throw missing('summary of offers');
  return web.get('summary of offers', summaryUrl, { page: 'cuadro' });
};

const postbackOf = (page: HtmlPage, listing: Listing, n: number): { target: string; argument: string } | undefined =>
  listing.kind === 'cuadro'
    ? { target: 'WucPagerGrid$btn_GoToPage', argument: String(n) }
    : findPager(page, GRID_OF[listing.kind], n);

/** Requests page `n` by a postback of page `previous`; returns undefined when `previous` has no link to page `n`. */
export const turnPage = async (
  web: Web,
  previous: HtmlPage,
  listing: Listing,
  n: number,
): Promise<FetchedPage | undefined> => {
  const pager = postbackOf(previous, listing, n);
  const form = readPageForm(previous, BASE_OF[listing.kind]);
  if (!pager || !form) return undefined;
  form.fields.set('__EVENTTARGET', pager.target);
  form.fields.set('__EVENTARGUMENT', pager.argument);
  return web.post(`${listing.kind} page ${n}`, form.url, form.fields, { page: listing.kind, n });
};

/** Opens the first page of a listing, starting from the tender's code. */
const openListing = async (portal: TenderPortal, listing: Listing): Promise<FetchedPage> => {
  const { web, codigo } = portal;
  if (listing.kind === 'oferta') return openBid(portal, listing);
  const ficha = await askFicha(web, codigo);
  if (listing.kind === 'cuadro') {
    const link = offersLink(ficha);
    if (!link) throw missing('opening frame');
    return openOffers(web, link);
  }
  const { anexo, antecedentes } = attachmentLinks(ficha);
  const link = listing.kind === 'anexo' ? anexo : antecedentes[listing.item];
  if (!link) throw missing(listing.kind);
  return web.get(listing.kind, link, { page: listing.kind, n: 1 });
};

const openBid = async (portal: TenderPortal, bid: Extract<Listing, { kind: 'oferta' }>): Promise<FetchedPage> => {
  const { web, codigo, offers } = portal;
  const summary = { kind: 'cuadro' } as const;
  let page: FetchedPage | undefined = offers.get(1) ?? (await openListing(portal, summary));
  for (let n = 1; page && !page.closed && !page.isStale; n++) {
    offers.set(n, page);
    const { rows, pages } = readOffers(page, { codigo, currency: null }, n, `cuadro/${n}`);
    const own = rows.find(({ rut, nombre }) => rut === bid.rut && nombre === bid.oferta);
    const link = own && bidLink(page, own, bid.boton);
    if (link) return web.get('bid attachments', link, { page: 'oferta', n: 1 });
    if (n >= Math.min(BOUNDS.offerPagesMax, pages)) break;
    page = offers.get(n + 1) ?? (await turnPage(web, page, summary, n + 1));
  }
  throw missing('bid attachments');
};

/** Opens page `n` of a listing, starting from the tender's code. A closed or stale page is returned unchanged. */
export const reach = async (portal: TenderPortal, listing: Listing, n: number): Promise<FetchedPage> => {
  let page = await openListing(portal, listing);
  for (let at = 2; at <= n && !page.closed && !page.isStale; at++) {
    const next = await turnPage(portal.web, page, listing, at);
    if (!next) throw missing(`${listing.kind} page ${at}`);
    page = next;
  }
  return page;
};
