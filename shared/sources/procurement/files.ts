/**
 * Files by postback (procurement.md §3.2). Each listing is reached anew and walked page by page: a button's name is
 * one on its page only, and pressed on another page it gives another file. A page in place of a file means a stale
 * view state: the listing is reached once more, then the file is given up.
 */
import { type FetchedFile, type JsonObject, type Notice, SourceError, type WantedFile } from '../source.ts';
import { isPage } from '../truth/judge-file.ts';
import { BOUNDS } from './bounds.ts';
import { fingerprint } from './documents.ts';
import { signedTerms } from './ficha.ts';
import { judgeGiven, proofOf } from './file-proof.ts';
import { readFiles } from './grids.ts';
import { blocked } from './notices.ts';
import { formOf } from './page.ts';
import { askFicha, GRID_OF, type Listing, type OfferPages, reach } from './portal.ts';
import type { FileAnswer, Web, WebPage } from './web.ts';
import { BID_URL, type BidButton, FICHA_URL } from './wire.ts';

type Place = Exclude<Listing, { kind: 'cuadro' }> | { kind: 'bases' };

const placeOf = (locator: JsonObject): Place => {
  switch (locator.listing) {
    case 'anexo':
      return { kind: 'anexo' };
    case 'antecedente':
      return { kind: 'antecedente', item: Number(locator.item) };
    case 'oferta':
      return {
        kind: 'oferta',
        rut: String(locator.rut),
        oferta: String(locator.oferta),
        boton: locator.boton as BidButton,
      };
    default:
      return { kind: 'bases' };
  }
};

/** The page with the file's button, and the button's name on it. */
interface Standing {
  page: WebPage;
  control: string;
  /** Names of the other rows. */
  others: string[];
}

const standingOf = (page: WebPage, place: Place, { locator }: WantedFile): Standing | undefined => {
  if (place.kind === 'bases') {
    const control = signedTerms(page);
    return control === undefined ? undefined : { page, control, others: [] };
  }
  const { rows } = readFiles(page, GRID_OF[place.kind], Number(locator.page), 'files');
  const same = rows.filter((row) => fingerprint(row) === locator.shown);
  // Equal rows are told apart by their button; a row that moved on its page is found by what it shows.
  const row = same.find(({ control }) => control === locator.control) ?? same[0];
  const others = rows.flatMap(({ nombre }) => (nombre === null || nombre === row?.nombre ? [] : [nombre]));
  return row && { page, control: row.control, others };
};

/** Pages of one listing as they were last loaded: a page serves all its files until it is stale. */
class Shelf {
  private readonly pages = new Map<number, WebPage>();
  private readonly web: Web;
  private readonly codigo: string;
  private readonly place: Place;
  private readonly offers: OfferPages;

  constructor(web: Web, codigo: string, place: Place, offers: OfferPages) {
    this.offers = offers;
    this.web = web;
    this.codigo = codigo;
    this.place = place;
  }

  async page(n: number, anew: boolean): Promise<WebPage> {
    const known = anew ? undefined : this.pages.get(n);
    if (known) return known;
    const { web, codigo, place, offers } = this;
    if (anew) offers.clear();
    const page = place.kind === 'bases' ? await askFicha(web, codigo) : await reach(web, codigo, place, n, offers);
    this.pages.set(n, page);
    return page;
  }

  /** The file, or in words why it is none. */
  async fetch(wanted: WantedFile): Promise<{ body: Uint8Array; renamed: string | undefined } | { fault: string }> {
    let fault = 'it did not come';
    for (const anew of [false, true]) {
      const page = await this.page(Number(wanted.locator.page), anew);
      if (page.isGated || page.isStale) continue;
      const standing = standingOf(page, this.place, wanted);
      const given = standing && (await press(this.web, standing, this.place));
      if (!given) continue;
      const verdict = judgeGiven(given, wanted.locator, standing.others);
      if ('renamed' in verdict) return { body: given.body, ...verdict };
      fault = verdict.fault;
      // A stale page gives a page or nothing; other bytes stay what they are.
      if (given.body.length > 0 && !isPage(given.body)) break;
    }
    return { fault };
  }
}

const press = async (web: Web, { page, control }: Standing, place: Place): Promise<FileAnswer | undefined> => {
  const base = place.kind === 'bases' ? FICHA_URL : BID_URL;
  const form = formOf(page, base);
  if (!form) return undefined;
  if (place.kind === 'bases') form.fields.set('__EVENTTARGET', control);
  else {
    // An image button sends where it was pressed (§3.2).
    form.fields.set(`${control}.x`, '8');
    form.fields.set(`${control}.y`, '8');
  }
  return web.file('file', form.url, form.fields);
};

const unavailable = (scope: string, message: string): FetchedFile => ({
  notice: { code: `procurement.${scope}.file_unavailable`, message },
});

const notAsked = (scope: string, codigo: string, failed: number, left: number): FetchedFile =>
  unavailable(scope, `${codigo}: ${failed} files in a row failed; ${left} others were not asked for.`);

const inWords = ({ name }: WantedFile): string =>
  name === null ? 'the file of a document' : `the file "${name.slice(0, 80)}"`;

const refused = (scope: string, codigo: string, file: WantedFile, fault: string): FetchedFile =>
  unavailable(scope, `${codigo}: the portal did not give ${inWords(file)}: ${fault}.`);

const renamed = (scope: string, codigo: string, file: WantedFile, kind: string): Notice => ({
  code: `procurement.${scope}.file_renamed`,
  message: `${codigo}: ${inWords(file)} is a ${kind} file by its bytes; it is stored.`,
});

/** Faults that may be those of one file: too large, cut off, slow. */
const isOwnFault = ({ code }: SourceError): boolean =>
  ['source.unexpected_response', 'source.unavailable', 'source.timeout'].includes(code);

export async function* fetchFiles(
  web: Web,
  scope: string,
  codigo: string,
  wanted: readonly WantedFile[],
): AsyncGenerator<FetchedFile> {
  const shelves = new Map<string, Shelf>();
  const offers: OfferPages = new Map();
  let faults = 0;
  let misfits = 0;
  for (const [at, file] of wanted.entries()) {
    const place = placeOf(file.locator);
    const name = JSON.stringify(place);
    const shelf = shelves.get(name) ?? new Shelf(web, codigo, place, offers);
    shelves.set(name, shelf);
    try {
      const fetched = await shelf.fetch(file);
      faults = 0;
      misfits = 'fault' in fetched ? misfits + 1 : 0;
      yield 'fault' in fetched
        ? refused(scope, codigo, file, fetched.fault)
        : {
            id: file.id,
            body: fetched.body,
            proof: proofOf(file.locator),
            ...(fetched.renamed === undefined ? {} : { told: renamed(scope, codigo, file, fetched.renamed) }),
          };
      if (misfits >= BOUNDS.misfitsInRowMax && at + 1 < wanted.length)
        return yield notAsked(scope, codigo, misfits, wanted.length - at - 1);
    } catch (error) {
      if (!(error instanceof SourceError) || !(isOwnFault(error) || error.code === 'source.blocked')) throw error;
      // The rows are stored, and a portal that gives no files gives them another day.
      if (error.code === 'source.blocked') return yield { notice: blocked(scope, codigo) };
      yield refused(scope, codigo, file, error.message);
      if (++faults < BOUNDS.fileFaultsInRowMax) continue;
      const left = wanted.length - at - 1;
      if (left === 0) return;
      return yield notAsked(scope, codigo, faults, left);
    }
  }
}
