/** What is asked for each scope of a tender. Only answers that passed their checks are kept. */
import { type Ask, type JsonObject, type RawAnswer, reading, SourceError, type SourceIo } from '../source.ts';
import { askApi } from './api.ts';
import { BOUNDS } from './bounds.ts';
import { attachmentLinks, isKnownTender, offersLink } from './ficha.ts';
import { parseJson } from './json.ts';
import { pullListing } from './listing-pull.ts';
import { bidLink, readOffers } from './offer-grid.ts';
import { openPage, type Page } from './page.ts';
import { askFicha, openOffers } from './portal.ts';
import type { OpenSession } from './session.ts';
import { createWeb, gated, type Web } from './web.ts';
import { BID_BUTTONS, type BidButton, QUESTIONS_URL } from './wire.ts';

export interface TenderPull {
  codigo: string;
  ticket: string;
  open: OpenSession;
  ask: Ask;
  io: SourceIo;
}

const keepFicha = (web: Web, ask: Ask, codigo: string): Promise<RawAnswer> =>
  ask('ficha', async () => {
    const { contentType, body } = await askFicha(web, codigo);
    return { request: { page: 'ficha', codigo }, contentType, body };
  });

/** The API first; what it does not know may still have a page (private tenders, §1). */
export const pullLicitacion = async ({ codigo, ticket, open, ask, io }: TenderPull): Promise<void> => {
  const answer = await ask('detail', async () => {
    const request = { codigo };
    const { contentType, body, list } = await askApi(open, ticket, request, io);
    await reading({ request, contentType, body }, () => checkDetail(list, codigo));
    return { request, contentType, body };
  });
  const { Cantidad } = parseJson(answer.body) as JsonObject;
  if (Cantidad === 0) await keepFicha(createWeb(open, io), ask, codigo);
};

const checkDetail = (list: readonly JsonObject[], codigo: string): void => {
  const isOurs = list.every((item) => String(item.CodigoExterno).trim().toUpperCase() === codigo);
  if (list.length > 1 || !isOurs)
    throw new SourceError('source.unexpected_response', 'tender API: the answer is about another tender');
};

export const pullDocumentos = async ({ codigo, open, ask, io }: TenderPull): Promise<void> => {
  const web = createWeb(open, io);
  const ficha = openPage((await keepFicha(web, ask, codigo)).body);
  if (!isKnownTender(ficha, codigo)) return;
  const { anexo, antecedentes } = attachmentLinks(ficha);
  const common = { web, ask, codigo };
  if (anexo) {
    const [listing, asked] = [{ kind: 'anexo' } as const, { listing: 'anexo' }];
    await pullListing({ ...common, listing, key: 'anexo', asked, open: () => web.get('anexo', anexo, asked) });
  }
  for (const [item, link] of antecedentes.slice(0, BOUNDS.antecedentesMax).entries()) {
    const [listing, asked] = [{ kind: 'antecedente', item } as const, { listing: 'antecedente', item }];
    const key = `antecedente/${item}`;
    const [first] = await pullListing({ ...common, listing, key, asked, open: () => web.get(key, link, asked) });
    if (first?.isGated) return;
  }
};

/** A JSON service: whoever asks it for a code that is none is answered an empty list. */
export const pullPreguntas = async ({ codigo, open, ask, io }: TenderPull): Promise<void> => {
  const web = createWeb(open, io);
  const answer = await ask('preguntas', async () => {
    const request = { opt: '101', RFBCode: codigo };
    const { contentType, body } = await web.data('questions', `${QUESTIONS_URL}?${new URLSearchParams(request)}`);
    await reading({ request, contentType, body }, () => {
      if (!Array.isArray(parseJson(body)))
        throw new SourceError('source.unexpected_response', 'questions: the answer is not a JSON array');
    });
    return { request, contentType, body };
  });
  if ((parseJson(answer.body) as unknown[]).length === 0) await keepFicha(web, ask, codigo);
};

export const pullOfertas = async (pull: TenderPull): Promise<void> => {
  const { codigo, open, ask, io } = pull;
  const web = createWeb(open, io);
  const ficha = openPage((await keepFicha(web, ask, codigo)).body);
  if (!isKnownTender(ficha, codigo)) return;
  const link = offersLink(ficha);
  // Before the opening the button is disabled: no offers is the normal answer (§3.4).
  if (!link) return;
  const pages = await pullListing({
    web,
    ask,
    codigo,
    listing: { kind: 'cuadro' },
    key: 'cuadro',
    asked: { listing: 'cuadro' },
    open: async () => {
      const page = await openOffers(web, link);
      if (page.isGated) throw gated('summary of offers');
      return page;
    },
  });
  for (const [at, page] of pages.entries()) if (!(await pullBids(pull, web, page, at + 1))) return;
};

/** Attachments of the offers of one page; false when the portal does not give them. */
const pullBids = async ({ codigo, ask }: TenderPull, web: Web, page: Page, n: number): Promise<boolean> => {
  const { rows } = readOffers(page, { codigo, currency: null }, n, `cuadro/${n}`);
  for (const offer of rows) {
    const { rut, nombre, line } = offer;
    for (const boton of Object.keys(BID_BUTTONS) as BidButton[]) {
      const link = bidLink(page, offer, boton);
      if (!link) continue;
      const asked = { listing: 'oferta', cuadro: n, row: line - 1, boton };
      const [first] = await pullListing({
        web,
        ask,
        codigo,
        listing: { kind: 'oferta', rut, oferta: nombre, boton },
        key: `oferta/${n}.${line - 1}/${boton}`,
        asked,
        open: () => web.get('bid attachments', link, asked),
      });
      if (first?.isGated) return false;
    }
  }
  return true;
};
