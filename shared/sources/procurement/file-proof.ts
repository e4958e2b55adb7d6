/** What the listing of a file says against what came: its size, its ending, its name (procurement.md §3.2). */
import type { FileProof } from '#shared/values/file-proof.ts';
import type { JsonObject, StoredFile } from '../source.ts';
import { fileFault, isPage, renamedKind } from '../truth/validate-file.ts';
import { fitsSize } from './sizes.ts';
import type { FileAnswer } from './web.ts';

/** The signed terms stand in no listing: the ficha says that they are a PDF (§3.1). */
const nameOf = ({ nombre }: JsonObject): string => (typeof nombre === 'string' ? nombre : 'bases.pdf');
const sizeOf = ({ size }: JsonObject): string | undefined => (typeof size === 'string' ? size : undefined);

export const chooseProof = (locator: JsonObject): FileProof => (sizeOf(locator) === undefined ? 'form' : 'size');

/** Still the file that its listing speaks of? What was stored without having been judged is fetched once more. */
export const isStillProven = (locator: JsonObject, { bytes, proof }: StoredFile): boolean => {
  const shown = sizeOf(locator);
  return proof !== null && (shown === undefined || fitsSize(shown, bytes));
};

const isAttachment = (disposition: string | undefined): boolean => /attachment/i.test(disposition ?? '');

const WORD = /[a-z0-9]{3,}/g;

/** As mail and HTTP write names beyond ASCII (RFC 2047, RFC 8187); what cannot be decoded is left as it is. */
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

/** Accents come mangled, in many ways: the words that have none tell, in their order. What share of them is there? */
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

/** Whose name the answer has: only one that another row of the listing has says that it is that row's file. */
const ownerOf = (disposition: string | undefined, name: string, others: readonly string[]) => {
  const match = /filename\*?=(?:"([^"]*)"|([^;]*))/i.exec(disposition ?? '');
  const given = decoded(match?.[1] ?? match?.[2] ?? '').toLowerCase();
  const own = likeness(given, name);
  const other = Math.max(0, ...others.map((each) => likeness(given, each)));
  return { isOthers: other > own, isOwn: own === 1 && other < 1 };
};

export type FileVerdict = { fault: string } | { renamed: string | undefined };

/** In words why the answer is not the file, or the kind of one that is named otherwise. `others`: names of its page. */
export const validateGiven = (given: FileAnswer, locator: JsonObject, others: readonly string[]): FileVerdict => {
  const name = nameOf(locator);
  const shown = sizeOf(locator);
  const fits = shown === undefined ? undefined : (bytes: number) => fitsSize(shown, bytes);
  const { isOthers, isOwn } = ownerOf(given.disposition, name, others);
  const expected = { name, fits, isNamed: isOwn };
  const fault = fileFault(given, expected);
  if (fault !== undefined) return { fault };
  // Somebody may have attached a page; one that is no attachment came in place of the file.
  if (isPage(given.body) && !isAttachment(given.disposition)) return { fault: 'a page in place of the file' };
  const isUnproven = shown === undefined && typeof locator.nombre === 'string';
  if (isUnproven && isOthers) return { fault: 'the file of another row' };
  return { renamed: renamedKind(given, expected) };
};
