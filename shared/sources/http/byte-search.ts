/**
 * Searches for many texts at once, in one pass. An institution controls both the page and the tokens that are searched
 * for, so the number of steps must grow only with the length of the page, for any tokens.
 */
import { SECRET_SIGNS_COMPARED } from './limits.ts';

export interface TextSearch {
  add(forms: readonly ArrayLike<number>[]): void;
  /** Returns the positions of all matches, in order. A match inside another match is left out. */
  places(text: Uint8Array): [from: number, to: number][];
}

/**
 * Reads the character at a position. Returns its code times 16 plus the number of its bytes (at most 15), or -1 at the
 * end of the text.
 */
export type ReadSign = (text: Uint8Array, at: number) => number;

/**
 * If this many characters of a form match, the whole form counts as found, and the search compares no further
 * character.
 */
const SIGNS_MAX = SECRET_SIGNS_COMPARED;

const STARTS = 1 << 16;
const startOf = (first: number, second: number): number => ((first << 8) ^ second) & (STARTS - 1);

const byOrder = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) if (a[at] !== b[at]) return a[at]! - b[at]!;
  return a.length - b.length;
};

const beginsWith = (form: ArrayLike<number>, start: ArrayLike<number>): boolean => {
  if (start.length > form.length) return false;
  for (let at = 0; at < start.length; at++) if (form[at] !== start[at]) return false;
  return true;
};

/** Forms whose first two characters have the same `startOf` value, sorted. */
interface FormBucket {
  forms: ArrayLike<number>[];
  /** For each form, the index of its longest prefix among the forms that are shorter than `SIGNS_MAX`, or -1. */
  within: number[];
  isSorted: boolean;
}

const sort = (bucket: FormBucket): void => {
  const { forms } = bucket;
  forms.sort(byOrder);
  const begun: number[] = [];
  bucket.within = forms.map((form, at) => {
    while (begun.length > 0 && !beginsWith(form, forms[begun.at(-1)!]!)) begun.pop();
    const longest = begun.at(-1) ?? -1;
    if (form.length < SIGNS_MAX) begun.push(at);
    return longest;
  });
  bucket.isSorted = true;
};

/**
 * Returns the number of bytes from `at` that match a form, or that match at least the first `SIGNS_MAX` characters of a
 * form; 0 without a match. The longest match wins.
 */
const lengthAt = (text: Uint8Array, at: number, { forms, within }: FormBucket, read: ReadSign): number => {
  let low = 0;
  let high = forms.length;
  let mostSigns = 0;
  let mostBytes = 0;
  let signsBelow = 0;
  while (low < high) {
    const middle = (low + high) >> 1;
    const form = forms[middle]!;
    let signs = 0;
    let bytes = 0;
    let sign = read(text, at);
    while (signs < form.length && sign >> 4 === form[signs]) {
      signs++;
      bytes += sign & 15;
      sign = read(text, at + bytes);
    }
    if (signs > mostSigns) {
      mostSigns = signs;
      mostBytes = bytes;
    }
    if (signs === form.length || sign >> 4 > form[signs]!) {
      signsBelow = signs;
      low = middle + 1;
    } else high = middle;
  }
  if (mostSigns >= SIGNS_MAX) return mostBytes;
  // If the text begins with a form, this form is either the last form that sorts before the text, or a prefix of that
  // last form.
  let one = low - 1;
  while (one >= 0 && forms[one]!.length > signsBelow) one = within[one]!;
  if (one < 0) return 0;
  let bytes = 0;
  for (let signs = forms[one]!.length; signs > 0; signs--) bytes += read(text, at + bytes) & 15;
  return bytes;
};

const sortAll = (buckets: Iterable<FormBucket>): void => {
  for (const bucket of buckets) if (!bucket.isSorted) sort(bucket);
};

/**
 * Returns a search without texts. `isEscape` is 1 for each byte that may begin an escape; at all other bytes the search
 * does not call `read`.
 */
export const createTextSearch = (read: ReadSign, isEscape: Uint8Array): TextSearch => {
  const byStart = new Map<number, FormBucket>();
  const isStart = new Uint8Array(STARTS);
  return {
    add: (forms) => {
      for (const form of forms) {
        if (form.length < 2) continue;
        const start = startOf(form[0]!, form[1]!);
        const bucket = byStart.get(start) ?? { forms: [], within: [], isSorted: false };
        bucket.forms.push(form);
        bucket.isSorted = false;
        byStart.set(start, bucket);
        isStart[start] = 1;
      }
    },
    places: (text) => {
      const found: [number, number][] = [];
      if (byStart.size === 0) return found;
      sortAll(byStart.values());
      const end = text.length;
      const signAt = (at: number): number => {
        const byte = text[at]!;
        return at >= end || isEscape[byte] === 1 ? read(text, at) : (byte << 4) | 1;
      };
      let sign = signAt(0);
      for (let at = 0; at + 1 < end; ) {
        const next = signAt(at + (sign & 15));
        const start = startOf(sign >> 4, next >> 4);
        const length = isStart[start] === 0 ? 0 : lengthAt(text, at, byStart.get(start)!, read);
        if (length > 0) {
          found.push([at, at + length]);
          at += length;
          sign = signAt(at);
        } else {
          at += sign & 15;
          sign = next;
        }
      }
      return found;
    },
  };
};

const readByte: ReadSign = (text, at) => (at < text.length ? (text[at]! << 4) | 1 : -1);

export const createByteSearch = (): TextSearch => createTextSearch(readByte, new Uint8Array(256));
