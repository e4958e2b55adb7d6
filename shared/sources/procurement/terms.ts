/** Words of the portal as keys. */

/** A key without accents: what is not in the table of states stays as it is (§2.5). */
export const stateKey = (shown: string): string =>
  shown.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().trim();

/** Type by the code's last part: `1509-5-L114` is `L1` of 2014 (§2.5). */
export const typeOfCode = (codigo: string): string | null => /-([A-Z][A-Z0-9])\d{2}$/.exec(codigo)?.[1] ?? null;

/** Words of the page → ISO codes as the API has them (§5, assumed); another word stays as it is. */
export const CURRENCIES: Readonly<Record<string, string>> = {
  'peso chileno': 'CLP',
  'pesos chilenos': 'CLP',
  'unidad de fomento': 'CLF',
  'unidades de fomento': 'CLF',
  'dolar americano': 'USD',
  dolar: 'USD',
  euro: 'EUR',
  'unidad tributaria mensual': 'UTM',
};

/** A text as it stands for itself in an identity: a blank more, another accent's spelling or case is no other text. */
export const normalized = (text: string): string =>
  composed(ODD_BLANKS.test(text) ? text.replaceAll(/\s+/g, ' ') : text)
    .trim()
    .toLowerCase();

// biome-ignore lint/suspicious/noControlCharactersInRegex: letters of ASCII have one spelling, control characters too.
const ASCII = /^[\x00-\x7F]*$/;
const composed = (text: string): string => (ASCII.test(text) ? text : text.normalize('NFC'));

const ODD_BLANKS = /\s\s|[^\S ]/;
