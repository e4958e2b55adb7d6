/** Classifies HTML pages of the portal by their text, because refusals do not differ by HTTP status (banks.md §3.3). */
import { decodeText } from '../http/charset.ts';
import { seePage } from '../http/html.ts';

/**
 * Returns a text in lower case and without accents, because of "Check markers case-insensitively after decoding"
 * (§3.3). Without accents, `mantencion` also matches.
 */
const fold = (text: string): string =>
  // Accents that are separate characters are removed first, because normalization sorts a long sequence of accents in
  // quadratic time.
  text.replaceAll(/\p{M}/gu, '').normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll(/\s+/g, ' ');

export interface PageSigns {
  /**
   * Folded text that a person reads on the page or in alerts of scripts. Links are left out, because every page has a
   * link to help on locked claves, which looks like a refusal.
   */
  said: string;
  hasLoginForm: boolean;
}

export const readSigns = (body: Uint8Array): PageSigns => {
  const { alerts, visible, hasPasswordField } = seePage(decodeText(body));
  return { said: fold(`${visible}\n${alerts}`), hasLoginForm: hasPasswordField };
};

/** Patterns for folded texts: texts of §3.3, and texts of §1.6 that other banks use with the same meaning. */
export const SAYS = {
  wrongPassword: /clave incorrecta|clave invalida|error en los datos ingresados/,
  locked: /bloquead[oa]|suspendid[oa]/,
  /** The warning "will be locked after …" appears with a wrong password, not with a locked user. */
  lockWarning: /(?:sera|seran|quedara|puede ser|podra ser|podria ser|ser)\s+(?:bloquead|suspendid)[oa]/g,
  secondFactor: /clave dinamica|superclave|segundo factor|tarjeta de coordenadas/,
  maintenance: /mantencion/,
  fault: /temporalmente no disponible|intermitencia/,
  tooFast: /intente nuevamente/,
  noMovements: /no existen movimientos/,
  notAvailable: /periodo no disponible/,
  notAuthorized: /cuenta no autorizada/,
} as const;
