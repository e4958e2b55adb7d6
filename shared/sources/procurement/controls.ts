/** Checks for every page with rows: the page has the form that its buttons post, and no row is missing. */
import { byId, type HtmlPage } from './page.ts';
import { type FieldPath, unreadable } from './values.ts';

export interface GridControl {
  /** Number of the row in its id, such as `ctl02`. */
  ctl: string;
  what: string;
  /** Name of the button in the cell, if the cell has a button. */
  control?: string;
}

export interface GridRow {
  ctl: string;
  control: string | undefined;
}

/**
 * Throws unless the page has a form with a view state: any page may be complete HTML, but only a page of the portal has
 * this form.
 */
export const requireForm = (page: HtmlPage, place: FieldPath): void => {
  if (!page.elements.some(({ name }) => name === 'form')) throw unreadable(place, 'form', 'is missing');
  const state = page.elements.find(({ attribs }) => attribs.name === '__VIEWSTATE') ?? byId(page, '__VIEWSTATE');
  if (!state?.attribs.value) throw unreadable(place, '__VIEWSTATE', 'is missing');
};

const FIRST_ROW = 2;

/**
 * Returns the rows in order. Row ids count from `ctl02` on every page (procurement.md §3.2). A gap, a duplicate or
 * another order means that the page is not the expected page.
 */
export const checkControls = (controls: readonly GridControl[], place: FieldPath): GridRow[] => {
  const byCtl = new Map<string, GridRow & { cells: Set<string> }>();
  for (const { ctl, what, control } of controls) {
    const known = byCtl.get(ctl);
    if (known?.cells.has(what)) throw unreadable(place, `${what} of a row`, 'is there twice');
    if (known === undefined) byCtl.set(ctl, { ctl, control, cells: new Set([what]) });
    else {
      known.cells.add(what);
      known.control ??= control;
    }
  }
  const rows = [...byCtl.values()];
  for (const [at, { ctl }] of rows.entries())
    if (Number(ctl.slice(3)) !== at + FIRST_ROW) throw unreadable(place, 'rows', 'do not follow one another');
  return rows;
};
