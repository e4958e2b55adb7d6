/**
 * Possible answers instead of a file: nothing, a page, a part of the file, another kind of file, the bytes of another
 * file.
 */
import { bodyCells, bytes, type Cell, once, swapCells } from './cells.ts';
import type { WireAnswer } from './wire.ts';

/** A shorter file that begins and ends as the original does. */
const END_BYTES = 64;
const shorter = (body: Uint8Array): Uint8Array =>
  Buffer.concat([body.subarray(0, Math.floor(body.length * 0.6)), body.subarray(-END_BYTES)]);

/** A picture of the same length. */
const asPicture = (body: Uint8Array): Uint8Array => {
  const picture = Buffer.alloc(body.length);
  picture.write('\x89PNG\r\n\x1A\n', 'latin1');
  picture.write('IEND', body.length - 8);
  return picture;
};

/** The other file unchanged, with its own name. */
const wholeSwaps = (answers: readonly WireAnswer[]): Cell[] =>
  answers.slice(0, -1).map((answer, i) => {
    const { headers, body } = answers[i + 1]!;
    return {
      name: `file ${i + 2} by its name in place of ${i + 1}`,
      lies: new Map([[answer.key, { ...answer, headers, body }]]),
    };
  });

const page = bytes('<html><body><h1>Error</h1></body></html>');

export const fileCells = (answers: readonly WireAnswer[]): Cell[] => [
  ...bodyCells(answers),
  ...once('zero bytes, one', answers, () => bytes('')),
  ...once('an error page called a file', answers, () => page),
  ...once('a smaller file', answers, shorter),
  ...once('another kind', answers, asPicture),
  ...swapCells(answers),
  ...wholeSwaps(answers),
];
