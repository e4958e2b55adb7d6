/** The two attachment grids: 6 rows per page, and ids that start at `ctl02` on every page (procurement.md §3.2). */
import { twoDigits } from '../../sandbox-kit/calendar.ts';
import type { Behaviour } from './behaviour.ts';
import { inGrid } from './clock.ts';
import { escaped, page, span } from './html.ts';
import type { FileModel } from './parts.ts';

export const FILES_PER_PAGE = 6;

export interface ListingView {
  files: readonly FileModel[];
  page: number;
  action: string;
  viewState: string;
  behaviour: Behaviour;
}

export const ctl = (row: number): string => `ctl${twoDigits(row + 2)}`;

const shown = ({ files, page: n }: ListingView): readonly FileModel[] =>
  files.slice((n - 1) * FILES_PER_PAGE, n * FILES_PER_PAGE);

const pager = ({ files, page: n }: ListingView, table: string): string => {
  const pages = Math.ceil(files.length / FILES_PER_PAGE);
  if (pages < 2) return '';
  const links = Array.from({ length: pages }, (_, i) => i + 1).map((to) =>
    to === n
      ? `<span>${to}</span>`
      : `<a href="${escaped(`javascript:__doPostBack('${table}','Page$${to}')`)}">${to}</a>`,
  );
  return `<tr><td colspan="6"><table><tr><td>${links.join('</td><td>')}</td></tr></table></td></tr>`;
};

/** Changes a row as the credential's behaviour says. */
const spoiled = (cells: Record<string, string>, behaviour: Behaviour, name: string, date: string) => {
  const { [name]: _, ...rest } = cells;
  if (behaviour === 'missing_field') return rest;
  return behaviour === 'malformed_row' ? { ...cells, [date]: '31-02-2026 10:00:00' } : cells;
};

const grid = (
  view: ListingView,
  id: string,
  table: string,
  row: (file: FileModel, control: string) => string,
): string => {
  const extra = view.behaviour === 'unknown_fields' ? '<td><b>nuevo</b></td>' : '';
  const rows = shown(view).map((file, at) => `<tr class="cssFwkItemStyle">${extra}${row(file, ctl(at))}</tr>`);
  const body =
    view.files.length === 0
      ? ''
      : `<table id="${id}"><tr><th>Anexo</th></tr>${rows.join('\n')}${pager(view, table)}</table>`;
  return page('Anexos', body, { action: view.action, viewState: view.viewState });
};

/** Renders the grid `DWNL`, which also shows the attachments of an offer. */
export const attachmentPage = (view: ListingView): string =>
  grid(view, 'DWNL_grdId', 'DWNL$grdId', (file, control) => {
    const id = (name: string) => `DWNL_grdId_${control}_${name}`;
    const cells = spoiled(
      {
        File: file.nombre,
        Type: file.tipo,
        Description: file.descripcion,
        FileLength: `${file.kb} Kb`,
        AtcDateTime: inGrid(file.fecha),
      },
      view.behaviour,
      'File',
      'AtcDateTime',
    );
    const button = `<input type="image" name="DWNL$grdId$${control}$search" id="${id('search')}" title="Ver Anexo" />`;
    return `<td>${button}</td>${Object.entries(cells)
      .map(([name, text]) => `<td>${span(id(name), text)}</td>`)
      .join('')}`;
  });

/** Renders the grid `grdAttachment`, which has no sizes and whose type has no control. */
export const antecedentesPage = (view: ListingView): string =>
  grid(view, 'grdAttachment', 'grdAttachment', (file, control) => {
    const id = (name: string) => `grdAttachment_${control}_grdLbl${name}`;
    const cells = spoiled(
      { SourceFileName: file.nombre, FileDescription: file.descripcion, FileDate: inGrid(file.fecha) },
      view.behaviour,
      'SourceFileName',
      'FileDate',
    );
    const of = (name: keyof typeof cells) =>
      cells[name] === undefined ? '' : `<td>${span(id(name), cells[name])}</td>`;
    const button = `<input type="image" name="grdAttachment$${control}$grdIbtnView" title="Ver Anexo" />`;
    return `${of('SourceFileName')}<td>${escaped(file.tipo)}</td>${of('FileDescription')}${of('FileDate')}<td>${button}</td>`;
  });
