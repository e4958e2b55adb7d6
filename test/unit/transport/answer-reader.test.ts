/** The result of reading an answer depends on its bytes and not on its packets, and every answer is read in bounds. */
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judgeFraming } from '#shared/transport/answer-head.ts';
import { AnswerReader } from '#shared/transport/answer-reader.ts';
import { AnswerUnreadable } from '#shared/transport/faults.ts';
import { TRANSPORT_LIMITS } from '#shared/transport/limits.ts';
import { RAW_ANSWERS } from '#test/fixtures/raw-answers/answers.ts';
import { runs } from '#test/helpers/effort.ts';

/** Returns what a client sees of the answer, and the bytes after it. */
const readAnswer = async (packets: readonly Buffer[]): Promise<unknown> => {
  const reader = new AnswerReader(Readable.from(packets.filter(({ length }) => length > 0)));
  try {
    const head = await reader.readHead();
    const body: Uint8Array[] = [];
    for await (const chunk of reader.readBody(judgeFraming(head))) body.push(chunk);
    return { ...head, body: Buffer.concat(body).toString('latin1') };
  } catch (error) {
    if (error instanceof AnswerUnreadable) return { code: error.code, status: error.status };
    throw error;
  }
};

const SHORT = RAW_ANSWERS.map(({ packets }) => packets.join('')).filter(({ length }) => length < 1_000);

/** A raw answer with some bytes replaced, removed or repeated. */
const answers = fc
  .tuple(
    fc.constantFrom(...SHORT),
    fc.array(fc.tuple(fc.nat(1_000), fc.nat(2), fc.constantFrom(...'\r\n \t:,0129fH\0;\xff')), { maxLength: 3 }),
  )
  .map(([answer, changes]) =>
    changes.reduce((text, [at, removed, added]) => {
      const start = at % (text.length + 1);
      return text.slice(0, start) + added + text.slice(start + removed);
    }, answer),
  );

test('the packets do not change the result', async () => {
  await fc.assert(
    fc.asyncProperty(answers, fc.array(fc.nat(400), { maxLength: 6 }), async (answer, cuts) => {
      const bytes = Buffer.from(answer, 'latin1');
      const ends = [...cuts, 0, bytes.length].sort((a, b) => a - b);
      const packets = ends.slice(1).map((end, n) => bytes.subarray(ends[n], end));
      expect(await readAnswer(packets)).toEqual(await readAnswer([bytes]));
    }),
    { numRuns: runs(1_000) },
  );
});

async function* forever(text: string): AsyncGenerator<Buffer> {
  for (const packet = Buffer.from(text); ; ) yield packet;
}

test.each([
  ['headers', 'x: 1\r\n', 'HTTP/1.1 200 OK\r\n'],
  ['folds', ' \r\n', 'HTTP/1.1 200 OK\r\nx: 1\r\n'],
  ['informational answers', 'HTTP/1.1 100 Continue\r\n\r\n', ''],
  ['one line', 'x', 'HTTP/1.1 '],
  ['trailers', 'x: 1\r\n', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n'],
  ['one extension of a chunk', 'x', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2;'],
])('%s without end are refused', async (_, repeated, first) => {
  let bytes = 0;
  const packets = async function* (): AsyncGenerator<Buffer> {
    yield Buffer.from(first);
    for await (const packet of forever(repeated)) {
      bytes += packet.length;
      yield packet;
    }
  };
  const reader = new AnswerReader(Readable.from(packets(), { highWaterMark: 1 }));
  const reading = (async () => {
    for await (const chunk of reader.readBody(judgeFraming(await reader.readHead()))) expect(chunk).toHaveLength(0);
  })();
  await expect(reading).rejects.toBeInstanceOf(AnswerUnreadable);
  expect(bytes).toBeLessThan(2 * TRANSPORT_LIMITS.headBytesMax);
});
