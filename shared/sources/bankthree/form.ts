/**
 * Encodes a form as a browser does on an ISO-8859-1 page (banks.md §3.3): a clave with ñ is sent as `%F1`. Characters
 * outside that charset become numeric references, as in browsers.
 */
const UNRESERVED = /[A-Za-z0-9*\-._]/;

const percent = (byte: number): string => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;

const encoded = (character: string): string => {
  if (UNRESERVED.test(character)) return character;
  if (character === ' ') return '+';
  const code = character.codePointAt(0)!;
  return code <= 0xff ? percent(code) : encodeURIComponent(`&#${code};`);
};

const encodeText = (text: string): string => Array.from(text.normalize('NFC'), encoded).join('');

export const FORM_TYPE = 'application/x-www-form-urlencoded';

export const formBody = (fields: Readonly<Record<string, string>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${encodeText(name)}=${encodeText(value)}`)
    .join('&');
