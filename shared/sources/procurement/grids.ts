/**
 * Rows of the portal's grids. Tables are nested and columns move: everything is found by the id of its control
 * (procurement.md §3.2, §3.4), and a control that is not there is an error.
 */
import { byId, isDisabled, linksIn, type Page, textOf, tidy } from './page.ts';
import { type Place, readRequired, readRut, readShownMoment, readSize, readText, unreadable } from './values.ts';
import { BID_BUTTONS, BID_URL, type BidButton } from './wire.ts';

export interface FileRow {
  /** Name of the button that downloads it; unique on its page only. */
  control: string;
  nombre: string | null;
  tipo: string | null;
  descripcion: string | null;
  /** Bytes. */
  tamano: string | null;
  fechaAdjunto: string | null;
}

export type FileGrid = 'DWNL' | 'grdAttachment';

/** `DWNL$grdId$ctl02$search`, `grdAttachment$ctl02$grdIbtnView`, whatever stands before. */
const BUTTONS: Readonly<Record<FileGrid, RegExp>> = {
  DWNL: /(?:^|\$)DWNL\$grdId\$(ctl\d{2,3})\$search$/,
  grdAttachment: /(?:^|\$)grdAttachment\$(ctl\d{2,3})\$grdIbtnView$/,
};
const TABLES: Readonly<Record<FileGrid, string>> = { DWNL: 'DWNL_grdId', grdAttachment: 'grdAttachment' };

export const hasFileGrid = (page: Page, grid: FileGrid): boolean => byId(page, TABLES[grid]).length > 0;

const cell = (page: Page, id: string): string | undefined => textOf(page, id);

/** Files of one page; none when the grid is absent (§3.7). */
export const fileRows = (page: Page, grid: FileGrid, place: Place): FileRow[] => {
  const buttons = page.$('input[name]').filter((_, input) => BUTTONS[grid].test(input.attribs.name ?? ''));
  if (buttons.length === 0) refuseNamelessRows(page, grid, place);
  return buttons.toArray().map((input, at) => {
    const where = `${place}, row ${at + 1}`;
    const control = input.attribs.name!;
    const ctl = BUTTONS[grid].exec(control)![1]!;
    if (grid === 'DWNL') {
      const of = (name: string) => cell(page, `DWNL_grdId_${ctl}_${name}`);
      return {
        control,
        nombre: readText(of('File'), 'file name', where),
        tipo: readText(of('Type'), 'type', where),
        descripcion: readText(of('Description'), 'description', where),
        tamano: readSize(of('FileLength'), 'size', where),
        fechaAdjunto: readShownMoment(of('AtcDateTime'), 'date', where),
      };
    }
    const of = (name: string) => cell(page, `grdAttachment_${ctl}_grdLbl${name}`);
    return {
      control,
      nombre: readText(of('SourceFileName'), 'file name', where),
      tipo: readText(bareCell(page, `grdAttachment_${ctl}_grdLblSourceFileName`), 'type', where),
      descripcion: readText(of('FileDescription'), 'description', where),
      // No size column was seen in this listing (§3.2).
      tamano: null,
      fechaAdjunto: readShownMoment(of('FileDate'), 'date', where),
    };
  });
};

/** The type has no control of its own (§3.2): it is the bare cell after that of the file's name. */
const bareCell = (page: Page, name: string): string | undefined => {
  const cell = byId(page, name).first().closest('td').next('td');
  const isBare = cell.length > 0 && cell.find('[id], input').length === 0;
  return isBare ? tidy(cell.text()) : undefined;
};

/** A grid that names files and has no button for them is another grid than we know. */
const refuseNamelessRows = (page: Page, grid: FileGrid, place: Place): void => {
  const names = grid === 'DWNL' ? '[id$="_File"]' : '[id$="_grdLblSourceFileName"]';
  if (page.$(names).length > 0) throw unreadable(place, 'download button', 'is missing');
};

/** Is there a link to page `n` of the grid? `__doPostBack('DWNL$grdId','Page$2')` (§3.2). */
export const pagerOf = (page: Page, grid: FileGrid, n: number): { target: string; argument: string } | undefined => {
  const name = TABLES[grid].replaceAll('_', '\\$');
  const pattern = new RegExp(`__doPostBack\\(['"]([^'"]*${name})['"]\\s*,\\s*['"](Page\\$${n})['"]`);
  for (const link of page.$('a[href], [onclick]').toArray()) {
    const { href = '', onclick = '' } = link.attribs;
    const match = pattern.exec(href) ?? pattern.exec(onclick);
    if (match) return { target: match[1]!, argument: match[2]! };
  }
  return undefined;
};

export interface OfferRow {
  rut: string;
  proveedor: string | null;
  nombre: string | null;
  total: string | undefined;
  estado: string | null;
  /** Where its attachments are listed; a button that is disabled or absent lists none. */
  links: Partial<Record<BidButton, URL>>;
}

const OFFER_ID =
  /(?:^|_)(grdSupplies_ctl\d{2,3})__?(?:GvLblRutProvider|GvLblProvider|GvLblSuppliesName|TotalOferta|EstadoOferta)$/;

export const offerRows = (page: Page, place: Place): OfferRow[] => {
  const controls = new Set<string>();
  page.$('[id]').each((_, element) => {
    const control = OFFER_ID.exec(element.attribs.id ?? '')?.[1];
    if (control) controls.add(control);
  });
  return [...controls].map((control, at) => {
    const where = `${place}, row ${at + 1}`;
    const of = (suffix: string) => textOf(page, `${control}${suffix}`);
    const links: OfferRow['links'] = {};
    for (const [button, suffix] of Object.entries(BID_BUTTONS) as [BidButton, string][]) {
      const attributes = byId(page, `${control}${suffix}`).first().attr() ?? {};
      const link = isDisabled(attributes) ? undefined : linksIn(attributes, 'ViewBidAttachment.aspx', BID_URL)[0];
      if (link) links[button] = link;
    }
    return {
      rut: readRut(of('__GvLblRutProvider'), 'RUT', where),
      proveedor: readText(of('__GvLblProvider'), 'supplier', where),
      nombre: readText(of('__GvLblSuppliesName'), 'name of the offer', where),
      total: readText(of('_TotalOferta'), 'total', where) ?? undefined,
      estado: readText(of('_EstadoOferta'), 'state', where),
      links,
    };
  });
};

const counter = (page: Page, id: string, place: Place): number => {
  const value = byId(page, id).first().attr('value');
  const count = Number(readRequired(value, id, place));
  if (!Number.isSafeInteger(count) || count < 0) throw unreadable(place, id, 'is not a count');
  return count;
};

/** How many offers there are on how many pages (§3.4); a grid without pager is whole. */
export const offerCount = (page: Page, place: Place): { rows: number; pages: number } | undefined => {
  if (byId(page, 'WucPagerGrid_hidCountRows').length === 0) return undefined;
  const rows = counter(page, 'WucPagerGrid_hidCountRows', place);
  const perPage = counter(page, 'WucPagerGrid_hidMaxRowCount', place);
  if (perPage === 0) throw unreadable(place, 'WucPagerGrid_hidMaxRowCount', 'is zero');
  return { rows, pages: Math.max(1, Math.ceil(rows / perPage)) };
};
