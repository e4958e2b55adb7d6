/**
 * Reads the rows of the two attachment grids. Tables are nested and columns move, so every cell is found by the id of
 * its control (procurement.md §3.2), and a missing control is an error.
 */
import { createOddLines, type OddAnswer } from '../truth/odd-lines.ts';
import { BOUNDS } from './bounds.ts';
import { checkControls, type GridControl, requireForm } from './controls.ts';
import { plainText } from './elements.ts';
import { byId, findText, type HtmlPage, saysError, tidy } from './page.ts';
import { readSize, type ShownSize } from './sizes.ts';
import { type FieldPath, readRequired, readShownMoment, readText, unreadable } from './values.ts';

export interface FileRow {
  /** Name of the download button. The name is unique only on its page. */
  control: string;
  nombre: string | null;
  tipo: string | null;
  descripcion: string | null;
  tamano: ShownSize | null;
  fechaAdjunto: string | null;
}

export type FileGrid = 'DWNL' | 'grdAttachment';

export interface FilePage {
  rows: FileRow[];
  /** Unreadable rows of the page. */
  odd: OddAnswer | undefined;
  /** Columns that are blank although the portal always fills them. */
  blank: string[];
  /** Part that some documents do not have, but that no document of a page with several has. */
  lacks: 'type' | 'ending' | undefined;
  /** True if the page is full and has no pager, so that more pages may exist. */
  isOpenEnded: boolean;
  /** True if the page mentions another page but has no link to it. */
  namesMore: boolean;
}

/** Names of download buttons, with any prefix: `DWNL$grdId$ctl02$search`, `grdAttachment$ctl02$grdIbtnView`. */
const BUTTONS: Readonly<Record<FileGrid, RegExp>> = {
  DWNL: /(?:^|\$)DWNL\$grdId\$(ctl\d{2,3})\$search$/,
  grdAttachment: /(?:^|\$)grdAttachment\$(ctl\d{2,3})\$grdIbtnView$/,
};
const CELLS: Readonly<Record<FileGrid, RegExp>> = {
  DWNL: /(?:^|_)DWNL_grdId_(ctl\d{2,3})_(File|Type|Description|FileLength|AtcDateTime)$/,
  grdAttachment: /(?:^|_)grdAttachment_(ctl\d{2,3})_(grdLbl(?:SourceFileName|FileDescription|FileDate))$/,
};
const TABLES: Readonly<Record<FileGrid, string>> = { DWNL: 'DWNL_grdId', grdAttachment: 'grdAttachment' };

const controlsOf = ({ elements }: HtmlPage, grid: FileGrid): GridControl[] => {
  const controls: GridControl[] = [];
  for (const { name, attribs } of elements) {
    const button = name === 'input' && attribs.name?.includes('$ctl') ? BUTTONS[grid].exec(attribs.name) : null;
    const cell = !button && attribs.id?.includes('_ctl') ? CELLS[grid].exec(attribs.id) : null;
    if (button) controls.push({ ctl: button[1]!, what: 'download button', control: button.input });
    else if (cell) controls.push({ ctl: cell[1]!, what: cell[2]! });
  }
  return controls;
};

interface FileButton {
  /** Number of the row in its id, such as `ctl02`. */
  ctl: string;
  control: string;
}

/**
 * Reads a file name. Throws if the transfer damaged the name, because the damaged name would identify another document.
 * The portal's own text may contain a replacement character.
 */
const readName = ({ isDamaged }: HtmlPage, value: unknown, place: FieldPath): string => {
  const name = readRequired(value, 'file name', place);
  if (isDamaged && name.includes('\uFFFD')) throw unreadable(place, 'file name', 'came damaged');
  return name;
};

const readDate = (value: unknown, place: FieldPath): string => {
  const date = readShownMoment(readRequired(value, 'date', place), 'date', place);
  if (date === null) throw unreadable(place, 'date', 'is none');
  return date;
};

/** Id endings of a row's cells. In the second grid, type and size have no id. */
const COLUMNS: Readonly<Record<FileGrid, { name: string; text: string; date: string }>> = {
  DWNL: { name: 'File', text: 'Description', date: 'AtcDateTime' },
  grdAttachment: { name: 'grdLblSourceFileName', text: 'grdLblFileDescription', date: 'grdLblFileDate' },
};

const readFile = (page: HtmlPage, grid: FileGrid, { control, ctl }: FileButton, where: FieldPath): FileRow => {
  const { name, text, date } = COLUMNS[grid];
  const idOf = (column: string) => `${TABLES[grid]}_${ctl}_${column}`;
  const of = (column: string) => findText(page, idOf(column));
  const hasAll = grid === 'DWNL';
  return {
    control,
    nombre: readName(page, of(name), where),
    tipo: readText(hasAll ? of('Type') : bareCell(page, idOf(name)), 'type', where),
    descripcion: readText(of(text), 'description', where),
    // The second listing has never been seen with a size column (§3.2).
    tamano: hasAll ? readSize(of('FileLength'), 'size', where) : null,
    fechaAdjunto: readDate(of(date), where),
  };
};

/**
 * Throws unless a page without rows is an empty listing. A page of the portal without a grid is an empty listing
 * (§3.7), but a grid must say explicitly that it is empty.
 */
const requireEmpty = (page: HtmlPage, grid: FileGrid, place: FieldPath): void => {
  if (saysError(page)) throw unreadable(place, 'grid', 'is missing on a page that speaks of an error');
  const table = byId(page, TABLES[grid]);
  if (table && !/no\s+(?:hay|existen|se\s+encontr)/i.test(plainText(page, table)))
    throw unreadable(place, 'grid', 'has no rows and does not say that it is empty');
};

const ENDING = /\.[^.\s]{1,8}$/;

/** A page on which no document has a type, or no name has an ending, may be a changed page. */
const lackingIn = (files: readonly FileRow[]): FilePage['lacks'] => {
  if (files.length < 2) return undefined;
  if (files.every(({ tipo }) => tipo === null)) return 'type';
  return files.every(({ nombre }) => nombre === null || !ENDING.test(nombre)) ? 'ending' : undefined;
};

/** Reads the files of page `n` of a listing. */
export const readFiles = (page: HtmlPage, grid: FileGrid, n: number, place: FieldPath): FilePage => {
  requireForm(page, place);
  const rows = checkControls(controlsOf(page, grid), place);
  const nothing: FilePage = {
    rows: [],
    odd: undefined,
    blank: [],
    lacks: undefined,
    isOpenEnded: false,
    namesMore: false,
  };
  if (rows.length === 0) {
    if (n > 1) throw unreadable(place, 'rows', 'are missing on a page that the page before names');
    requireEmpty(page, grid, place);
    return nothing;
  }
  if (byId(page, TABLES[grid]) === undefined) throw unreadable(place, 'grid', 'is missing around its rows');
  if (rows.length > BOUNDS.pageFilesMax) throw unreadable(place, 'download button', 'comes too often');
  const odd = createOddLines(place);
  const blank = new Set<string>();
  const files = rows.flatMap(({ ctl, control }, at) => {
    if (control === undefined) throw unreadable(`${place}, row ${at + 1}`, 'download button', 'is missing');
    const file = odd.attempt(at + 1, () => readFile(page, grid, { control, ctl }, `${place}, row ${at + 1}`));
    if (file?.tamano === null && grid === 'DWNL') blank.add('FileLength');
    return file ?? [];
  });
  odd.validate(rows.length);
  const links = checkPager(page, grid, n, place);
  const next = nextOf(links, n);
  // The number of rows per page is known only for the listing `DWNL` (§3.2).
  const isShort = grid === 'DWNL' && rows.length < BOUNDS.filesPerPage;
  if (next && isShort) throw unreadable(place, 'rows', 'are fewer than fit, and there is a next page');
  const isOpenEnded = grid === 'DWNL' && !isShort && links.length === 0;
  const namesMore = isOpenEnded && (n > 1 || hintsAtPages(page, grid));
  return { rows: files, odd: odd.told(), blank: [...blank], lacks: lackingIn(files), isOpenEnded, namesMore };
};

/** Returns the file type. The cell of the type has no control (§3.2) and follows the cell with the file's name. */
const bareCell = (page: HtmlPage, name: string): string | undefined => {
  let named = byId(page, name);
  while (named && named.name !== 'td') named = named.parent;
  const cell = named && page.elements[named.until];
  if (!named || cell?.name !== 'td' || cell.parent !== named.parent) return undefined;
  const inside = page.elements.slice(cell.at + 1, cell.until);
  const isBare = inside.every(({ name: tag, attribs }) => tag !== 'input' && attribs.id === undefined);
  return isBare ? tidy(plainText(page, cell)) : undefined;
};

export interface PagerLink {
  target: string;
  argument: string;
  page: number;
}

const pagerPattern = (grid: FileGrid): RegExp => {
  const name = TABLES[grid].replaceAll('_', '\\$');
  return new RegExp(`__doPostBack\\(['"]([^'"]*${name})['"]\\s*,\\s*['"](Page\\$(\\d{1,4}))['"]`);
};
const PAGERS: Readonly<Record<FileGrid, RegExp>> = {
  DWNL: pagerPattern('DWNL'),
  grdAttachment: pagerPattern('grdAttachment'),
};

/** Returns the links of the grid to its pages: `__doPostBack('DWNL$grdId','Page$2')` (§3.2). */
const pagerLinks = (page: HtmlPage, grid: FileGrid): PagerLink[] => {
  const links: PagerLink[] = [];
  for (const { name, attribs } of page.elements) {
    const { href = '', onclick = '' } = attribs;
    if (!(name === 'a' && attribs.href !== undefined) && attribs.onclick === undefined) continue;
    const match = PAGERS[grid].exec(href) ?? PAGERS[grid].exec(onclick);
    if (match) links.push({ target: match[1]!, argument: match[2]!, page: Number(match[3]) });
  }
  return links;
};

/**
 * Returns the links of the pager. Throws when the shown page is not page `n`: the pager has links to all pages except
 * the shown page.
 */
const checkPager = (page: HtmlPage, grid: FileGrid, n: number, place: FieldPath): PagerLink[] => {
  const links = pagerLinks(page, grid);
  if (links.some((link) => link.page === n)) throw unreadable(place, 'pager', 'is that of another page');
  const isCut = nextOf(links, n) === undefined && links.some((link) => link.page > n);
  if (isCut) throw unreadable(place, 'pager', 'leaves out the next page');
  return links;
};

const nextOf = (links: readonly PagerLink[], n: number): PagerLink | undefined =>
  links.find((link) => link.page === n + 1);

const PAGE_NUMBERS = /^(?=[^2-9]*[2-9])[\d\s.…<>«»]+$/;

/** True if the grid has a row of page numbers, or text about pages. */
const hintsAtPages = (page: HtmlPage, grid: FileGrid): boolean => {
  const table = byId(page, TABLES[grid])!;
  const inside = page.elements.slice(table.at + 1, table.until);
  const hasNumbers = inside.some((element) => element.name === 'tr' && PAGE_NUMBERS.test(plainText(page, element)));
  return hasNumbers || /Page(?:\$|&#36;)(?:\d|Next|Last)/i.test(page.html);
};

/** Returns the link to page `n`, if there is one. */
export const findPager = (page: HtmlPage, grid: FileGrid, n: number): PagerLink | undefined =>
  pagerLinks(page, grid).find((link) => link.page === n);
