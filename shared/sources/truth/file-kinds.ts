/**
 * Recognizes kinds of files by their bytes. The table is our own: it has the twenty kinds that the portal offers, and
 * the end marker of each kind that has one. Libraries know only how a kind begins, and half a file begins like a whole
 * file.
 */
import { isHtmlPage, isJsonObject, makeTextTest, textStart } from './file-texts.ts';

interface FileKind {
  /** True if the file begins like a file of this kind. */
  begins(body: Buffer): boolean;
  /** True if the file is complete. Absent when a file of this kind has no end marker. */
  ends?(body: Buffer): boolean;
}

/** An end marker is within this distance from the end of the file, because some programs append a few bytes. */
const END_BYTES = 4_096;
/** Size of the last record of a zip, without its comment. */
const ZIP_END_BYTES = 22;

const startsWith = (...marks: string[]) => {
  const bytes = marks.map((mark) => Buffer.from(mark, 'latin1'));
  return (body: Buffer): boolean => bytes.some((mark) => body.subarray(0, mark.length).equals(mark));
};
const endsNear =
  (mark: string) =>
  (body: Buffer): boolean =>
    body.subarray(-END_BYTES).includes(mark, 0, 'latin1');

const BLANK = /[\s\0]/;

/** Returns a test of the last character that ignores blanks and zeros after it. */
const lastIs =
  (mark: string) =>
  (body: Buffer): boolean => {
    const text = body.subarray(-END_BYTES).toString('latin1');
    let end = text.length;
    // A pattern with `+$` would start again at each of many blanks.
    while (BLANK.test(text.charAt(end - 1))) end -= 1;
    return text.endsWith(mark, end);
  };

/** True if the last record of the zip is complete, including its comment. */
const isWholeZip = (body: Buffer): boolean => {
  const at = body.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  return at >= 0 && at + ZIP_END_BYTES <= body.length && at + ZIP_END_BYTES + body.readUInt16LE(at + 20) <= body.length;
};

/** True if the root element of the XML is closed at the end. */
const isWholeXml = (body: Buffer): boolean => {
  const root = /<([A-Za-z_][\w.:-]*)/.exec(textStart(body).replace(/<!--[\s\S]*?-->/g, ''))?.[1];
  if (root === undefined || !lastIs('>')(body)) return false;
  const end = textStart(body.subarray(body.length > END_BYTES ? -END_BYTES : 0)).replaceAll('\0', '');
  return new RegExp(`(?:</${root}\\s*>|<${root}\\b[^<>]*/>)(?:\\s|<!--[\\s\\S]*?-->)*$`).test(end);
};

/**
 * An embedded preview has its own end marker within the first 64 KB. A phone may append a film after the end of the
 * picture.
 */
const PREVIEW_BYTES = 65_536;
const isWholeJpg = (body: Buffer): boolean =>
  body.lastIndexOf('\xFF\xD9', undefined, 'latin1') >= Math.min(PREVIEW_BYTES, Math.max(2, body.length - END_BYTES));

const isWhole7z = (body: Buffer): boolean =>
  body.length >= 32 && body.readBigUInt64LE(12) + body.readBigUInt64LE(20) + 32n <= BigInt(body.length);

const KINDS = {
  // The PDF standard allows a few bytes before the marker.
  pdf: { begins: (body) => body.subarray(0, 1_024).includes('%PDF-'), ends: endsNear('%%EOF') },
  zip: { begins: startsWith('PK\x03\x04', 'PK\x05\x06'), ends: isWholeZip },
  ole: { begins: startsWith('\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1') },
  png: { begins: startsWith('\x89PNG\r\n\x1A\n'), ends: endsNear('IEND') },
  jpg: { begins: startsWith('\xFF\xD8\xFF'), ends: isWholeJpg },
  gif: { begins: startsWith('GIF87a', 'GIF89a'), ends: lastIs(';') },
  tif: { begins: startsWith('II*\0', 'MM\0*', 'II+\0', 'MM\0+') },
  bmp: { begins: startsWith('BM'), ends: (body) => body.length >= 6 && body.readUInt32LE(2) <= body.length },
  rar: { begins: startsWith('Rar!\x1A\x07') },
  '7z': { begins: startsWith('7z\xBC\xAF\x27\x1C'), ends: isWhole7z },
  gz: { begins: startsWith('\x1F\x8B') },
  rtf: { begins: startsWith('{\\rtf'), ends: lastIs('}') },
  dxf: { begins: startsWith('AutoCAD Binary DXF') },
  dwg: { begins: (body) => /^AC\d{4}/.test(textStart(body)) },
  xml: { begins: makeTextTest(/^<[?!a-z_]/i), ends: isWholeXml },
  svg: { begins: makeTextTest(/^<[\s\S]*?<?svg[\s>]/i), ends: isWholeXml },
  kml: { begins: makeTextTest(/^<[\s\S]*?<?kml[\s>]/i), ends: isWholeXml },
  html: { begins: (body) => isHtmlPage(body) },
  json: { begins: makeTextTest(/^[[{]/), ends: (body) => lastIs('}')(body) || lastIs(']')(body) },
  text: { begins: (body) => !isHtmlPage(body) && !isJsonObject(body) && !textStart(body).includes('\0') },
  /** Kind of a file whose extension is not in the table. */
  unknown: { begins: (body) => !isHtmlPage(body) && !isJsonObject(body) },
} as const satisfies Record<string, FileKind>;
type KindName = keyof typeof KINDS;

/**
 * A document with a password uses the older container (`ole`), and programs also open a file whose extension names
 * another kind of this list.
 */
const OFFICE: readonly KindName[] = ['zip', 'ole'];
const ARCHIVES: readonly KindName[] = ['zip', 'rar', '7z'];
const PICTURES: readonly KindName[] = ['jpg', 'png', 'gif', 'bmp', 'tif'];
const ENDINGS: Readonly<Record<string, readonly KindName[]>> = {
  ...Object.fromEntries(['docx', 'xlsx', 'pptx', 'docm', 'xlsm', 'pptm', 'xls', 'ppt', 'pps'].map((e) => [e, OFFICE])),
  ...Object.fromEntries(['kmz', 'odt', 'ods', 'odp', 'epub'].map((e) => [e, ['zip'] as const])),
  ...Object.fromEntries(['txt', 'csv', 'md', 'log'].map((e) => [e, ['text'] as const])),
  doc: ['ole', 'zip', 'rtf'],
  msg: ['ole'],
  pdf: ['pdf'],
  dxf: ['dxf', 'text'],
  geojson: ['json'],
  ...Object.fromEntries(['png', 'jpg', 'jpeg', 'jpe', 'jfif', 'gif', 'tif', 'tiff', 'bmp'].map((e) => [e, PICTURES])),
  ...Object.fromEntries(['zip', 'rar', '7z'].map((e) => [e, ARCHIVES])),
  gz: ['gz'],
  tgz: ['gz'],
  rtf: ['rtf'],
  dwg: ['dwg'],
  xml: ['xml'],
  svg: ['svg'],
  kml: ['kml'],
  html: ['html'],
  htm: ['html'],
  json: ['json'],
};

/** Kinds with a marker at the beginning and at the end. */
const TELLING: readonly KindName[] = ['pdf', 'zip', 'png', 'jpg', 'gif', '7z', 'rtf'];

/**
 * Returns the kind if the bytes prove a complete file of this kind, otherwise undefined. The name of the file does not
 * matter.
 */
export const wholeKind = (bytes: Uint8Array): KindName | undefined => {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isKind = ({ begins, ends }: FileKind): boolean => begins(body) && ends?.(body) === true;
  return isHtmlPage(body) ? undefined : TELLING.find((name) => isKind(KINDS[name]));
};

export const readEnding = (name: string): string => /\.([^.\s]{1,8})\s*$/.exec(name)?.[1]?.toLowerCase() ?? '';

/** Returns a fault message when the bytes do not match the extension, or when the end of the file is missing. */
export const kindFault = (ending: string, bytes: Uint8Array): string | undefined => {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kinds: readonly KindName[] = ENDINGS[ending] ?? ['unknown'];
  const kind: FileKind | undefined = kinds.map((name): FileKind => KINDS[name]).find(({ begins }) => begins(body));
  if (kind === undefined) {
    const seen = isHtmlPage(body) ? 'a page' : isJsonObject(body) ? 'a JSON answer' : 'other bytes';
    return `${seen} where ${ending === '' ? 'a file' : `a ${ending} file`} was expected`;
  }
  return kind.ends?.(body) === false ? `a ${ending} file that does not go to its end` : undefined;
};
