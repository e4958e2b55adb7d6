/**
 * A form as a browser posts it from an ISO-8859-1 page (banks.md §3.3): a clave with ñ travels as `%F1`. What that
 * charset does not have goes as a numeric reference, as browsers do.
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
