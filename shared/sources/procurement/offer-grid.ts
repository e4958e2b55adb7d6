/** Rows of the summary of offers: tables within tables, everything by the id of its control (procurement.md §3.4). */
import { byId, isDisabled, linksIn, type Page, textOf } from './page.ts';
import { type Place, readRequired, readRut, readText, unreadable } from './values.ts';
import { BID_BUTTONS, BID_URL, type BidButton } from './wire.ts';

export interface OfferRow {
  rut: string;
  proveedor: string | null;
  nombre: string | null;
  total: string | undefined;
  estado: string | null;
  /** What the ids of its controls begin with; unique on its page only. */
  control: string;
}

const OFFER_ID =
  /(?:^|_)(grdSupplies_ctl\d{2,3})__?(?:GvLblRutProvider|GvLblProvider|GvLblSuppliesName|TotalOferta|EstadoOferta)$/;

export const offerRows = (page: Page, place: Place): OfferRow[] => {
  const controls = new Set<string>();
  for (const { attribs } of page.elements) {
    const control = attribs.id?.includes('grdSupplies_') ? OFFER_ID.exec(attribs.id)?.[1] : undefined;
    if (control) controls.add(control);
  }
  return [...controls].map((control, at) => {
    const where = `${place}, row ${at + 1}`;
    const of = (suffix: string) => textOf(page, `${control}${suffix}`);
    return {
      rut: readRut(of('__GvLblRutProvider'), 'RUT', where),
      proveedor: readText(of('__GvLblProvider'), 'supplier', where),
      nombre: readText(of('__GvLblSuppliesName'), 'name of the offer', where),
      total: readText(of('_TotalOferta'), 'total', where) ?? undefined,
      estado: readText(of('_EstadoOferta'), 'state', where),
      control,
    };
  });
};

/** Where its attachments of a kind are listed; a button that is disabled or absent lists none. */
export const bidLink = (page: Page, { control }: OfferRow, button: BidButton): URL | undefined => {
  const attributes = byId(page, `${control}${BID_BUTTONS[button]}`)?.attribs ?? {};
  return isDisabled(attributes) ? undefined : linksIn(attributes, 'ViewBidAttachment.aspx', BID_URL)[0];
};

const counter = (page: Page, id: string, place: Place): number => {
  const value = byId(page, id)?.attribs.value;
  const count = Number(readRequired(value, id, place));
  if (!Number.isSafeInteger(count) || count < 0) throw unreadable(place, id, 'is not a count');
  return count;
};

/** How many offers there are on how many pages (§3.4); a grid without pager is whole. */
export const offerCount = (page: Page, place: Place): { rows: number; pages: number } | undefined => {
  if (byId(page, 'WucPagerGrid_hidCountRows') === undefined) return undefined;
  const rows = counter(page, 'WucPagerGrid_hidCountRows', place);
  const perPage = counter(page, 'WucPagerGrid_hidMaxRowCount', place);
  if (perPage === 0) throw unreadable(place, 'WucPagerGrid_hidMaxRowCount', 'is zero');
  return { rows, pages: Math.max(1, Math.ceil(rows / perPage)) };
};
