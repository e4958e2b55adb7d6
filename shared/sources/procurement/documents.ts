/**
 * Converts the documents of a listing to rows. The wire has no document id, so the id is derived from the data in the
 * listing (procurement.md §5).
 */
import { hash } from 'node:crypto';
import type { JsonObject } from '../source.ts';
import type { FileRow } from './grids.ts';
import { normalized } from './terms.ts';

export interface ListedFile extends FileRow {
  /** Number of the page that lists the file. */
  page: number;
}

export interface Identified {
  documentoId: string;
  file: ListedFile;
  /** Fingerprint of the row. */
  shown: string;
}

const ID_CHARS = 20;

/**
 * Returns the fields that identify a row. With the same fields, the row is found again on a page that has changed since
 * the listing was read. The description is left out, because people edit it.
 */
export const fingerprint = ({
  nombre,
  tipo,
  fechaAdjunto,
}: Pick<FileRow, 'nombre' | 'tipo' | 'fechaAdjunto'>): string =>
  JSON.stringify([nombre && normalized(nombre), tipo && normalized(tipo), fechaAdjunto]);

const shortHash = (parts: readonly unknown[]): string =>
  hash('sha256', JSON.stringify(parts), 'base64url').slice(0, ID_CHARS);

/**
 * Derives document ids from code, origin and fingerprint. Rows of one listing with the same fingerprint are numbered.
 */
export const identified = (owner: readonly string[], files: readonly ListedFile[]): Identified[] => {
  const seen = new Map<string, number>();
  return files.map((file) => {
    const shown = fingerprint(file);
    const ordinal = (seen.get(shown) ?? 0) + 1;
    seen.set(shown, ordinal);
    const own = shortHash([...owner, shown]);
    return { documentoId: ordinal === 1 ? own : `${own}-${ordinal}`, file, shown };
  });
};

/**
 * Returns the data to find the file again, starting from the tender's code, because links and view states expire (§5).
 */
export const buildLocator = (listing: JsonObject, { file, shown }: Identified, ficha: string): JsonObject => ({
  ...listing,
  ficha,
  page: file.page,
  control: file.control,
  nombre: file.nombre,
  shown,
  size: file.tamano?.text ?? null,
});
