/** The minimal cost of reading the same bytes with the same library without interpreting them. */
import { gunzipSync } from 'node:zlib';
import { parse as parseCsv } from 'csv-parse/sync';
import { Parser } from 'htmlparser2';
import { decodeText } from '#shared/sources/http/charset.ts';

/** Files of the tax authority are compressed. */
const isPacked = (body: Uint8Array): boolean => body[0] === 0x1f && body[1] === 0x8b;

export const textOf = (body: Uint8Array): string => decodeText(isPacked(body) ? gunzipSync(body) : body);

const READERS = {
  HTML: (text: string) => new Parser({}).end(text),
  JSON: (text: string) => JSON.parse(text) as unknown,
  // The fastest possible use: mixed line ends take the library twice the time.
  CSV: (text: string) =>
    parseCsv(text.replaceAll(/\r\n?/g, '\n'), {
      delimiter: ';',
      quote: false,
      record_delimiter: '\n',
      relax_column_count: true,
      skip_empty_lines: true,
    }),
  /** Records of fixed width. */
  lines: (text: string) => text.split('\n'),
};
export type Format = keyof typeof READERS;

/** Decides by content, as the sources do: content types and file names from institutions are unreliable. */
export const formatOf = (text: string): Format => {
  const start = text.slice(0, 4096).trimStart();
  if (start.startsWith('<')) return 'HTML';
  if (/^\uFEFF?[[{]/.test(start)) return 'JSON';
  return start.split('\n', 1)[0]!.includes(';') ? 'CSV' : 'lines';
};

export const readOnly = (body: Uint8Array): void => {
  const text = textOf(body);
  READERS[formatOf(text)](text);
};
