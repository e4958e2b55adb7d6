/** Reads the body of an answer up to a limit, because an endless answer would end the worker and not only the call. */
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { unexpected } from '../parsing/results.ts';
import type { SourceError } from '../source.ts';

const tooLarge = (what: string, bytesMax: number): SourceError =>
  unexpected(what, `the answer is larger than ${bytesMax} bytes`);

const DECODERS = { gzip: gunzipSync, 'x-gzip': gunzipSync, deflate: inflateSync, br: brotliDecompressSync } as const;

export const readBody = async (
  what: string,
  stream: AsyncIterable<Uint8Array>,
  encoding: string | undefined,
  bytesMax: number,
): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.byteLength;
    if (size > bytesMax) throw tooLarge(what, bytesMax);
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks, size);
  const decode = DECODERS[(encoding ?? '').trim().toLowerCase() as keyof typeof DECODERS];
  if (!decode || size === 0) return body;
  try {
    return decode(body, { maxOutputLength: bytesMax });
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(what, bytesMax);
    throw unexpected(what, 'the answer cannot be decompressed', error);
  }
};
