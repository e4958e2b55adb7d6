/**
 * Finds odd numbers in a JSON text, which are numbers that a float would print differently: `48000000.0`, `1e5`, `-0`,
 * 20 digits. A reviver with access to the source text does the same but takes ten times as long (docs/performance.md).
 */

const [QUOTE, BACKSLASH, MINUS, ZERO, NINE] = [34, 92, 45, 48, 57];

/** A float holds integers with this many digits exactly. */
const PLAIN = /^\d{1,15}$/;
/** All characters that a number may contain. In valid JSON the match ends where the number ends. */
const NUMBER = /[-+.eE\d]+/y;

const closingQuote = (text: string, opening: number): number => {
  for (let at = text.indexOf('"', opening + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return at;
  }
  return text.length;
};

/** Returns the same JSON with odd numbers as strings. `text` must be valid JSON. */
export const withOddNumbersQuoted = (text: string): string => {
  let quoted = '';
  let copiedTo = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) at = closingQuote(text, at);
    else if (char === MINUS || (char >= ZERO && char <= NINE)) {
      NUMBER.lastIndex = at;
      const [number] = NUMBER.exec(text)!;
      if (!PLAIN.test(number)) {
        quoted += `${text.slice(copiedTo, at)}"${number}"`;
        copiedTo = at + number.length;
      }
      at += number.length - 1;
    }
  }
  return copiedTo === 0 ? text : quoted + text.slice(copiedTo);
};
