/**
 * The sandbox holds amounts in whole minor units (pesos, US cents). The endpoints of open and closed statements write
 * amounts differently (banks.md §3.1).
 */
export type Currency = 'CLP' | 'USD';

const parts = (minor: number, currency: Currency): { sign: string; whole: string; cents: string | null } => {
  const digits = String(Math.abs(minor)).padStart(3, '0');
  const sign = minor < 0 ? '-' : '';
  return currency === 'CLP'
    ? { sign, whole: String(Math.abs(minor)), cents: null }
    : { sign, whole: digits.slice(0, -2), cents: digits.slice(-2) };
};

/** Writes an amount as `15200000` or `1520.75`; with a leading `-` when negative. */
export const plain = (minor: number, currency: Currency): string => {
  const { sign, whole, cents } = parts(minor, currency);
  return `${sign}${whole}${cents === null ? '' : `.${cents}`}`;
};

/** Writes an amount as `15.200.000` or `1.520,75`; with a leading `-` when negative. */
export const dotted = (minor: number, currency: Currency): string => {
  const { sign, whole, cents } = parts(minor, currency);
  return `${sign}${whole.replaceAll(/\B(?=(?:\d{3})+$)/g, '.')}${cents === null ? '' : `,${cents}`}`;
};
