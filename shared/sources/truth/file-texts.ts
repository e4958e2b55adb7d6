/**
 * Recognizes text files by their beginning, and two kinds of text that may arrive instead of a file: a page and a JSON
 * answer.
 */
const START_BYTES = 4_096;

/** Returns the beginning of a file without byte order mark and blanks; UTF-16 is decoded. */
export const textStart = (body: Buffer): string => {
  const start = body.subarray(0, START_BYTES);
  const isUtf16 = start[0] === 0xff && start[1] === 0xfe;
  const isSwapped = start[0] === 0xfe && start[1] === 0xff;
  const text = isUtf16
    ? start.toString('utf16le')
    : isSwapped
      ? Buffer.from(start.subarray(0, start.length & ~1))
          .swap16()
          .toString('utf16le')
      : start.toString('utf8');
  return text.replace(/^\uFEFF/, '').trimStart();
};

const PROLOGUE = /^(?:<\?xml[^>]*\?>|<!--[\s\S]*?-->|\s)*/;

export const isHtmlPage = (body: Buffer): boolean =>
  /^<(?:!doctype\s+html|html|head|body|title|script|meta)\b/i.test(textStart(body).replace(PROLOGUE, ''));

/** Returns a test that matches `pattern` at the beginning of a file. A page never matches. */
export const makeTextTest =
  (pattern: RegExp) =>
  (body: Buffer): boolean =>
    pattern.test(textStart(body)) && !isHtmlPage(body);

/**
 * True for a JSON object or a list of JSON objects, complete or truncated. Only the beginning is examined, because the
 * text may be too long to parse.
 */
export const isJsonObject = (body: Buffer): boolean => {
  const start = textStart(body);
  return /^\{\s*(?:"(?:[^"\\]|\\.)*"\s*:|\}\s*$)/.test(start) || /^\[\s*(?:[{\]]|$)/.test(start);
};
