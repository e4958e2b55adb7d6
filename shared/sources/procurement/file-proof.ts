/** What the listing of a file says against what came: its size, its ending, its name (procurement.md §3.2). */
import type { FileProof } from '#shared/domain/tender.ts';
import type { JsonObject, StoredFile } from '../source.ts';
import { endingOf } from '../truth/file-kinds.ts';
import { fileFault } from '../truth/judge-file.ts';
import { fitsSize } from './sizes.ts';
import type { FileAnswer } from './web.ts';

/** The signed terms stand in no listing: the ficha says that they are a PDF (§3.1). */
const nameOf = ({ nombre }: JsonObject): string => (typeof nombre === 'string' ? nombre : 'bases.pdf');
const sizeOf = ({ size }: JsonObject): string | undefined => (typeof size === 'string' ? size : undefined);

export const proofOf = (locator: JsonObject): FileProof => (sizeOf(locator) === undefined ? 'form' : 'size');

/** Still the file that its listing speaks of? What was stored without having been judged is fetched once more. */
export const isStillProven = (locator: JsonObject, { bytes, proof }: StoredFile): boolean => {
  const shown = sizeOf(locator);
  return proof !== null && (shown === undefined || fitsSize(shown, bytes));
};

const isAttachment = (disposition: string | undefined): boolean => /attachment/i.test(disposition ?? '');

const WORD = /[a-z0-9]{3,}/g;

/** Accents come mangled, in many ways: half of the words that have none must be there, in their order. */
const isOtherName = (disposition: string | undefined, name: string): boolean => {
  const given = /filename\*?=(?:"([^"]*)"|([^;]*))/i.exec(disposition ?? '');
  const shown = (given?.[1] ?? given?.[2] ?? '').toLowerCase();
  const words = name.toLowerCase().match(WORD) ?? [];
  if (shown === '' || words.length === 0) return false;
  let from = 0;
  const found = words.filter((word) => {
    const at = shown.indexOf(word, from);
    if (at >= 0) from = at + word.length;
    return at >= 0;
  });
  return found.length * 2 < words.length;
};

/** In words why the answer is not the file; undefined when it is. */
export const givenFault = (given: FileAnswer, locator: JsonObject): string | undefined => {
  const name = nameOf(locator);
  const shown = sizeOf(locator);
  const fits = shown === undefined ? undefined : (bytes: number) => fitsSize(shown, bytes);
  const fault = fileFault(given, { name, fits });
  if (fault !== undefined) return fault;
  // Somebody may have attached a page; one that is no attachment came in place of the file.
  if (['html', 'htm'].includes(endingOf(name)) && !isAttachment(given.disposition))
    return 'a page in place of the file';
  const isUnproven = shown === undefined && typeof locator.nombre === 'string';
  return isUnproven && isOtherName(given.disposition, name) ? 'a file of another name' : undefined;
};
