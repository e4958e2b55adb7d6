/** RUT, the Chilean tax identifier. */

const withDots = (body: string, check: string): string =>
  `${body.replaceAll(/\B(?=(\d{3})+$)/g, '.')}-${check.toUpperCase()}`;

/** Formats `76192083-9` as `76.192.083-9`. A text in another form stays unchanged. */
export const rutWithDots = (rut: string): string => {
  const [, body = '', check = ''] = /^(\d{1,9})-([\dkK])$/.exec(rut) ?? [];
  return body === '' ? rut : withDots(body, check);
};

const checkDigit = (body: string): string => {
  const sum = [...body].reverse().reduce((total, digit, at) => total + Number(digit) * (2 + (at % 6)), 0);
  return '0K987654321'[sum % 11] ?? '';
};

/**
 * Returns a RUT with dots, `76.192.083-9`, from any usual spelling. Undefined if the text is not a RUT or its check
 * digit is wrong.
 */
export const dottedRut = (spelling: string): string | undefined => {
  const compact = spelling
    .replaceAll(/[.\-\s]/g, '')
    .toUpperCase()
    .replace(/^0+/, '');
  const [, body = '', check = ''] = /^(\d{1,9})([\dK])$/.exec(compact) ?? [];
  if (body === '' || checkDigit(body) !== check) return undefined;
  return withDots(body, check);
};
