/** Fetches and stores every page of a listing: 6 files or 10 offers per page (procurement.md §3.2, §3.4). */
import { checkedAnswer, unexpected } from '../parsing/results.ts';
import type { AskSource, JsonObject } from '../source.ts';
import { BOUNDS } from './bounds.ts';
import { closedListing, isClosedListing } from './closed-pages.ts';
import { requireForm } from './controls.ts';
import { findPager } from './grids.ts';
import { offerCount } from './offer-grid.ts';
import { type HtmlPage, openPage } from './page.ts';
import { GRID_OF, type Listing, reach, turnPage } from './portal.ts';
import { type FetchedPage, stale, type Web } from './web.ts';

export interface ListingPull {
  web: Web;
  ask: AskSource;
  codigo: string;
  listing: Listing;
  /** Prefix of the keys of the listing's answers; the page number is appended. */
  key: string;
  /** Request data that the parser needs; it is stored with each page. */
  asked: JsonObject;
  /** Opens the first page by a new link. */
  open(): Promise<FetchedPage>;
}

export interface KeptPage extends HtmlPage {
  /** True for a page that arrived instead of the listing. */
  isClosed: boolean;
}

/** Opens the listing again once if the link or view state of the page has expired (§3.2). */
const orAnew = async (pull: ListingPull, page: FetchedPage | undefined, n: number): Promise<FetchedPage> => {
  if (page && !page.isStale) return page;
  const anew = await reach({ ...pull, offers: new Map() }, pull.listing, n);
  if (anew.isStale) throw stale(pull.key);
  return anew;
};

const askPage = async (
  pull: ListingPull,
  n: number,
  load: () => Promise<FetchedPage | undefined>,
): Promise<KeptPage> => {
  const answer = await pull.ask(`${pull.key}/${n}`, async () => {
    const page = await orAnew(pull, await load(), n);
    const { closed } = page;
    if (closed && pull.listing.kind === 'cuadro') throw closed;
    return checkedAnswer({ ...pull.asked, page: n, ...closedListing(closed?.code) }, page, () => {
      if (!closed) requireForm(page, `${pull.key}/${n}`);
    });
  });
  return { ...openPage(answer.body), isClosed: isClosedListing(answer) };
};

const hasNext = (page: HtmlPage, listing: Listing, n: number, key: string): boolean => {
  if (listing.kind === 'cuadro') return n < offerCount(page, `${key}/${n}`).pages;
  return findPager(page, GRID_OF[listing.kind], n + 1) !== undefined;
};

/**
 * Fetches and stores all pages of a listing. A listing of attachments ends with the first closed page; without its
 * summary of offers a tender cannot be read.
 */
export const pullListing = async (pull: ListingPull): Promise<KeptPage[]> => {
  const max = pull.listing.kind === 'cuadro' ? BOUNDS.offerPagesMax : BOUNDS.listingPagesMax;
  const pages = [await askPage(pull, 1, pull.open)];
  for (let n = 1; ; n++) {
    const previous = pages.at(-1);
    if (!previous || previous.isClosed || !hasNext(previous, pull.listing, n, pull.key)) return pages;
    if (n >= max) throw unexpected(pull.key, `more than ${max} pages`);
    pages.push(await askPage(pull, n + 1, () => turnPage(pull.web, previous, pull.listing, n + 1)));
  }
};
