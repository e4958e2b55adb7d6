/** Recognizes pages that arrive instead of the portal's own pages or of its JSON, with status 200 (procurement.md §3.7). */
import type { SourceErrorCode } from '#shared/values/sync-errors.ts';
import { readSigns } from '../http/account-page.ts';
import { decodeText } from '../http/charset.ts';
import { closedPageFault } from '../http/closed-page.ts';
import { looksLikePage } from '../parsing/bodies.ts';
import { type JsonObject, type RawAnswer, SourceError } from '../source.ts';
import type { HtmlPage } from './page.ts';

/**
 * The gate loads reCAPTCHA, which scores its clients, and its script posts the score to `ViewAttachment.aspx?ajax=1`.
 * The robot wall shows the picture `robot.png`.
 */
const GATE = /recaptcha\/(?:enterprise|api)\.js|\bViewAttachment\.aspx\?ajax=1|\brobot\.png\b/i;
const LOGIN_TITLE = /<title>[^<]*(?:iniciar sesi|inicio de sesi|inicie sesi|clave ?(?:u|ú|&uacute;)nica|log ?in\b)/i;

/** Ids of the parts by which a page is one of the portal's own: sections of a ficha, grids, the pager of the offers. */
const OWN_IDS = /(?:^|_)(?:Ficha[1-9]|DWNL_grdId|grdAttachment|grdSupplies|WucPagerGrid_hidCountRows)$/;
/** Links of the two pages that lead to the summary of offers. */
const OWN_LINKS = /(?:OpeningHeader|SupplySummary)\.aspx\?/;

export const gated = (what: string): SourceError =>
  new SourceError('source.blocked', `${what}: the portal asks for a proof that a person is there`);

const isOwn = ({ elements, html }: HtmlPage): boolean =>
  OWN_LINKS.test(html) || elements.some(({ attribs }) => attribs.id !== undefined && OWN_IDS.test(attribs.id));

const pageFault = (what: string, html: string): SourceError | undefined => {
  if (GATE.test(html)) return gated(what);
  const signs = readSigns(html);
  const fault = closedPageFault(what, signs);
  if (fault) return fault;
  return signs.hasLoginForm || LOGIN_TITLE.test(html)
    ? new SourceError('source.blocked', `${what}: the portal asks for a login`)
    : undefined;
};

/** Returns the error of a page without any part of the portal's own pages. */
export const closedFault = (what: string, page: HtmlPage): SourceError | undefined =>
  isOwn(page) ? undefined : pageFault(what, page.html);

/** Request data of a stored page of a listing: whether a page came instead of the listing, and with which code. */
export const closedListing = (code: SourceErrorCode | undefined): JsonObject =>
  code === undefined ? { gated: false } : { gated: true, code };

export const isClosedListing = ({ request }: Pick<RawAnswer, 'request'>): boolean => request.gated === true;

/** Returns the error of a page that arrives instead of JSON or of a file; undefined for an answer that is no page. */
export const pageInsteadFault = (what: string, body: Uint8Array): SourceError | undefined => {
  if (!looksLikePage(body)) return undefined;
  return (
    pageFault(what, decodeText(body)) ?? new SourceError('source.unavailable', `${what}: a page instead of the data`)
  );
};
