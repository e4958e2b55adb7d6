/**
 * Returns the text of a job's file: gzip of CSV (tax.md §4.4), or plain CSV if the transport has already decompressed
 * the file.
 */
import { gunzipSync } from 'node:zlib';
import { decodeText } from '../http/charset.ts';
import { unexpected } from '../parsing/results.ts';
import type { SourceError } from '../source.ts';
import { FILE_TEXT_BYTES_MAX } from './wire.ts';

const tooLarge = (answerKey: string): SourceError =>
  unexpected(answerKey, `the file unpacks to more than ${FILE_TEXT_BYTES_MAX / 1024 / 1024} MiB`);

export const fileText = (body: Uint8Array, answerKey: string): string => {
  if (body[0] !== 0x1f || body[1] !== 0x8b) {
    if (body.byteLength > FILE_TEXT_BYTES_MAX) throw tooLarge(answerKey);
    return decodeText(body);
  }
  try {
    return decodeText(gunzipSync(body, { maxOutputLength: FILE_TEXT_BYTES_MAX }));
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(answerKey);
    throw unexpected(answerKey, 'the file cannot be unpacked', error);
  }
};
