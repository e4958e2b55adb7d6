/** What an HTML page of the portal says: no HTTP status tells refusals apart (banks.md §3.3), their words do. */
import { decodeText } from '../http/charset.ts';
import { seePage } from '../http/html.ts';

/** "Check markers case-insensitively after decoding" (§3.3); accents are left out, too: `mantencion` is no other word. */
const fold = (text: string): string =>
  // Loose accents first: a long row of them would be sorted, in the square of its length.
  text.replaceAll(/\p{M}/gu, '').normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll(/\s+/g, ' ');

export interface PageSigns {
  /** Folded text a person reads and what scripts alert, without links: help on locked claves is a link everywhere. */
  said: string;
  hasLoginForm: boolean;
}

export const readSigns = (body: Uint8Array): PageSigns => {
  const { alerts, visible, hasPasswordField } = seePage(decodeText(body));
  return { said: fold(`${visible}\n${alerts}`), hasLoginForm: hasPasswordField };
};

/** Words of §3.3, and of §1.6 where other banks were seen to say the same with others. All folded. */
export const SAYS = {
  wrongPassword: /clave incorrecta|clave invalida|error en los datos ingresados/,
  locked: /bloquead[oa]|suspendid[oa]/,
  /** "Will be locked after …" comes with a wrong password, not with a locked one. */
  lockWarning: /(?:sera|seran|quedara|puede ser|podra ser|podria ser|ser)\s+(?:bloquead|suspendid)[oa]/g,
  secondFactor: /clave dinamica|superclave|segundo factor|tarjeta de coordenadas/,
  maintenance: /mantencion/,
  fault: /temporalmente no disponible|intermitencia/,
  tooFast: /intente nuevamente/,
  noMovements: /no existen movimientos/,
  notAvailable: /periodo no disponible/,
  notAuthorized: /cuenta no autorizada/,
} as const;
