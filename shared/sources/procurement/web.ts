/** The anonymous web side: pages, postbacks, files, and the meaning of all other answers (procurement.md §3.7). */
import type { HttpCall, HttpResponse } from '../http/client.ts';
import { looksLikePage } from '../parsing/bodies.ts';
import { reading, unexpected } from '../parsing/results.ts';
import { type JsonObject, SessionExpired, SourceError, type SourceIo } from '../source.ts';
import type { GivenFile } from '../truth/validate-file.ts';
import { BOUNDS } from './bounds.ts';
import { closedFault, gated } from './closed-pages.ts';
import { type HtmlPage, openPage, readPageForm } from './page.ts';
import type { OpenSession } from './session.ts';
import { GATE_PATH, SESSION_ENDED } from './wire.ts';

export interface FetchedPage extends HtmlPage {
  contentType: string | null;
  body: Uint8Array;
  /** Reason why the portal, or a wall in front of it, refused the page; undefined for any other page. */
  closed: SourceError | undefined;
  /** True if the view state or the session has expired (§3.2). */
  isStale: boolean;
}

export interface FileAnswer extends GivenFile {
  /** Header `Content-Disposition` of a file; an HTML page does not have it. */
  disposition: string | undefined;
}

export interface Web {
  get(what: string, url: URL | string, asked: JsonObject): Promise<FetchedPage>;
  post(what: string, url: URL, fields: URLSearchParams, asked: JsonObject): Promise<FetchedPage>;
  /** Sends a postback that should return a file. Throws if a wall or a maintenance page arrives; other answers are not checked. */
  file(what: string, url: URL, fields: URLSearchParams): Promise<FileAnswer>;
  /** Fetches data other than a page. */
  data(what: string, url: string): Promise<HttpResponse>;
}

const isGate = (answer: Pick<HttpResponse, 'visited'>): boolean =>
  answer.visited.some((url) => GATE_PATH.test(new URL(url).pathname));

/** A page must be complete HTML, because half a page may look like a grid with fewer rows. */
const ENDS = /<\/html>\s*$/i;

const validateStatus = (what: string, answer: HttpResponse): void => {
  // A firewall at the edge of the network sent this answer. The portal's page for automated clients looks different
  // (§3.7).
  if (answer.status === 403 && !isGate(answer)) throw new SourceError('source.blocked', `${what}: HTTP 403`);
  if (answer.status !== 200 && !isGate(answer)) throw unexpected(what, `HTTP ${answer.status}`);
};

const validatePage = (what: string, answer: HttpResponse): FetchedPage => {
  validateStatus(what, answer);
  const { contentType, body } = answer;
  const page = openPage(body);
  const gate = isGate(answer) ? gated(what) : undefined;
  const isStale = !gate && SESSION_ENDED.test(page.html);
  const closed = isStale ? undefined : (gate ?? closedFault(what, page));
  if (!closed && !isStale && !(looksLikePage(body) && ENDS.test(page.html))) throw unexpected(what, 'not a whole page');
  return { ...page, contentType, body, closed, isStale };
};

const tokenOf = (url: URL): string | undefined => {
  const token = /[?&](?:enc|qs)=([^&]*)/.exec(url.search)?.[1];
  try {
    return token && decodeURIComponent(token);
  } catch {
    return token;
  }
};

/**
 * Throws when the form of a page posts to another address than the address of the page (§3.2), because such a page is
 * of another tender or offer.
 */
const checkOwn = (what: string, asked: string, page: FetchedPage): void => {
  const form = readPageForm(page, asked);
  const [own, shown] = [tokenOf(new URL(asked)), form && tokenOf(form.url)];
  if (own !== undefined && shown !== undefined && own !== shown) throw unexpected(what, 'the page is another one');
};

/** True for a file that the portal sends as an attachment, by its header. */
export const isAttachment = (disposition: string | undefined): boolean => /attachment/i.test(disposition ?? '');

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

export const createWeb = ({ web }: OpenSession, io: SourceIo): Web => {
  const load = async (call: HttpCall, asked: JsonObject): Promise<FetchedPage> => {
    const answer = await web.call({ ...call, bodyBytesMax: BOUNDS.pageBytesMax });
    return reading(asked, answer, () => {
      const page = validatePage(call.what, answer);
      if (!page.closed && !page.isStale) checkOwn(call.what, call.url, page);
      return page;
    });
  };
  /** Makes a call and returns an answer that is not an HTML page. */
  const given = async (call: HttpCall): Promise<HttpResponse> => {
    const answer = await web.call(call);
    validateStatus(call.what, answer);
    if (isGate(answer)) throw gated(call.what);
    return answer;
  };
  return {
    get: (what, url, asked) => load({ what, url: String(url) }, asked),
    post: (what, url, fields, asked) =>
      load({ what, url: url.href, method: 'POST', headers: FORM, body: String(fields) }, asked),
    file: async (what, url, fields) => {
      const answer = await given({
        what,
        url: url.href,
        method: 'POST',
        headers: FORM,
        body: String(fields),
        timeoutMs: io.settings.downloadTimeoutMs,
        bodyBytesMax: BOUNDS.fileBytesMax,
      });
      const { body, contentType, headers } = answer;
      const disposition = headers['content-disposition'];
      // A user may have attached a page, and the portal sends such a page as an attachment.
      const closed = looksLikePage(body) && !isAttachment(disposition) ? closedFault(what, openPage(body)) : undefined;
      if (closed) throw closed;
      return { body, contentType, disposition };
    },
    data: (what, url) => given({ what, url, bodyBytesMax: BOUNDS.pageBytesMax }),
  };
};

export const stale = (what: string): SessionExpired => new SessionExpired(`${what}: the portal says the session ended`);
