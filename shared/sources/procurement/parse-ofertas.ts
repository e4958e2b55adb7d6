/** Kept pages of the opening → offers with their attachments (procurement.md §3.4, §5). */
import type { Json, Parsed, RawAnswer } from '../source.ts';
import { identified, locatorOf } from './documents.ts';
import { hasSections } from './ficha.ts';
import { type OfferRow, offerCount, offerRows } from './grids.ts';
import { blocked, notFound } from './notices.ts';
import { openPage } from './page.ts';
import { filesOf } from './parse-documentos.ts';
import { readShownAmount, unreadable } from './values.ts';
import { BID_BUTTONS, type BidButton } from './wire.ts';

const attachments = (codigo: string, offer: OfferRow, pages: readonly RawAnswer[], boton: BidButton): Json[] => {
  const own = pages.filter(({ request }) => request.boton === boton);
  const owner = [codigo, offer.rut, offer.nombre ?? '', boton];
  const listing = { listing: 'oferta', rut: offer.rut, oferta: offer.nombre ?? '', boton };
  return identified(owner, filesOf(own, 'DWNL')).map((file) => ({
    documento_id: file.documentoId,
    origen: boton,
    nombre: file.nombre,
    locator: locatorOf(listing, file, codigo),
  }));
};

export function* parseOfertas(codigo: string, answers: readonly RawAnswer[]): Generator<Parsed> {
  const ficha = answers.find(({ key }) => key === 'ficha');
  if (!ficha) throw new Error('the ficha was not asked for');
  if (!hasSections(openPage(ficha.body))) return yield notFound('ofertas', codigo);
  const summaries = answers
    .filter(({ request }) => request.listing === 'cuadro')
    .toSorted((a, b) => Number(a.request.page) - Number(b.request.page));
  // Not open yet: no offers is the normal answer (§3.4).
  if (summaries.length === 0) return;
  const bids = answers.filter(({ request }) => request.listing === 'oferta');
  let read = 0;
  for (const summary of summaries) {
    const n = Number(summary.request.page);
    const place = `cuadro/${n}`;
    for (const [at, offer] of offerRows(openPage(summary.body), place).entries()) {
      read++;
      const pages = bids.filter(({ request }) => request.cuadro === n && request.row === at);
      const { links: _, ...shown } = offer;
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
            documentos: (Object.keys(BID_BUTTONS) as BidButton[]).flatMap((boton) =>
              attachments(codigo, offer, pages, boton),
            ),
          },
          raw: { ...shown, total: offer.total ?? null },
          answerKey: summary.key,
        },
      };
    }
  }
  const counted = offerCount(openPage(summaries[0]!.body), 'cuadro/1');
  if (counted && counted.rows !== read) throw unreadable('cuadro', 'number of rows', 'is not what the pager counts');
  if (bids.some(({ request }) => request.gated === true)) yield { notice: blocked('ofertas', codigo) };
}
