/** Malformations of an answer: cells of the table, each with a name, made from the good answers of one kind. */
import type { WireAnswer } from './wire.ts';

/** One malformation: its name, and the answers that it gives instead of good ones, by request. */
export interface Cell {
  name: string;
  lies: ReadonlyMap<string, WireAnswer>;
}

/** Changes a body; returns undefined if the body has nothing to change. */
export type Change = (body: Uint8Array) => Uint8Array | undefined;

export const text = (body: Uint8Array): string => Buffer.from(body).toString('latin1');
export const bytes = (changed: string): Uint8Array => Buffer.from(changed, 'latin1');

const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

/** Makes the change in every answer that contains something to change. */
export const everywhere = (name: string, answers: readonly WireAnswer[], change: Change): Cell[] => {
  const lies = new Map<string, WireAnswer>();
  for (const answer of answers) {
    const body = change(answer.body);
    if (body !== undefined && !isSame(body, answer.body)) lies.set(answer.key, { ...answer, body });
  }
  return lies.size === 0 ? [] : [{ name, lies }];
};

/** Makes the change in the first answer that contains something to change. */
export const once = (name: string, answers: readonly WireAnswer[], change: Change): Cell[] => {
  for (const answer of answers) {
    const body = change(answer.body);
    if (body !== undefined && !isSame(body, answer.body))
      return [{ name, lies: new Map([[answer.key, { ...answer, body }]]) }];
  }
  return [];
};

/** Changes of whole answers: cut, empty, of another type. */
export const bodyCells = (answers: readonly WireAnswer[]): Cell[] => [
  ...once('cut in half', answers, (body) => body.subarray(0, Math.floor(body.length / 2))),
  ...once('cut before its end', answers, (body) => body.subarray(0, body.length - 8)),
  ...everywhere('zero bytes', answers, () => bytes('')),
  ...everywhere('empty object', answers, () => bytes('{}')),
  ...everywhere('empty list', answers, () => bytes('[]')),
  ...everywhere('null', answers, () => bytes('null')),
  ...everywhere('random bytes', answers, (body) => randomBytes(Math.max(200, body.length))),
  ...everywhere('an invalid byte', answers, withInvalidByte),
  ...asPage(answers),
];

/** The same bytes in every run. */
const randomBytes = (length: number): Uint8Array => {
  const result = new Uint8Array(length);
  let state = 0x2545f491;
  for (let at = 0; at < length; at++) {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
    result[at] = state >>> 24;
  }
  return result;
};

/** Damages the last non-ASCII character of an answer that has several, encoded in UTF-8. */
const withInvalidByte: Change = (body) => {
  const starts = [...body.keys()].filter((at) => body[at]! >= 0xc3 && body[at + 1]! >= 0x80 && body[at + 1]! < 0xc0);
  const last = starts.at(-1);
  if (last === undefined || starts.length < 2) return undefined;
  const changed = Uint8Array.from(body);
  changed[last] = 0xff;
  return changed;
};

const PAGE = bytes(
  '<html><head><title>Aviso</title></head><body><p>Ha ocurrido un error inesperado.</p></body></html>',
);

const asPage = (answers: readonly WireAnswer[]): Cell[] => {
  const headers = { 'content-type': 'text/html' };
  return [{ name: 'an error page', lies: new Map(answers.map((a) => [a.key, { ...a, headers, body: PAGE }])) }];
};

/** The answer to another request of the same kind: another page, account, type, book. */
export const swapCells = (answers: readonly WireAnswer[]): Cell[] =>
  answers.slice(0, -1).flatMap((answer, i) => {
    const next = answers[i + 1]!;
    if (isSame(answer.body, next.body)) return [];
    return [
      {
        name: `answer ${i + 1} again in place of ${i + 2}`,
        lies: new Map([[next.key, { ...next, body: answer.body }]]),
      },
      { name: `answer ${i + 2} in place of ${i + 1}`, lies: new Map([[answer.key, { ...answer, body: next.body }]]) },
    ];
  });

/** The answer of another unit: another month, another tender. */
export const otherUnitCells = (answers: readonly WireAnswer[], others: readonly WireAnswer[]): Cell[] => {
  const lies = new Map<string, WireAnswer>();
  for (const [i, answer] of answers.entries()) {
    const other = others[i];
    if (other && other.key !== answer.key && !isSame(other.body, answer.body))
      lies.set(answer.key, { ...answer, body: other.body });
  }
  return lies.size === 0 ? [] : [{ name: 'answer of another unit', lies }];
};
