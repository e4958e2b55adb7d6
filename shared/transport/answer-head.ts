/** Reads the head of an answer as curl does, and decides how its body ends (RFC 9112 §6.3). */
import { type AnswerFault, AnswerUnreadable } from './faults.ts';

export interface ReceivedHead {
  status: number;
  /** By name in lower case; the values of repeated headers are joined by a comma. */
  headers: Record<string, string>;
  /** Each value of `set-cookie`. */
  cookies: string[];
  isHttp11: boolean;
}

export type Framing =
  | { ends: 'at once' | 'with the connection' | 'by chunks' }
  | { ends: 'by length'; length: number }
  | { ends: 'unknown'; fault: AnswerFault };

/** curl accepts these versions over a connection that did not agree on HTTP/2. */
const STATUS_LINE = /^HTTP\/(1\.[01]|2(?:\.0)?) +([1-9]\d\d)(?!\d)/i;

/** @throws AnswerUnreadable */
export const parseStatusLine = (line: string): { status: number; isHttp11: boolean } => {
  const [, version, status] = STATUS_LINE.exec(line) ?? [];
  if (status === undefined) throw new AnswerUnreadable('ANSWER_NOT_HTTP');
  return { status: Number(status), isHttp11: version === '1.1' };
};

/** Joins each folded line to the line before it. */
const unfold = (lines: readonly string[], status: number | null): string[] => {
  const unfolded: string[] = [];
  for (const line of lines) {
    if (!/^[ \t]/.test(line)) unfolded.push(line);
    else if (unfolded.length === 0) throw new AnswerUnreadable('ANSWER_NOT_HTTP', status);
    else unfolded.push(`${unfolded.pop()} ${line.trim()}`);
  }
  return unfolded;
};

/** @throws AnswerUnreadable */
export const parseHeaders = (
  lines: readonly string[],
  status: number | null,
): Pick<ReceivedHead, 'headers' | 'cookies'> => {
  const headers = new Map<string, string[]>();
  for (const line of unfold(lines, status)) {
    const colon = line.indexOf(':');
    if (colon < 0 || line.includes('\0')) throw new AnswerUnreadable('ANSWER_NOT_HTTP', status);
    const name = line.slice(0, colon).trim().toLowerCase();
    const values = headers.get(name) ?? [];
    values.push(line.slice(colon + 1).trim());
    headers.set(name, values);
  }
  return {
    headers: Object.fromEntries([...headers].map(([name, values]) => [name, values.join(', ')])),
    cookies: headers.get('set-cookie') ?? [],
  };
};

const words = (list: string): string[] => list.split(',').map((word) => word.trim().toLowerCase());

/** curl refuses a length that begins with no digit before it reads the body. */
const readLength = (list: string, status: number): Framing => {
  const lengths = list.split(',').map((word) => word.trim());
  if (!/^\+?\d/.test(list)) throw new AnswerUnreadable('ANSWER_LENGTH_INVALID', status);
  const isPlain = lengths.every((length) => /^\d+$/.test(length) && Number.isSafeInteger(Number(length)));
  if (!isPlain) return { ends: 'unknown', fault: 'ANSWER_LENGTH_INVALID' };
  const [length, ...others] = new Set(lengths.map(Number));
  if (others.length > 0) return { ends: 'unknown', fault: 'ANSWER_LENGTHS_DIFFER' };
  return { ends: 'by length', length: length! };
};

/**
 * Returns how the body ends. Chunks override a length; equal lengths count as one.
 * @throws AnswerUnreadable
 */
export const judgeFraming = ({ status, headers }: ReceivedHead): Framing => {
  if (status === 204 || status === 304) return { ends: 'at once' };
  const codings = new Set(words(headers['transfer-encoding'] ?? ''));
  for (const word of ['', 'identity']) codings.delete(word);
  const isChunked = codings.delete('chunked');
  if (codings.size > 0) return { ends: 'unknown', fault: 'ANSWER_CODING_UNKNOWN' };
  if (isChunked) return { ends: 'by chunks' };
  const length = headers['content-length'];
  return length === undefined ? { ends: 'with the connection' } : readLength(length, status);
};

/** True if the next answer of this connection can only begin where this one ends. */
export const keepsConnection = (head: ReceivedHead, framing: Framing): boolean => {
  const { headers, isHttp11 } = head;
  const isAmbiguous = headers['transfer-encoding'] !== undefined && headers['content-length'] !== undefined;
  const isClosed = words(headers.connection ?? '').includes('close');
  return isHttp11 && !isAmbiguous && !isClosed && !['with the connection', 'unknown'].includes(framing.ends);
};
