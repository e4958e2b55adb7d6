/** Files of text by how they begin, and the two texts that come in place of a file: a page and a JSON answer. */
const START_BYTES = 4_096;

/** Without byte order mark and blanks; of UTF-16 the characters, too. */
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

/** `pattern` looks at the start, and a page is none of them. */
export const makeTextTest =
  (pattern: RegExp) =>
  (body: Buffer): boolean =>
    pattern.test(textStart(body)) && !isHtmlPage(body);

/** Whole, or cut: what begins as one and is too long to be looked at is taken by its beginning. */
export const isJsonObject = (body: Buffer): boolean => {
  const start = textStart(body);
  return /^\{\s*(?:"(?:[^"\\]|\\.)*"\s*:|\}\s*$)/.test(start) || /^\[\s*(?:[{\]]|$)/.test(start);
};
