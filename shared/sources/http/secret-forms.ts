/** Forms in which an institution may repeat a text from a request: unchanged, escaped, in base64 and in hex. */

const asciiEscaped = (json: string): string =>
  json.replaceAll(/[^ -~]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);

const html = (text: string, apostrophe: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", apostrophe);

const lowerPercents = (text: string): string => text.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());

/** Encodes a text as the form of an ISO-8859-1 page sends it (banks.md §3.3). */
const latin1Encoded = (text: string): string =>
  Array.from(text, (sign) => {
    if (/[A-Za-z0-9*\-._]/.test(sign)) return sign;
    if (sign === ' ') return '+';
    const code = sign.codePointAt(0)!;
    return code > 0xff ? encodeURIComponent(`&#${code};`) : `%${code.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');

const urlEncoded = (text: string): string[] => {
  // A lone surrogate cannot be encoded; fetch and forms send U+FFFD instead.
  const whole = text.toWellFormed();
  const forms = [
    encodeURIComponent(whole),
    new URLSearchParams({ '': whole }).toString().slice(1),
    encodeURI(whole),
    latin1Encoded(whole),
  ];
  return forms.flatMap((form) => [form, lowerPercents(form)]);
};

const jsonEscaped = (text: string): string[] => {
  const json = JSON.stringify(text).slice(1, -1);
  return [json, asciiEscaped(json), json.replaceAll('/', '\\/'), asciiEscaped(json).replaceAll('/', '\\/')];
};

const numbered = (text: string): string => text.replaceAll(/[^ -~]/gu, (sign) => `&#${sign.codePointAt(0)};`);

const htmlEscaped = (text: string): string[] => [
  numbered(html(text, '&#39;')),
  ...["'", '&#39;', '&#039;', '&#x27;', '&apos;'].map((apostrophe) => html(text, apostrophe)),
  text.replaceAll('&', '&amp;'),
];

const escaped = (text: string): string[] => [
  ...new Set([text, ...urlEncoded(text), ...jsonEscaped(text), ...htmlEscaped(text)]),
];

/**
 * Returns the base64 characters that depend only on the secret, for each of the three offsets at which the secret may
 * begin. The first and the last character are left out, because they may also depend on a neighbouring byte.
 */
const base64Cores = (bytes: Buffer): string[] =>
  [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const core = text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });

/** A core with fewer characters could match unrelated text. */
const CORE_CHARS_MIN = 8;

const once = (texts: readonly Buffer[]): Buffer[] => [
  ...new Map(texts.map((text) => [text.toString('latin1'), text])).values(),
];

/**
 * Returns the text unchanged, escaped once and escaped twice. A text is escaped twice when a URL is in JSON, or JSON is
 * in a page.
 */
export const textForms = (secret: string): Buffer[] => {
  const twice = new Set(escaped(secret).flatMap(escaped));
  return once([...twice].flatMap((form) => [Buffer.from(form), Buffer.from(form, 'latin1')]));
};

/** Returns the base64 and hex forms of a secret, which also match if the encoded text contains more than the secret. */
export const packedForms = (secret: string): Buffer[] => {
  const bytes = once(escaped(secret).flatMap((form) => [Buffer.from(form), Buffer.from(form, 'latin1')]));
  const cores = bytes.flatMap(base64Cores);
  const hex = Buffer.from(secret).toString('hex');
  const long = [...new Set(cores)].filter((core) => core.length >= CORE_CHARS_MIN);
  const forms = long.flatMap((core) => [core, ...urlEncoded(core), core.replaceAll('/', '\\/')]);
  return once([...forms, hex, hex.toUpperCase()].map((form) => Buffer.from(form)));
};
