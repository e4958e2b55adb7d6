/** Text of the file behind a job: gzip of CSV (tax.md §4.4); plain CSV too, where a transport has unpacked it. */
import { gunzipSync } from 'node:zlib';
import { decodeText } from '../http/charset.ts';
import { SourceError } from '../source.ts';

const TEXT_BYTES_MAX = 256 * 1024 * 1024;

export const fileText = (body: Uint8Array, answerKey: string): string => {
  if (body[0] !== 0x1f || body[1] !== 0x8b) return decodeText(body);
  try {
    return decodeText(gunzipSync(body, { maxOutputLength: TEXT_BYTES_MAX }));
  } catch (error) {
    throw new SourceError('source.unexpected_response', `${answerKey}: the file cannot be unpacked`, { cause: error });
  }
};
