/** Parses the stored pages of the opening into offers with their attachments (procurement.md §3.4, §5). */
import { inPages, requireKept } from '../parsing/kept.ts';
import type { Json, Parsed, RawAnswer } from '../source.ts';
import { requireAll } from '../truth/distinct-keys.ts';
import { buildLocator, identified } from './documents.ts';
import { isKnownTender, offersLink } from './ficha.ts';
import { closedNotice, noteBlank, notFound, type TenderNotes, tellNotes, tenderNotes } from './notices.ts';
import { type OfferRow, readOffers } from './offer-grid.ts';
import { findText, type HtmlPage, openPage } from './page.ts';
import { listFiles } from './parse-documentos.ts';
import { CURRENCIES, foldTerm, stateKey } from './terms.ts';
import { unreadable } from './values.ts';
import { BID_BUTTONS, type BidButton } from './wire.ts';

/** Returns the pages of the listing that one button opens. */
type PagesOf = (boton: BidButton) => readonly RawAnswer[];

const BUTTONS = Object.keys(BID_BUTTONS) as BidButton[];

const attachments = (codigo: string, offer: OfferRow, pagesOf: PagesOf, notes: TenderNotes): Json[] =>
  BUTTONS.flatMap((boton) => {
    const owner = [codigo, offer.rut, offer.nombre, boton];
    const listing = { listing: 'oferta', rut: offer.rut, oferta: offer.nombre, boton };
    return identified(owner, listFiles(pagesOf(boton), 'DWNL', notes)).map((identity) => ({
      documento_id: identity.documentoId,
      origen: boton,
      nombre: identity.file.nombre,
      locator: buildLocator(listing, identity, codigo),
    }));
  });

/** Counts the offers of all pages without copies, so that a copy does not hide a missing offer. */
const tallyOffers = () => {
  const shown = new Map<string, Set<string>>();
  const tally = { different: 0, odd: 0, areAlike: false };
  const add = ({ rut, nombre, proveedor, total, estado }: OfferRow): void => {
    const key = JSON.stringify([rut, nombre]);
    const content = JSON.stringify([proveedor, total, estado]);
    const known = shown.get(key);
    if (known?.has(content)) return;
    tally.areAlike ||= known !== undefined;
    shown.set(key, (known ?? new Set()).add(content));
    tally.different++;
  };
  return { tally, add };
};

/** Reports a contradiction: the tender is awarded, but its button says that the opening has not taken place. */
const checkUnopened = (ficha: HtmlPage, notes: TenderNotes): void => {
  const state = findText(ficha, 'lblFicha1Estado');
  if (state !== undefined && stateKey(state) === 'adjudicada')
    notes.told.set('not_opened', 'it is awarded, and the portal does not show its offers.');
};

const currencyIn = (ficha: HtmlPage): string | null => {
  const shown = findText(ficha, 'lblFicha1Moneda');
  return (shown !== undefined && CURRENCIES[foldTerm(shown)]) || null;
};

export function* parseOfertas(codigo: string, answers: readonly RawAnswer[]): Generator<Parsed> {
  const ficha = openPage(requireKept(answers, 'ficha', 'the ficha was not').body);
  if (!isKnownTender(ficha, codigo)) return yield notFound('ofertas', codigo);
  const notes = tenderNotes();
  const summaries = inPages(answers.filter(({ request }) => request.listing === 'cuadro'));
  // Before the opening, an empty list of offers is the normal answer (§3.4).
  if (!offersLink(ficha)) checkUnopened(ficha, notes);
  const bids = answers.filter(({ request }) => request.listing === 'oferta');
  const listings = Map.groupBy(bids, ({ request }) => `${request.cuadro}.${request.row}/${request.boton}`);
  const { tally, add } = tallyOffers();
  const tender = { codigo, currency: currencyIn(ficha) };
  let told: number | undefined;
  for (const summary of summaries) {
    const n = Number(summary.request.page);
    const page = openPage(summary.body);
    const offers = readOffers(page, tender, n, `cuadro/${n}`);
    told ??= offers.told;
    if (offers.told !== told) throw unreadable(`cuadro/${n}`, 'number of rows', 'is not that of the first page');
    if (offers.odd) notes.odd.push(offers.odd);
    tally.odd += offers.odd?.count ?? 0;
    noteBlank(notes, offers.blank, summary.key);
    for (const offer of offers.rows) {
      add(offer);
      const pagesOf: PagesOf = (boton) => listings.get(`${n}.${offer.line - 1}/${boton}`) ?? [];
      const documentos = attachments(codigo, offer, pagesOf, notes);
      yield { row: { row: offerRow(codigo, offer, documentos), raw: rawOf(offer), answerKey: summary.key } };
    }
  }
  requireAll('cuadro: offers', tally.different + tally.odd, told ?? 0);
  if (tally.areAlike)
    notes.told.set('offers_alike', 'offers of one supplier have one name and differ; one of them is stored.');
  yield* closedNotice('ofertas', codigo, bids);
  yield* tellNotes('ofertas', codigo, notes);
}

const offerRow = (codigo: string, { rut, proveedor, nombre, total, estado }: OfferRow, documentos: Json[]) => ({
  codigo,
  oferente_rut: rut,
  proveedor_razon_social: proveedor ?? undefined,
  nombre_oferta: nombre,
  estado: estado ?? undefined,
  total_oferta: total ?? undefined,
  // The grid of offers lacks this field; only the register of suppliers has it (§3.4).
  habil_chileproveedores: null,
  documentos,
});

const rawOf = ({ control: _, line: __, ...shown }: OfferRow) => shown;
