/**
 * Formats instants, days and numbers for the reader's region. Money stays a decimal string and never becomes a number.
 */
import { locale } from './language.ts';

const ZONE = 'America/Santiago';

const INSTANT = new Intl.DateTimeFormat(locale, {
  ...{ dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23', timeZone: ZONE },
});
const TIME = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: ZONE });
const COUNT = new Intl.NumberFormat(locale);

/** Formats an instant of the API in Santiago time. @param iso the instant, ISO 8601 */
export const instant = (iso: string): string => INSTANT.format(new Date(iso));

/** Formats the time of an instant in Santiago, such as `17:05`. */
export const timeOfDay = (iso: string): string => TIME.format(new Date(iso));

export const count = (number: number): string => COUNT.format(number);

/**
 * Formats `"1234567.50"` as `1.234.567,50`. It works on the digits of the string, because a Number has less than
 * eighteen exact digits.
 */
export const money = (decimal: string): string => {
  const [, sign = '', whole = '', fraction] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimal) ?? [];
  if (whole === '') return decimal;
  const [group, point] = locale === 'es-CL' ? ['.', ','] : [',', '.'];
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, group);
  return `${sign}${grouped}${fraction === undefined ? '' : point + fraction}`;
};

export const PESO = 'CLP';

/** Formats an amount without its currency: other currencies than pesos have two decimals or more. */
export const amountIn = (decimal: string, currency: string): string => {
  const [whole = '', fraction = ''] = decimal.split('.');
  if (currency === PESO || !/^-?\d+$/.test(whole)) return money(decimal);
  return money(`${whole}.${fraction.padEnd(2, '0')}`);
};

/** Formats an amount with its currency, such as `USD 1.234,50`; pesos without a name. */
export const moneyIn = (decimal: string, currency: string): string =>
  currency === PESO ? money(decimal) : `${currency} ${amountIn(decimal, currency)}`;
