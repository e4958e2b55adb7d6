/** What an HTML page of the portal says: no HTTP status tells refusals apart (banks.md §3.3), their words do. */
import { load } from 'cheerio/slim';
import { decodeText } from '../http/charset.ts';

/** "Check markers case-insensitively after decoding" (§3.3); accents are left out, too: `mantencion` is no other word. */
const fold = (text: string): string =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll(/\s+/g, ' ');

export interface PageSigns {
  /** Folded text a person reads and what scripts alert, without links: help on locked claves is a link everywhere. */
  said: string;
  hasLoginForm: boolean;
}

/** Texts given to `alert(...)`. */
const ALERT = /alert\s*\(\s*(["'])(.*?)\1\s*\)/gs;

export const readSigns = (body: Uint8Array): PageSigns => {
  const html = decodeText(body);
  const page = load(html);
  const hasLoginForm = page('input[type="password"], input[name="clave"]').length > 0;
  const alerts = [...html.matchAll(ALERT)].map((match) => match[2]).join('\n');
  page('script, style, a, noscript').remove();
  return { said: fold(`${page.root().text()}\n${alerts}`), hasLoginForm };
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
