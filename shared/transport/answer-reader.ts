/** Reads answers from a connection, in bounded pieces. */
import type { Readable } from 'node:stream';
import { type Framing, parseHeaders, parseStatusLine, type ReceivedHead } from './answer-head.ts';
import { type AnswerFault, AnswerUnreadable } from './faults.ts';
import { TRANSPORT_LIMITS } from './limits.ts';

const LF = 10;
const CHUNK_LINE = /^([0-9a-f]{1,12})[ \t]*(?:;.*)?$/i;
/** The connection ended without an orderly end. */
const RESET = /^(?:ECONNRESET|EPIPE|ERR_STREAM_PREMATURE_CLOSE)$/;
const SWITCHING_PROTOCOLS = 101;

export class AnswerReader {
  readonly #packets: AsyncIterator<Buffer>;
  #unread: Buffer = Buffer.alloc(0);
  /** The next packet, if it is awaited before an answer is read. */
  #ahead: Promise<IteratorResult<Buffer>> | undefined;
  /** Status of the answer that is read now; null before its status line. */
  #status: number | null = null;

  constructor(connection: Readable) {
    this.#packets = connection.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  get hasUnread(): boolean {
    return this.#unread.length > 0;
  }

  /** Calls `onEnd` if the connection ends, or sends something, before the next answer is read. */
  watch(onEnd: () => void): void {
    const ahead = this.#packets.next();
    this.#ahead = ahead;
    const end = (): void => {
      if (this.#ahead === ahead) onEnd();
    };
    ahead.then(end, end);
  }

  /**
   * Reads informational answers and the head of the final answer.
   * @throws AnswerUnreadable, or the error of the connection
   */
  async readHead(): Promise<ReceivedHead> {
    this.#status = null;
    const budget = { bytes: TRANSPORT_LIMITS.headBytesMax };
    for (;;) {
      const { status, isHttp11 } = parseStatusLine(await this.#readHeadLine(budget));
      if (status === SWITCHING_PROTOCOLS) throw new AnswerUnreadable('ANSWER_SWITCHES', status);
      if (status >= 200) this.#status = status;
      const fields = parseHeaders(await this.#readFieldLines(budget), this.#status);
      if (status >= 200) return { status, isHttp11, ...fields };
    }
  }

  /**
   * Yields the body. Throws if the body does not end as its head says.
   * @throws AnswerUnreadable, or the error of the connection
   */
  async *readBody(framing: Framing): AsyncGenerator<Uint8Array> {
    if (framing.ends === 'unknown') throw this.#unreadable(framing.fault);
    if (framing.ends === 'by length') yield* this.#readBytes(framing.length);
    if (framing.ends === 'by chunks') yield* this.#readChunks();
    if (framing.ends !== 'with the connection') return;
    while (this.hasUnread || (await this.#receive())) yield this.#take(this.#unread.length);
  }

  #unreadable(fault: AnswerFault): AnswerUnreadable {
    return new AnswerUnreadable(fault, this.#status);
  }

  /** Waits for more bytes. Returns false at the end of the connection. */
  async #receive(): Promise<boolean> {
    const packet = this.#ahead ?? this.#packets.next();
    this.#ahead = undefined;
    try {
      const { done, value } = await packet;
      if (!done) this.#unread = value;
      return !done;
    } catch (error) {
      if (this.#status !== null && RESET.test(String((error as { code?: unknown }).code)))
        throw this.#unreadable('ANSWER_CUT');
      throw error;
    }
  }

  #take(bytes: number): Buffer {
    const taken = this.#unread.subarray(0, bytes);
    this.#unread = this.#unread.subarray(bytes);
    return taken;
  }

  /** Reads a line, without its end. */
  async #readLine(bytesMax: number, tooLong: AnswerFault): Promise<string> {
    const pieces: Buffer[] = [];
    for (let bytes = 0; ; ) {
      const end = this.#unread.indexOf(LF);
      const piece = this.#take(end < 0 ? this.#unread.length : end + 1);
      bytes += piece.length;
      if (bytes > bytesMax) throw this.#unreadable(tooLong);
      pieces.push(piece);
      const isLast = end >= 0 || !(await this.#receive());
      if (!isLast) continue;
      const line = Buffer.concat(pieces).toString('latin1');
      if (end < 0) throw this.#unreadable(this.#status === null ? faultOfEnd(line) : 'ANSWER_CUT');
      return line.replace(/\r?\n$/, '');
    }
  }

  async #readHeadLine(budget: { bytes: number }): Promise<string> {
    const bytesMax = Math.min(budget.bytes, TRANSPORT_LIMITS.headLineBytesMax);
    const line = await this.#readLine(bytesMax, 'ANSWER_HEAD_TOO_LARGE');
    // Counts the line's end, so that empty lines and short headers are bounded as well.
    budget.bytes -= line.length + 2;
    return line;
  }

  /** Reads up to a blank line. */
  async #readFieldLines(budget: { bytes: number }): Promise<string[]> {
    const lines: string[] = [];
    for (;;) {
      const line = await this.#readHeadLine(budget);
      if (line === '') return lines;
      lines.push(line);
    }
  }

  async *#readBytes(length: number): AsyncGenerator<Uint8Array> {
    for (let left = length; left > 0; ) {
      if (!this.hasUnread && !(await this.#receive())) throw this.#unreadable('ANSWER_CUT');
      const bytes = this.#take(left);
      left -= bytes.length;
      yield bytes;
    }
  }

  async *#readChunks(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const size = CHUNK_LINE.exec(
        await this.#readLine(TRANSPORT_LIMITS.chunkLineBytesMax, 'ANSWER_CHUNK_INVALID'),
      )?.[1];
      if (size === undefined) throw this.#unreadable('ANSWER_CHUNK_INVALID');
      if (/^0+$/.test(size)) break;
      yield* this.#readBytes(Number.parseInt(size, 16));
      if ((await this.#readLine(2, 'ANSWER_CHUNK_INVALID')) !== '') throw this.#unreadable('ANSWER_CHUNK_INVALID');
    }
    // Trailers are not used.
    await this.#readFieldLines({ bytes: TRANSPORT_LIMITS.headBytesMax });
  }
}

/** Returns the fault of a connection that ended with this beginning of a status line. */
const faultOfEnd = (line: string): AnswerFault => {
  if (line === '') return 'ANSWER_MISSING';
  return /^HTTP\//i.test(line) ? 'ANSWER_CUT' : 'ANSWER_NOT_HTTP';
};
