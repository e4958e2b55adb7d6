/** Kept pages of the opening → offers with their attachments (procurement.md §3.4, §5). */
import type { Json, Parsed, RawAnswer } from '../source.ts';
import { identified, locatorOf } from './documents.ts';
import { showsSections } from './ficha.ts';
import { blocked, notFound } from './notices.ts';
import { type OfferRow, offerCount, offerRows } from './offer-grid.ts';
import { openPage, type Page } from './page.ts';
import { filesOf } from './parse-documentos.ts';
import { readShownAmount, unreadable } from './values.ts';
import { BID_BUTTONS, type BidButton } from './wire.ts';

/** Pages of the listing of one button. */
type PagesOf = (boton: BidButton) => readonly RawAnswer[];

const BUTTONS = Object.keys(BID_BUTTONS) as BidButton[];

const attachments = (codigo: string, offer: OfferRow, pagesOf: PagesOf): Json[] =>
  BUTTONS.flatMap((boton) => {
    const owner = [codigo, offer.rut, offer.nombre ?? '', boton];
    const listing = { listing: 'oferta', rut: offer.rut, oferta: offer.nombre ?? '', boton };
    return identified(owner, filesOf(pagesOf(boton), 'DWNL')).map((identity) => ({
      documento_id: identity.documentoId,
      origen: boton,
      nombre: identity.file.nombre,
      locator: locatorOf(listing, identity, codigo),
    }));
  });

export function* parseOfertas(codigo: string, answers: readonly RawAnswer[]): Generator<Parsed> {
  const ficha = answers.find(({ key }) => key === 'ficha');
  if (!ficha) throw new Error('the ficha was not asked for');
  if (!showsSections(ficha.body)) return yield notFound('ofertas', codigo);
  const summaries = answers
    .filter(({ request }) => request.listing === 'cuadro')
    .toSorted((a, b) => Number(a.request.page) - Number(b.request.page));
  // Not open yet: no offers is the normal answer (§3.4).
  if (summaries.length === 0) return;
  const bids = answers.filter(({ request }) => request.listing === 'oferta');
  const listings = Map.groupBy(bids, ({ request }) => `${request.cuadro}.${request.row}/${request.boton}`);
  let read = 0;
  let first: Page | undefined;
  for (const summary of summaries) {
    const n = Number(summary.request.page);
    const place = `cuadro/${n}`;
    const page = openPage(summary.body);
    first ??= page;
    for (const [at, offer] of offerRows(page, place).entries()) {
      read++;
      const { control: _, ...shown } = offer;
      yield {
        row: {
          row: {
            codigo,
            oferente_rut: offer.rut,
            proveedor_razon_social: offer.proveedor,
            nombre_oferta: offer.nombre,
            estado: offer.estado,
            total_oferta: readShownAmount(offer.total ?? null, 'total', `${place}, row ${at + 1}`),
            // Not in the grid: it stands in the register of suppliers alone (§3.4).
            habil_chileproveedores: null,
            documentos: attachments(codigo, offer, (boton) => listings.get(`${n}.${at}/${boton}`) ?? []),
          },
          raw: { ...shown, total: offer.total ?? null },
          answerKey: summary.key,
        },
      };
    }
  }
  const counted = first && offerCount(first, 'cuadro/1');
  if (counted && counted.rows !== read) throw unreadable('cuadro', 'number of rows', 'is not what the pager counts');
  if (bids.some(({ request }) => request.gated === true)) yield { notice: blocked('ofertas', codigo) };
}
