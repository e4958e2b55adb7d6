/** Formats `76192083-9` as `76.192.083-9`. A text in another form stays unchanged. */
export const rutWithDots = (rut: string): string => {
  const [, number = '', digit = ''] = /^(\d{1,9})-([\dkK])$/.exec(rut) ?? [];
  return number === '' ? rut : `${number.replaceAll(/\B(?=(\d{3})+$)/g, '.')}-${digit.toUpperCase()}`;
};
