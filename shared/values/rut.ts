/** RUT: Chilean tax identifier, digits plus a modulo-11 check digit (0-9 or K). */

export const rutCheckDigit = (body: string): string => {
  let sum = 0;
  let factor = 2;
  for (let i = body.length - 1; i >= 0; i--) {
    sum += Number(body[i]) * factor;
    factor = factor === 7 ? 2 : factor + 1;
  }
  const rest = 11 - (sum % 11);
  return rest === 11 ? '0' : rest === 10 ? 'K' : String(rest);
};

/**
 * Normalizes any usual spelling (`12.345.678-5`, `12345678-5`, `0123456785`, lower-case k) to `12345678-5`. Returns
 * undefined if the text is not a RUT or its check digit is wrong.
 */
export const normalizeRut = (spelling: string): string | undefined => {
  const compact = spelling
    .replaceAll(/[.\-\s]/g, '')
    .toUpperCase()
    .replace(/^0+/, '');
  const match = /^(\d{1,9})([\dK])$/.exec(compact);
  if (!match) return undefined;
  const [, body, check] = match as unknown as [string, string, string];
  return rutCheckDigit(body) === check ? `${body}-${check}` : undefined;
};

/** Splits `12345678-5` into its parts, for wire formats with two fields. */
export const splitRut = (rut: string): { body: string; checkDigit: string } => {
  const dash = rut.lastIndexOf('-');
  return { body: rut.slice(0, dash), checkDigit: rut.slice(dash + 1) };
};
