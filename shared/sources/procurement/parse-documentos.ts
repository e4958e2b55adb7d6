/** Parses the stored pages of the attachment listings into documents (procurement.md §3.2, §5). */
import { inPages, requireKept } from '../parsing/kept.ts';
import { notice, unexpected } from '../parsing/results.ts';
import type { Parsed, RawAnswer } from '../source.ts';
import { BOUNDS } from './bounds.ts';
import { isClosedListing } from './closed-pages.ts';
import { buildLocator, fingerprint, type Identified, identified, type ListedFile } from './documents.ts';
import { attachmentLinks, isKnownTender, signedTerms } from './ficha.ts';
import { type FileGrid, type FileRow, readFiles } from './grids.ts';
import { closedNotice, noteBlank, notFound, type TenderNotes, tellNotes, tenderNotes } from './notices.ts';
import { openPage } from './page.ts';

const OPEN_ENDED = 'a listing of attachments ends with a full page and shows no way to a next one; there may be more.';
const NAMES_MORE = 'a listing of attachments speaks of another page and shows no way to it; there may be more.';

const LACKS = { type: 'a type', ending: 'a name with an ending' } as const;

/** Returns the fingerprints of page `n`. Throws when the previous page had the same fingerprints. */
const checkRepeated = (rows: readonly FileRow[], n: number, before: string, key: string): string => {
  const shown = JSON.stringify(rows.map(fingerprint));
  if (n > 1 && shown === before) throw unexpected(key, 'the page repeats the one before');
  return shown;
};

/** Returns the files on all pages of one listing, in page order. */
export const listFiles = (answers: readonly RawAnswer[], grid: FileGrid, notes: TenderNotes): ListedFile[] => {
  const files: ListedFile[] = [];
  let before = '';
  const pages = inPages(answers.filter((answer) => !isClosedListing(answer)));
  for (const { key, request, body } of pages) {
    const page = openPage(body);
    const n = Number(request.page);
    const { rows, odd, blank, lacks, isOpenEnded, namesMore } = readFiles(page, grid, n, key);
    if (pages.length > 1) before = checkRepeated(rows, n, before, key);
    if (odd) notes.odd.push(odd);
    noteBlank(notes, blank, key);
    if (lacks) notes.unlessKnown.set('columns_missing', `no document of a page has ${LACKS[lacks]}.`);
    if (n === 1 && rows.length === 0 && !odd)
      notes.told.set('listing_empty', 'the portal offers a listing of attachments, and it is empty.');
    if (namesMore) notes.told.set('pager_missing', NAMES_MORE);
    else if (isOpenEnded) notes.unlessKnown.set('pager_missing', OPEN_ENDED);
    files.push(...rows.map((row) => ({ ...row, page: n })));
  }
  return files;
};

type FileOrigin = { listing: 'bases' | 'anexo' } | { listing: 'antecedente'; item: number };

const row = (codigo: string, identity: Identified, listing: FileOrigin, answerKey: string): Parsed => {
  const { documentoId, file } = identity;
  return {
    row: {
      row: {
        codigo,
        documento_id: documentoId,
        origen: listing.listing,
        nombre: file.nombre,
        tipo: file.tipo,
        descripcion: file.descripcion,
        tamano: file.tamano?.bytes ?? null,
        fecha_adjunto: file.fechaAdjunto,
        locator: buildLocator(listing, identity, codigo),
      },
      raw: { ...file, tamano: file.tamano?.text ?? null, documentoId },
      answerKey,
    },
  };
};

export function* parseDocumentos(codigo: string, answers: readonly RawAnswer[]): Generator<Parsed> {
  const page = openPage(requireKept(answers, 'ficha', 'the ficha was not').body);
  if (!isKnownTender(page, codigo)) return yield notFound('documentos', codigo);
  const notes = tenderNotes();
  const { isCaptcha, antecedentes } = attachmentLinks(page);
  const listed = answers.filter(({ key }) => key !== 'ficha');

  const terms = signedTerms(page);
  if (terms !== undefined) {
    const file = { control: terms, nombre: null, tipo: null, descripcion: null, tamano: null, fechaAdjunto: null };
    const [own] = identified([codigo, 'bases'], [{ ...file, page: 1 }]);
    yield row(codigo, own!, { listing: 'bases' }, 'ficha');
  }
  const anexos = listed.filter(({ request }) => request.listing === 'anexo');
  for (const identity of identified([codigo, 'anexo'], listFiles(anexos, 'DWNL', notes)))
    yield row(codigo, identity, { listing: 'anexo' }, `anexo/${identity.file.page}`);

  const second = Object.groupBy(
    listed.filter(({ request }) => request.listing === 'antecedente'),
    ({ request }) => String(request.item),
  );
  // Several items may link to the same annex, which is one document. Equal rows are therefore numbered separately in
  // each listing, and a document with a known id is skipped.
  const known = new Set<string>();
  for (const [item, pages = []] of Object.entries(second)) {
    for (const identity of identified([codigo, 'antecedente'], listFiles(pages, 'grdAttachment', notes))) {
      if (known.has(identity.documentoId)) continue;
      known.add(identity.documentoId);
      const listing = { listing: 'antecedente', item: Number(item) } as const;
      yield row(codigo, identity, listing, `antecedente/${item}/${identity.file.page}`);
    }
  }
  yield* closedNotice('documentos', codigo, listed, isCaptcha);
  const more = antecedentes.length - BOUNDS.antecedentesMax;
  if (more > 0)
    yield notice(
      'procurement.documentos.truncated',
      `${codigo}: ${more} further listings of attachments were not read.`,
      { tender: codigo, count: more },
    );
  yield* tellNotes('documentos', codigo, notes);
}
