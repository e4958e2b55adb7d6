/**
 * Downloads files by postback (procurement.md §3.2). Each listing is opened again and read page by page, because the
 * name of a button is unique only on its page and selects a different file on another page. If a page arrives instead
 * of a file, the view state is stale: the listing is opened once more; if that also fails, the file is skipped.
 */

import { noticeCode } from '#shared/values/notice-code.ts';
import type { NoticeParams } from '#shared/values/notice-params.ts';
import { notice } from '../parsing/results.ts';
import { type FetchedFile, type JsonObject, type Notice, SourceError, type WantedFile } from '../source.ts';
import { isPage } from '../truth/validate-file.ts';
import { BOUNDS } from './bounds.ts';
import { fingerprint } from './documents.ts';
import { signedTerms } from './ficha.ts';
import { chooseProof, validateGiven } from './file-proof.ts';
import { readFiles } from './grids.ts';
import { blocked } from './notices.ts';
import { readPageForm } from './page.ts';
import { askFicha, GRID_OF, type Listing, reach, type TenderPortal } from './portal.ts';
import type { FetchedPage, FileAnswer, Web } from './web.ts';
import { BID_URL, type BidButton, FICHA_URL } from './wire.ts';

type FileListing = Exclude<Listing, { kind: 'cuadro' }> | { kind: 'bases' };

const placeOf = ({ listing, item, rut, oferta, boton }: JsonObject): FileListing => {
  if (listing === 'anexo') return { kind: 'anexo' };
  if (listing === 'antecedente') return { kind: 'antecedente', item: Number(item) };
  if (listing !== 'oferta') return { kind: 'bases' };
  return { kind: 'oferta', rut: String(rut), oferta: String(oferta), boton: boton as BidButton };
};

/** The page with the file's button, and the button's name on that page. */
interface PagerState {
  page: FetchedPage;
  control: string;
  /** File names of all other rows on the page. */
  others: string[];
}

const standingOf = (page: FetchedPage, place: FileListing, { locator }: WantedFile): PagerState | undefined => {
  if (place.kind === 'bases') {
    const control = signedTerms(page);
    return control === undefined ? undefined : { page, control, others: [] };
  }
  const { rows } = readFiles(page, GRID_OF[place.kind], Number(locator.page), 'files');
  const same = rows.filter((row) => fingerprint(row) === locator.shown);
  // If several rows are equal, their buttons distinguish them. A row that moved on its page is found by its
  // fingerprint.
  const row = same.find(({ control }) => control === locator.control) ?? same[0];
  const others = rows.flatMap(({ nombre }) => (nombre === null || nombre === row?.nombre ? [] : [nombre]));
  return row && { page, control: row.control, others };
};

/** `isBroken` is true if the call failed; otherwise the content is wrong. */
type Fetched = { body: Uint8Array; renamed: string | undefined } | { fault: string; isBroken?: true };

/**
 * Returns a function that downloads the files of one listing. A loaded page is used for all of its files until it is
 * stale.
 */
const openShelf = (portal: TenderPortal, place: FileListing): ((wanted: WantedFile) => Promise<Fetched>) => {
  const pages = new Map<number, FetchedPage>();
  const pageOf = async (n: number, anew: boolean): Promise<FetchedPage> => {
    const known = anew ? undefined : pages.get(n);
    if (known) return known;
    if (anew) portal.offers.clear();
    const page = await (place.kind === 'bases' ? askFicha(portal.web, portal.codigo) : reach(portal, place, n));
    pages.set(n, page);
    return page;
  };
  /** Returns undefined if the content may come from a stale page, so that the caller tries again. */
  const attempt = async (
    wanted: WantedFile,
    anew: boolean,
  ): Promise<{ got: Fetched; isFinal: boolean } | undefined> => {
    const page = await pageOf(Number(wanted.locator.page), anew);
    const standing = page.closed || page.isStale ? undefined : standingOf(page, place, wanted);
    const given = standing && (await press(portal.web, standing, place));
    if (!given) return undefined;
    const got = validateGiven(given, wanted.locator, standing.others);
    if ('renamed' in got) return { got: { body: given.body, ...got }, isFinal: true };
    // From a stale page the portal returns an HTML page or an empty body. For any other content a second attempt would
    // not help.
    return { got, isFinal: given.body.length > 0 && !isPage(given.body) };
  };
  return async (wanted) => {
    const first = await attempt(wanted, false);
    if (first?.isFinal) return first.got;
    return ((await attempt(wanted, true)) ?? first)?.got ?? { fault: 'it did not come' };
  };
};

const press = async (web: Web, { page, control }: PagerState, place: FileListing): Promise<FileAnswer | undefined> => {
  const base = place.kind === 'bases' ? FICHA_URL : BID_URL;
  const form = readPageForm(page, base);
  if (!form) return undefined;
  if (place.kind === 'bases') form.fields.set('__EVENTTARGET', control);
  else {
    // An image button sends the coordinates of the click (§3.2).
    form.fields.set(`${control}.x`, '8');
    form.fields.set(`${control}.y`, '8');
  }
  return web.file('file', form.url, form.fields);
};

const inWords = ({ name }: WantedFile): string =>
  name === null ? 'the file of a document' : `the file "${name.slice(0, 80)}"`;

const named = ({ name }: WantedFile): NoticeParams => (name === null ? {} : { file: name.slice(0, 80) });

/** Builds the notices about the files of one tender. */
const fileNotices = (scope: string, codigo: string) => {
  const unavailable = (why: string, params: NoticeParams): { notice: Notice } =>
    notice(noticeCode(`procurement.${scope}`, 'file_unavailable'), `${codigo}: ${why}`, { tender: codigo, ...params });
  return {
    notAsked: (failed: number, left: number) =>
      unavailable(`${failed} files in a row failed; ${left} others were not asked for.`, { count: failed + left }),
    notGiven: (file: WantedFile, fault: string) =>
      unavailable(`the portal did not give ${inWords(file)}: ${fault}.`, named(file)),
    renamed: (file: WantedFile, kind: string) =>
      notice(
        noticeCode(`procurement.${scope}`, 'file_renamed'),
        `${codigo}: ${inWords(file)} is a ${kind} file by its bytes; it is stored.`,
        { tender: codigo, ...named(file) },
      ),
  };
};

/** Error codes that may concern only one file: the file is too large, truncated or slow, or a page came instead. */
const OWN_FAULTS: readonly string[] = [
  'source.unexpected_response',
  'source.unavailable',
  'source.maintenance',
  'source.timeout',
];

const brokenFile = (error: unknown): Fetched | 'blocked' => {
  if (!(error instanceof SourceError)) throw error;
  if (error.code === 'source.blocked') return 'blocked';
  if (OWN_FAULTS.includes(error.code)) return { fault: error.message, isBroken: true };
  throw error;
};

/**
 * Returns a function that counts consecutive failed files. The function returns 0 until the limit is reached, and then
 * the count.
 */
const countFailed = (): ((fetched: Fetched) => number) => {
  let faults = 0;
  let misfits = 0;
  return (fetched) => {
    const isFault = 'fault' in fetched;
    const isBroken = isFault && fetched.isBroken === true;
    faults = isBroken ? faults + 1 : 0;
    if (isBroken) return faults < BOUNDS.fileFaultsInRowMax ? 0 : faults;
    misfits = isFault ? misfits + 1 : 0;
    return misfits < BOUNDS.misfitsInRowMax ? 0 : misfits;
  };
};

export async function* fetchFiles(
  web: Web,
  scope: string,
  codigo: string,
  wanted: readonly WantedFile[],
): AsyncGenerator<FetchedFile> {
  const portal: TenderPortal = { web, codigo, offers: new Map() };
  const notices = fileNotices(scope, codigo);
  const shelves = new Map<string, ReturnType<typeof openShelf>>();
  const fetch = (file: WantedFile): Promise<Fetched> => {
    const place = placeOf(file.locator);
    const name = JSON.stringify(place);
    const shelf = shelves.get(name) ?? openShelf(portal, place);
    shelves.set(name, shelf);
    return shelf(file);
  };
  const failedWith = countFailed();
  for (const [at, file] of wanted.entries()) {
    const fetched = await fetch(file).catch(brokenFile);
    // The rows are already stored; the next sync tries the files again.
    if (fetched === 'blocked') return yield blocked(scope, codigo);
    yield 'fault' in fetched ? notices.notGiven(file, fetched.fault) : toFile(file, fetched, notices);
    const failed = failedWith(fetched);
    const left = wanted.length - at - 1;
    if (failed > 0 && left > 0) return yield notices.notAsked(failed, left);
  }
}

const toFile = (
  file: WantedFile,
  { body, renamed }: Extract<Fetched, { body: Uint8Array }>,
  notices: ReturnType<typeof fileNotices>,
): FetchedFile => ({
  id: file.id,
  body,
  proof: chooseProof(file.locator),
  ...(renamed === undefined ? {} : { warning: notices.renamed(file, renamed).notice }),
});
