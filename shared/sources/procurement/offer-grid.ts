/**
 * Reads the rows of the summary of offers. Tables are nested, so every cell is found by the id of its control
 * (procurement.md §3.4).
 */
import { createOddLines, type OddAnswer } from '../truth/odd-lines.ts';
import { checkControls, type GridControl, requireForm } from './controls.ts';
import { byId, findText, type HtmlPage, isDisabled, linksIn } from './page.ts';
import { type FieldPath, readRequired, readRut, readShownAmount, readText, unreadable } from './values.ts';
import { BID_BUTTONS, BID_URL, type BidButton } from './wire.ts';

export interface OfferRow {
  rut: string;
  proveedor: string | null;
  nombre: string;
  /** Exact decimal number as text. */
  total: string | null;
  estado: string | null;
  /** Prefix of the ids of the row's controls. The prefix is unique only on its page. */
  control: string;
  /** Line number, from 1. */
  line: number;
}

export interface OfferPage {
  rows: OfferRow[];
  lines: number;
  odd: OddAnswer | undefined;
  /** Columns that are blank although the portal always fills them. */
  blank: string[];
  /** Total number of offers, according to the pager. */
  told: number;
  pages: number;
}

export interface OfferTender {
  codigo: string;
  /** Null when the ficha shows no currency. */
  currency: string | null;
}

const CELL =
  /(?:^|_)grdSupplies_(ctl\d{2,3})__?(GvLblRutProvider|GvLblProvider|GvLblSuppliesName|TotalOferta|EstadoOferta)$/;

const controlsOf = ({ elements }: HtmlPage): GridControl[] =>
  elements.flatMap(({ attribs }) => {
    const cell = attribs.id?.includes('grdSupplies_') ? CELL.exec(attribs.id) : null;
    return cell ? [{ ctl: cell[1]!, what: cell[2]! }] : [];
  });

/**
 * Checks the signed statement of an offer, which names offeror and tender (§3.4). Throws when the row is of another
 * tender.
 */
const checkStatement = (page: HtmlPage, { control, rut }: OfferRow, codigo: string, place: FieldPath): void => {
  const script = byId(page, `${control}__GvImgFirma`)?.attribs.onclick;
  if (script === undefined) return;
  const code = /\b\d{1,8}-\d{1,6}-[A-Z][A-Z0-9]\d{2}\b/i.exec(script)?.[0];
  if (code !== undefined && code.toUpperCase() !== codigo)
    throw unreadable(place, 'signed statement', 'is of another tender');
  const signer = /\b\d{1,3}(?:\.?\d{3}){1,2}-[\dkK](?![\w-])/.exec(script.replace(code ?? '', ''))?.[0];
  if (signer !== undefined && readRut(signer, 'signed statement', place) !== rut)
    throw unreadable(place, 'signed statement', 'is of another offeror');
};

const readOffer = (
  page: HtmlPage,
  currency: string | null,
  at: Pick<OfferRow, 'control' | 'line'>,
  place: FieldPath,
): OfferRow => {
  const of = (suffix: string) => findText(page, `${at.control}${suffix}`);
  const rut = readRut(of('__GvLblRutProvider'), 'RUT', place);
  return {
    rut,
    proveedor: readText(of('__GvLblProvider'), 'supplier', place),
    nombre: readRequired(of('__GvLblSuppliesName'), 'name of the offer', place),
    total: readShownAmount(of('_TotalOferta'), 'total', place, currency),
    estado: readText(of('_EstadoOferta'), 'state', place),
    ...at,
  };
};

const BLANKS = { proveedor: 'GvLblProvider', total: 'TotalOferta', estado: 'EstadoOferta' } as const;

/** Reads the offers of page `n`. Throws unless the page has as many offers as its pager says. */
export const readOffers = (page: HtmlPage, tender: OfferTender, n: number, place: FieldPath): OfferPage => {
  requireForm(page, place);
  const { rows: told, pages, perPage } = offerCount(page, place);
  const controls = checkControls(controlsOf(page), place);
  if (controls.length !== Math.max(0, Math.min(perPage, told - (n - 1) * perPage)))
    throw unreadable(place, 'number of rows', 'is not what the pager counts');
  const odd = createOddLines(place);
  const blank = new Set<string>();
  const rows = controls.flatMap(({ ctl }, at) => {
    const [line, where, control] = [at + 1, `${place}, row ${at + 1}`, `grdSupplies_${ctl}`];
    for (const button of Object.keys(BID_BUTTONS) as BidButton[]) checkButton(page, control, button, where);
    const row = odd.attempt(line, () => readOffer(page, tender.currency, { control, line }, where));
    if (row === undefined) return [];
    checkStatement(page, row, tender.codigo, where);
    for (const [field, name] of Object.entries(BLANKS)) if (row[field as keyof typeof BLANKS] === null) blank.add(name);
    return [row];
  });
  odd.validate(controls.length);
  return { rows, lines: controls.length, odd: odd.told(), blank: [...blank], told, pages };
};

const buttonOf = (page: HtmlPage, control: string, button: BidButton) => byId(page, `${control}${BID_BUTTONS[button]}`);

/** Throws when the button is missing. An offer without attachments has a disabled button. */
const checkButton = (page: HtmlPage, control: string, button: BidButton, place: FieldPath): void => {
  const attributes = buttonOf(page, control, button)?.attribs;
  if (attributes === undefined) throw unreadable(place, BID_BUTTONS[button], 'is missing');
  if (!isDisabled(attributes) && linksIn(attributes, 'ViewBidAttachment.aspx', BID_URL).length === 0)
    throw unreadable(place, BID_BUTTONS[button], 'leads to no listing');
};

/** Returns the address of the offer's attachments of one kind; undefined when the button is disabled. */
export const bidLink = (page: HtmlPage, { control }: Pick<OfferRow, 'control'>, button: BidButton): URL | undefined => {
  const attributes = buttonOf(page, control, button)?.attribs ?? {};
  return isDisabled(attributes) ? undefined : linksIn(attributes, 'ViewBidAttachment.aspx', BID_URL)[0];
};

const counter = (page: HtmlPage, id: string, place: FieldPath): number => {
  const value = byId(page, id)?.attribs.value;
  const count = Number(readRequired(value, id, place));
  if (!Number.isSafeInteger(count) || count < 0) throw unreadable(place, id, 'is not a count');
  return count;
};

/** Returns the number of offers and the number of pages (§3.4). */
export const offerCount = (page: HtmlPage, place: FieldPath): { rows: number; pages: number; perPage: number } => {
  const rows = counter(page, 'WucPagerGrid_hidCountRows', place);
  const perPage = counter(page, 'WucPagerGrid_hidMaxRowCount', place);
  if (perPage === 0) throw unreadable(place, 'WucPagerGrid_hidMaxRowCount', 'is zero');
  return { rows, pages: Math.max(1, Math.ceil(rows / perPage)), perPage };
};
