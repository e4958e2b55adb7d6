/**
 * Finds a secret even if the server escaped some of its characters: as HTML entities, as escapes of JSON and scripts,
 * or as percent codes. Escapes are decoded during the search, so that no second copy of the text is needed.
 */
import { createTextSearch, type ReadSign, type TextSearch } from './byte-search.ts';

const ASCII_NAMES: Readonly<Record<string, string>> = {
  ...{ quot: '"', amp: '&', lt: '<', gt: '>', apos: "'", excl: '!', num: '#', dollar: '$', percnt: '%', lpar: '(' },
  ...{ rpar: ')', ast: '*', plus: '+', comma: ',', period: '.', sol: '/', colon: ':', semi: ';', equals: '=' },
  ...{ quest: '?', commat: '@', lsqb: '[', bsol: '\\', rsqb: ']', Hat: '^', lowbar: '_', grave: '`', lcub: '{' },
  ...{ verbar: '|', rcub: '}', euro: '€' },
};
/** Entity names of the characters U+00A0 to U+00FF, in order. */
const LATIN1_NAMES = (
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro ' +
  'para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil ' +
  'Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave ' +
  'Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml ' +
  'igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute ' +
  'thorn yuml'
).split(' ');

const CODES = new Map([
  ...Object.entries(ASCII_NAMES).map(([name, sign]) => [name, sign.codePointAt(0)!] as const),
  ...LATIN1_NAMES.map((name, at) => [name, 0xa0 + at] as const),
]);

const AMPERSAND = 0x26;
const PERCENT = 0x25;
const BACKSLASH = 0x5c;

/** A longer entity is not decoded. */
const ENTITY_CHARS_MAX = 12;
const ENTITY = /^&(?:#(\d{1,8});?|#[xX]([0-9a-fA-F]{1,6});?|([A-Za-z]{2,8}\d{0,2});)/;

const sign = (code: number, bytes: number): number => (code << 4) | bytes;

const hexDigit = (byte: number | undefined): number => {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
};

/**
 * Returns the number that the next `digits` hexadecimal characters form, or -1 when one of these characters is not
 * hexadecimal.
 */
const hexAt = (text: Uint8Array, at: number, digits: number): number => {
  let code = 0;
  for (let digit = 0; digit < digits; digit++) {
    const value = hexDigit(text[at + digit]);
    if (value < 0) return -1;
    code = code * 16 + value;
  }
  return code;
};

const readEntity: ReadSign = (text, at) => {
  const start = Buffer.from(text.buffer, text.byteOffset + at, Math.min(ENTITY_CHARS_MAX, text.length - at));
  const match = ENTITY.exec(start.toString('latin1'));
  const [whole, decimal, hex, name] = match ?? [];
  const code =
    name === undefined ? Number.parseInt(decimal ?? hex ?? '', hex === undefined ? 10 : 16) : CODES.get(name);
  return code === undefined || !(code <= 0x10ffff) ? sign(AMPERSAND, 1) : sign(code, whole!.length);
};

const readUnicodeEscape = (text: Uint8Array, at: number): number =>
  text[at] === BACKSLASH && text[at + 1] === 0x75 ? hexAt(text, at + 2, 4) : -1;

const readBackslash: ReadSign = (text, at) => {
  const next = text[at + 1];
  const first = readUnicodeEscape(text, at);
  if (first >= 0) {
    const second = first >= 0xd800 && first < 0xdc00 ? readUnicodeEscape(text, at + 6) : -1;
    const isPair = second >= 0xdc00 && second < 0xe000;
    return isPair ? sign(((first - 0xd800) << 10) + (second - 0xdc00) + 0x10000, 12) : sign(first, 6);
  }
  const byX = next === 0x78 ? hexAt(text, at + 2, 2) : -1;
  if (byX >= 0) return sign(byX, 4);
  const isSign = next === 0x22 || next === 0x27 || next === 0x2f || next === BACKSLASH;
  return isSign ? sign(next, 2) : sign(BACKSLASH, 1);
};

/** Reads one byte, which may be plain or written as a percent code. */
const readByte: ReadSign = (text, at) => {
  const byte = text[at];
  if (byte === undefined) return -1;
  const code = byte === PERCENT ? hexAt(text, at + 1, 2) : -1;
  return code < 0 ? sign(byte, 1) : sign(code, 3);
};

const bytesOfSequence = (first: number): number => {
  if (first >= 0xc2 && first <= 0xdf) return 2;
  if (first >= 0xe0 && first <= 0xef) return 3;
  return first >= 0xf0 && first <= 0xf4 ? 4 : 1;
};

/** Reads a UTF-8 character, or a byte of ISO-8859-1. */
const readSequence: ReadSign = (text, at) => {
  const first = readByte(text, at);
  const count = bytesOfSequence(first >> 4);
  let bytes = first & 15;
  let code = count === 1 ? first >> 4 : (first >> 4) & (0xff >> (count + 1));
  for (let more = 1; more < count; more++) {
    const next = readByte(text, at + bytes);
    if (next < 0 || ((next >> 4) & 0xc0) !== 0x80) return first;
    code = (code << 6) | ((next >> 4) & 0x3f);
    bytes += next & 15;
  }
  return sign(code, bytes);
};

const readSign: ReadSign = (text, at) => {
  const byte = text[at];
  if (byte === undefined) return -1;
  if (byte === AMPERSAND) return readEntity(text, at);
  if (byte === BACKSLASH) return readBackslash(text, at);
  return byte === PERCENT || byte >= 0x80 ? readSequence(text, at) : sign(byte, 1);
};

const IS_ESCAPE = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x80 || byte === AMPERSAND || byte === PERCENT || byte === BACKSLASH ? 1 : 0,
);

export interface EscapedSearch {
  add(secret: string): void;
  places: TextSearch['places'];
}

export const createEscapedSearch = (): EscapedSearch => {
  const search = createTextSearch(readSign, IS_ESCAPE);
  return {
    add: (secret) => search.add([Uint32Array.from(Array.from(secret, (letter) => letter.codePointAt(0)!))]),
    places: (text) => {
      const isEscaped = [AMPERSAND, BACKSLASH, PERCENT].some((byte) => text.includes(byte));
      return isEscaped ? search.places(text) : [];
    },
  };
};
