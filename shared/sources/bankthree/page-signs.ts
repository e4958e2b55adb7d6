/** Texts of the portal's HTML pages, because refusals do not differ by HTTP status (banks.md §3.3). */

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
