/** Fetches and stores every page of a listing: 6 files or 10 offers per page (procurement.md §3.2, §3.4). */
import { checkedAnswer, unexpected } from '../parsing/results.ts';
import { type AskSource, type JsonObject, type RawAnswer, SourceError } from '../source.ts';
import { BOUNDS } from './bounds.ts';
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
  answer: RawAnswer;
  isGated: boolean;
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
    const { isGated } = page;
    return checkedAnswer({ ...pull.asked, page: n, gated: isGated }, page, () => {
      if (!isGated) requireForm(page, `${pull.key}/${n}`);
    });
  });
  return { ...openPage(answer.body), answer, isGated: answer.request.gated === true };
};

const hasNext = (page: HtmlPage, listing: Listing, n: number, key: string): boolean => {
  if (listing.kind === 'cuadro') return n < offerCount(page, `${key}/${n}`).pages;
  return findPager(page, GRID_OF[listing.kind], n + 1) !== undefined;
};

/**
 * Fetches and stores all pages of a listing. If the portal redirects the first page to its page for automated clients,
 * only the first page is returned.
 */
export const pullListing = async (pull: ListingPull): Promise<KeptPage[]> => {
  const max = pull.listing.kind === 'cuadro' ? BOUNDS.offerPagesMax : BOUNDS.listingPagesMax;
  const pages = [await askPage(pull, 1, pull.open)];
  for (let n = 1; !pages[0]!.isGated && hasNext(pages.at(-1)!, pull.listing, n, pull.key); n++) {
    if (n >= max) throw unexpected(pull.key, `more than ${max} pages`);
    const previous = pages.at(-1)!;
    const next = await askPage(pull, n + 1, () => turnPage(pull.web, previous, pull.listing, n + 1));
    // The portal redirected a later page to its page for automated clients, so the pages that were read are not the
    // whole listing.
    if (next.isGated) throw new SourceError('source.blocked', `${pull.key}: the portal closed the listing half-way`);
    pages.push(next);
  }
  return pages;
};
