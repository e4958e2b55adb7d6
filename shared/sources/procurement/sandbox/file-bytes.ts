/**
 * Generates the bytes of a file, of the kind that its extension names and of the size that its listing shows. The first
 * line of text contains the file's name, so that a wrong file is noticed.
 */
import { crc32 } from 'node:zlib';
import type { FileModel } from './parts.ts';

/** Number of bytes per Kb. */
const KB = 1_024;

const EOCD_BYTES = 22;
const NAME = Buffer.from('contenido.txt');
const LOCAL_BYTES = 30;
const CENTRAL_BYTES = 46;
/** Size of a zip with one entry, without the content of the entry. */
const ZIP_FRAME = LOCAL_BYTES + CENTRAL_BYTES + 2 * NAME.length + EOCD_BYTES;

const padded = (text: string, length: number, fill: string): Buffer => {
  const bytes = Buffer.alloc(length, fill);
  bytes.write(text);
  return bytes;
};

/** Builds a zip with one uncompressed entry. */
const zip = (text: string, length: number): Buffer => {
  const entry = padded(text, length - ZIP_FRAME, '\n');
  const sum = crc32(entry);
  const [local, central, end] = [LOCAL_BYTES, CENTRAL_BYTES, EOCD_BYTES].map((size) => Buffer.alloc(size)) as [
    Buffer,
    Buffer,
    Buffer,
  ];
  local.write('PK\x03\x04\x0A', 'latin1');
  central.write('PK\x01\x02\x0A\0\x0A', 'latin1');
  for (const [header, at] of [
    [local, 14],
    [central, 16],
  ] as const) {
    header.writeUInt32LE(sum, at);
    header.writeUInt32LE(entry.length, at + 4);
    header.writeUInt32LE(entry.length, at + 8);
    header.writeUInt16LE(NAME.length, at + 12);
  }
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(CENTRAL_BYTES + NAME.length, 12);
  end.writeUInt32LE(LOCAL_BYTES + NAME.length + entry.length, 16);
  return Buffer.concat([local, NAME, entry, central, NAME, end]);
};

const END = '\n%%EOF\n';
const pdf = (text: string, length: number): Buffer => {
  const bytes = padded(`%PDF-1.4\n%${text}`, length, ' ');
  bytes.write(END, length - END.length);
  return bytes;
};

const KINDS: Readonly<Record<string, (text: string, length: number) => Buffer>> = {
  docx: zip,
  xlsx: zip,
  dwg: (text, length) => padded(`AC1032\0\0${text}`, length, '\0'),
  kml: (text, length) => {
    const bytes = padded(`<?xml version="1.0"?>\n<kml><!-- ${text.replaceAll('--', '')} -->`, length, ' ');
    bytes.write('</kml>\n', length - 7);
    return bytes;
  },
};

export const fileBytes = (codigo: string, file: FileModel, place: string): Buffer => {
  const text = `${codigo}\n${place}\n${file.nombre}\n`;
  const make = KINDS[file.nombre.slice(file.nombre.lastIndexOf('.') + 1)] ?? pdf;
  return make(text, file.kb * KB);
};

/** Returns the bytes of the signed terms, which are a PDF that no listing contains. */
export const termsBytes = (codigo: string): Buffer => pdf(`${codigo}\nbases\n`, 40 * KB);
