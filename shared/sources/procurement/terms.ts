/** Converts the portal's terms to keys. */

import { TENDER_STATES } from '#shared/scopes/tender.ts';
import { foldText } from '#shared/values/search-text.ts';

type TenderState = (typeof TENDER_STATES)[number];

/** Maps the portal's numbers of states to states (§2.5). Two numbers mean that the buyer revoked the tender. */
export const STATE_CODES: ReadonlyMap<string, TenderState> = new Map([
  ['5', 'publicada'],
  ['6', 'cerrada'],
  ['7', 'desierta'],
  ['8', 'adjudicada'],
  ['15', 'revocada'],
  ['18', 'revocada'],
  ['19', 'suspendida'],
]);

/**
 * Returns the known state that a word names; undefined for a word that the portal's table of states omits. The portal
 * may explain a state in parentheses after the word: "Desierta (o art. 3 ó 9 Ley 19.886)".
 */
export const namedState = (shown: string): TenderState | undefined => {
  const word = foldTerm(shown).split('(', 1).join('').trimEnd();
  return TENDER_STATES.find((state) => state === word);
};

/** Returns the key of a state that the portal shows as a word. Any state is accepted, also an unknown one. */
export const stateKey = (shown: string): string => namedState(shown) ?? foldTerm(shown);

/** Returns a term without accents, in lower case. */
export const foldTerm = (shown: string): string => foldText(shown).trim();

/** Returns the type from the last part of the code: `1509-5-L114` has type `L1` and year 2014 (§2.5). */
export const typeOfCode = (codigo: string): string | null => /-([A-Z][A-Z0-9])\d{2}$/.exec(codigo)?.[1] ?? null;

/** Maps the currency names on the page to the ISO codes of the API (§5, assumed); an unknown name stays as it is. */
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

/** Normalizes a text for a document's identity: extra blanks, accent encoding and case do not matter. */
export const normalized = (text: string): string =>
  composed(ODD_BLANKS.test(text) ? text.replaceAll(/\s+/g, ' ') : text)
    .trim()
    .toLowerCase();

// biome-ignore lint/suspicious/noControlCharactersInRegex: letters of ASCII have one spelling, control characters too.
const ASCII = /^[\x00-\x7F]*$/;
const composed = (text: string): string => (ASCII.test(text) ? text : text.normalize('NFC'));

const ODD_BLANKS = /\s\s|[^\S ]/;
