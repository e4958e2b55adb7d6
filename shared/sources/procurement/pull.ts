/** Makes the requests of each scope of a tender. Only answers that pass their checks are stored. */
import { checkedAnswer, unexpected } from '../parsing/results.ts';
import type { AskSource, JsonObject, RawAnswer } from '../source.ts';
import { type ApiUser, askApi } from './api.ts';
import { BOUNDS } from './bounds.ts';
import { pageInsteadFault } from './closed-pages.ts';
import { attachmentLinks, isKnownTender, offersLink } from './ficha.ts';
import { parseJson } from './json.ts';
import { type KeptPage, type ListingPull, pullListing } from './listing-pull.ts';
import { bidLink, readOffers } from './offer-grid.ts';
import { type HtmlPage, openPage } from './page.ts';
import { askFicha, openOffers } from './portal.ts';
import { createWeb, type Web } from './web.ts';
import { BID_BUTTONS, type BidButton, QUESTIONS_URL } from './wire.ts';

export interface TenderPull extends ApiUser {
  codigo: string;
  ask: AskSource;
}

const keepFicha = (web: Web, ask: AskSource, codigo: string): Promise<RawAnswer> =>
  ask('ficha', async () => {
    const { contentType, body } = await askFicha(web, codigo);
    return { request: { page: 'ficha', codigo }, contentType, body };
  });

/**
 * Requests the tender from the API first. A tender that the API does not know may still have a ficha (private tenders,
 * §1).
 */
export const pullLicitacion = async ({ codigo, ask, ...user }: TenderPull): Promise<void> => {
  const answer = await ask('detail', async () => {
    const { list, ...http } = await askApi(user, { codigo });
    return checkedAnswer({ codigo }, http, () => checkDetail(list, codigo));
  });
  const { Cantidad } = parseJson(answer.body) as JsonObject;
  if (Cantidad === 0) await keepFicha(createWeb(user.open, user.io), ask, codigo);
};

const checkDetail = (list: readonly JsonObject[], codigo: string): void => {
  const isOurs = list.every((item) => String(item.CodigoExterno).trim().toUpperCase() === codigo);
  if (list.length > 1 || !isOurs) throw unexpected('tender API', 'the answer is about another tender');
};

/** Stores the ficha of a tender. Returns the ficha, or undefined if the portal does not know the tender. */
const knownFicha = async (web: Web, { ask, codigo }: TenderPull): Promise<HtmlPage | undefined> => {
  const ficha = openPage((await keepFicha(web, ask, codigo)).body);
  return isKnownTender(ficha, codigo) ? ficha : undefined;
};

/** Returns a listing whose first page is opened by a link. */
const linkedListing = (
  { ask, codigo }: TenderPull,
  web: Web,
  link: URL,
  { what, ...pull }: Pick<ListingPull, 'listing' | 'key' | 'asked'> & { what: string },
) => pullListing({ ...pull, web, ask, codigo, open: () => web.get(what, link, pull.asked) });

/**
 * Returns a function that counts consecutive closed listings, and returns true when the remaining listings must not be
 * requested.
 */
const countClosed = (): ((pages: readonly KeptPage[]) => boolean) => {
  let inRow = 0;
  return (pages) => {
    inRow = pages.some(({ isClosed }) => isClosed) ? inRow + 1 : 0;
    return inRow >= BOUNDS.closedListingsInRowMax;
  };
};

export const pullDocumentos = async (pull: TenderPull): Promise<void> => {
  const web = createWeb(pull.open, pull.io);
  const ficha = await knownFicha(web, pull);
  if (!ficha) return;
  const { anexo, antecedentes } = attachmentLinks(ficha);
  if (anexo) {
    const asked = { listing: 'anexo' };
    await linkedListing(pull, web, anexo, { what: 'anexo', listing: { kind: 'anexo' }, key: 'anexo', asked });
  }
  const areClosed = countClosed();
  for (const [item, link] of antecedentes.slice(0, BOUNDS.antecedentesMax).entries()) {
    const key = `antecedente/${item}`;
    const listing = { kind: 'antecedente', item } as const;
    const asked = { listing: 'antecedente', item };
    const pages = await linkedListing(pull, web, link, { what: key, listing, key, asked });
    if (areClosed(pages)) return;
  }
};

/** Requests the questions. The service returns JSON, and an empty list for an unknown code. */
export const pullPreguntas = async ({ codigo, open, ask, io }: TenderPull): Promise<void> => {
  const web = createWeb(open, io);
  const answer = await ask('preguntas', async () => {
    const request = { opt: '101', RFBCode: codigo };
    const http = await web.data('questions', `${QUESTIONS_URL}?${new URLSearchParams(request)}`);
    return checkedAnswer(request, http, ({ body }) => {
      if (Array.isArray(parseJson(body))) return;
      throw pageInsteadFault('questions', body) ?? unexpected('questions', 'the answer is not a JSON array');
    });
  });
  if ((parseJson(answer.body) as unknown[]).length === 0) await keepFicha(web, ask, codigo);
};

export const pullOfertas = async (pull: TenderPull): Promise<void> => {
  const web = createWeb(pull.open, pull.io);
  const ficha = await knownFicha(web, pull);
  const link = ficha && offersLink(ficha);
  // Before the opening the button is disabled, and an empty list of offers is the normal answer (§3.4).
  if (!link) return;
  const { ask, codigo } = pull;
  const pages = await pullListing({
    ...{ web, ask, codigo, listing: { kind: 'cuadro' }, key: 'cuadro', asked: { listing: 'cuadro' } },
    open: () => openOffers(web, link),
  });
  const reader = { web, areClosed: countClosed() };
  for (const [at, page] of pages.entries()) if (!(await pullBids(pull, reader, page, at + 1))) return;
};

/** Fetches the attachments of the offers of one page. Returns false when the portal refuses the attachments. */
const pullBids = async (
  pull: TenderPull,
  { web, areClosed }: { web: Web; areClosed: ReturnType<typeof countClosed> },
  page: HtmlPage,
  n: number,
): Promise<boolean> => {
  const { rows } = readOffers(page, { codigo: pull.codigo, currency: null }, n, `cuadro/${n}`);
  for (const offer of rows) {
    const { rut, nombre: oferta, line } = offer;
    for (const boton of Object.keys(BID_BUTTONS) as BidButton[]) {
      const link = bidLink(page, offer, boton);
      if (!link) continue;
      const listed = await linkedListing(pull, web, link, {
        what: 'bid attachments',
        listing: { kind: 'oferta', rut, oferta, boton },
        key: `oferta/${n}.${line - 1}/${boton}`,
        asked: { listing: 'oferta', cuadro: n, row: line - 1, boton },
      });
      if (areClosed(listed)) return false;
    }
  }
  return true;
};
