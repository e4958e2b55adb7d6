/** Compares a received file with its row in the listing: size, extension and name (procurement.md §3.2). */
import type { FileProof } from '#shared/values/file-proof.ts';
import type { JsonObject, StoredFile } from '../source.ts';
import { fileFault, isPage, renamedKind } from '../truth/validate-file.ts';
import { fitsSize } from './sizes.ts';
import { type FileAnswer, isAttachment } from './web.ts';

/**
 * Returns the name of a file. The signed terms are not in any listing and so have no name; the ficha says that they are
 * a PDF (§3.1).
 */
const nameOf = ({ nombre }: JsonObject): string => (typeof nombre === 'string' ? nombre : 'bases.pdf');
const sizeOf = ({ size }: JsonObject): string | undefined => (typeof size === 'string' ? size : undefined);

export const chooseProof = (locator: JsonObject): FileProof => (sizeOf(locator) === undefined ? 'form' : 'size');

/**
 * True if a stored file still matches its row in the listing. A file that was stored without a check is fetched again
 * once.
 */
export const isStillProven = (locator: JsonObject, { bytes, proof }: StoredFile): boolean => {
  const shown = sizeOf(locator);
  return proof !== null && (shown === undefined || fitsSize(shown, bytes));
};

const WORD = /[a-z0-9]{3,}/g;

/**
 * Decodes a file name beyond ASCII as in mail and HTTP (RFC 2047, RFC 8187); a name that cannot be decoded is returned
 * unchanged.
 */
const decoded = (name: string): string => {
  const word = /^=\?utf-8\?([bq])\?(.*)\?=$/i.exec(name.trim());
  if (word?.[1]?.toLowerCase() === 'b') return Buffer.from(word[2]!, 'base64').toString();
  const percent = word ? word[2]!.replaceAll('=', '%') : name.replace(/^utf-8''/i, '');
  try {
    return decodeURIComponent(percent);
  } catch {
    return percent;
  }
};

/**
 * Returns the share of the words of `name` that also occur in `given`, in order. Only words without accents are
 * compared, because accented letters arrive mangled in many ways.
 */
const likeness = (given: string, name: string): number => {
  const words = name.toLowerCase().match(WORD) ?? [];
  let from = 0;
  const found = words.filter((word) => {
    const at = given.indexOf(word, from);
    if (at >= 0) from = at + word.length;
    return at >= 0;
  });
  return words.length === 0 ? 0 : found.length / words.length;
};

/**
 * Compares the name in the answer with the name of the wanted row and with the names of all other rows on the page.
 * Only a complete match that no other row shares proves that the file belongs to the wanted row.
 */
const ownerOf = (disposition: string | undefined, name: string, others: readonly string[]) => {
  const match = /filename\*?=(?:"([^"]*)"|([^;]*))/i.exec(disposition ?? '');
  const given = decoded(match?.[1] ?? match?.[2] ?? '').toLowerCase();
  const own = likeness(given, name);
  const other = Math.max(0, ...others.map((each) => likeness(given, each)));
  return { isOthers: other > own, isOwn: own === 1 && other < 1 };
};

export type FileVerdict = { fault: string } | { renamed: string | undefined };

/**
 * Returns a fault if the answer is not the wanted file. Otherwise returns the real kind of the file, if its name has
 * the extension of another kind. `others` are the names of all other rows on the page.
 */
export const validateGiven = (given: FileAnswer, locator: JsonObject, others: readonly string[]): FileVerdict => {
  const name = nameOf(locator);
  const shown = sizeOf(locator);
  const fits = shown === undefined ? undefined : (bytes: number) => fitsSize(shown, bytes);
  const { isOthers, isOwn } = ownerOf(given.disposition, name, others);
  const expected = { name, fits, isNamed: isOwn };
  const fault = fileFault(given, expected);
  if (fault !== undefined) return { fault };
  // A user may have attached an HTML page. If the answer is a page but not sent as an attachment, the portal sent a
  // page instead of the file.
  if (isPage(given.body) && !isAttachment(given.disposition)) return { fault: 'a page instead of the file' };
  const isUnproven = shown === undefined && typeof locator.nombre === 'string';
  if (isUnproven && isOthers) return { fault: 'the file of another row' };
  return { renamed: renamedKind(given, expected) };
};
