/** Documents of a listing → rows. The wire has no id for them: one is made of what is shown (procurement.md §5). */
import { hash } from 'node:crypto';
import type { JsonObject } from '../source.ts';
import type { FileRow } from './grids.ts';
import { normalized } from './terms.ts';

export interface ListedFile extends FileRow {
  /** Page it stands on. */
  page: number;
}

export interface Identified {
  documentoId: string;
  file: ListedFile;
  /** Its fingerprint. */
  shown: string;
}

const ID_CHARS = 20;

/**
 * What a row is, for its identity and to find it again on a page that has changed meanwhile. Without its description,
 * which people edit.
 */
export const fingerprint = ({
  nombre,
  tipo,
  fechaAdjunto,
}: Pick<FileRow, 'nombre' | 'tipo' | 'fechaAdjunto'>): string =>
  JSON.stringify([nombre && normalized(nombre), tipo && normalized(tipo), fechaAdjunto]);

const shortHash = (parts: readonly unknown[]): string =>
  hash('sha256', JSON.stringify(parts), 'base64url').slice(0, ID_CHARS);

/** Ids by (code, origin and what is shown); rows that show the same within one listing are counted. */
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

/** Enough to reach the file anew from the tender's code: links and view states expire (§5). */
export const buildLocator = (listing: JsonObject, { file, shown }: Identified, ficha: string): JsonObject => ({
  ...listing,
  ficha,
  page: file.page,
  control: file.control,
  nombre: file.nombre,
  shown,
  size: file.tamano?.text ?? null,
});
