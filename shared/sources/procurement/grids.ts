/**
 * Rows of the two grids of attachments. Tables are nested and columns move: everything is found by the id of its
 * control (procurement.md §3.2), and a control that is not there is an error.
 */
import { BOUNDS } from './bounds.ts';
import { plainText } from './elements.ts';
import { byId, type Page, textOf, tidy } from './page.ts';
import { readSize, type ShownSize } from './sizes.ts';
import { type Place, readShownMoment, readText, unreadable } from './values.ts';

export interface FileRow {
  /** Name of the button that downloads it; unique on its page only. */
  control: string;
  nombre: string | null;
  tipo: string | null;
  descripcion: string | null;
  tamano: ShownSize | null;
  fechaAdjunto: string | null;
}

export type FileGrid = 'DWNL' | 'grdAttachment';

/** `DWNL$grdId$ctl02$search`, `grdAttachment$ctl02$grdIbtnView`, whatever stands before. */
const BUTTONS: Readonly<Record<FileGrid, RegExp>> = {
  DWNL: /(?:^|\$)DWNL\$grdId\$(ctl\d{2,3})\$search$/,
  grdAttachment: /(?:^|\$)grdAttachment\$(ctl\d{2,3})\$grdIbtnView$/,
};
const TABLES: Readonly<Record<FileGrid, string>> = { DWNL: 'DWNL_grdId', grdAttachment: 'grdAttachment' };

export const hasFileGrid = (page: Page, grid: FileGrid): boolean => byId(page, TABLES[grid]) !== undefined;

const cell = (page: Page, id: string): string | undefined => textOf(page, id);

/** Files of one page; none when the grid is absent (§3.7). */
export const fileRows = (page: Page, grid: FileGrid, place: Place): FileRow[] => {
  const buttons = page.elements.flatMap(({ name, attribs }) => {
    const found = name === 'input' && attribs.name !== undefined ? BUTTONS[grid].exec(attribs.name) : null;
    return found ? [{ control: found.input, ctl: found[1]! }] : [];
  });
  if (buttons.length > BOUNDS.pageFilesMax) throw unreadable(place, 'download button', 'comes too often');
  if (buttons.length === 0) refuseNamelessRows(page, grid, place);
  return buttons.map(({ control, ctl }, at) => {
    const where = `${place}, row ${at + 1}`;
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
  let named = byId(page, name);
  while (named && named.name !== 'td') named = named.parent;
  const cell = named && page.elements[named.until];
  if (!named || cell?.name !== 'td' || cell.parent !== named.parent) return undefined;
  const inside = page.elements.slice(cell.at + 1, cell.until);
  const isBare = inside.every(({ name: tag, attribs }) => tag !== 'input' && attribs.id === undefined);
  return isBare ? tidy(plainText(page, cell)) : undefined;
};

/** A grid that names files and has no button for them is another grid than we know. */
const refuseNamelessRows = (page: Page, grid: FileGrid, place: Place): void => {
  const name = grid === 'DWNL' ? '_File' : '_grdLblSourceFileName';
  if (page.elements.some(({ attribs }) => attribs.id?.endsWith(name)))
    throw unreadable(place, 'download button', 'is missing');
};

/** Is there a link to page `n` of the grid? `__doPostBack('DWNL$grdId','Page$2')` (§3.2). */
export const pagerOf = (page: Page, grid: FileGrid, n: number): { target: string; argument: string } | undefined => {
  const name = TABLES[grid].replaceAll('_', '\\$');
  const pattern = new RegExp(`__doPostBack\\(['"]([^'"]*${name})['"]\\s*,\\s*['"](Page\\$${n})['"]`);
  for (const { name: tag, attribs } of page.elements) {
    const { href = '', onclick = '' } = attribs;
    if (!(tag === 'a' && attribs.href !== undefined) && attribs.onclick === undefined) continue;
    const match = pattern.exec(href) ?? pattern.exec(onclick);
    if (match) return { target: match[1]!, argument: match[2]! };
  }
  return undefined;
};
