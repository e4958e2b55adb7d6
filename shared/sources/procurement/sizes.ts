/** Reads the size cell of a listing, and compares it with the size of a file (procurement.md §3.2, §5). */
import { Big } from 'big.js';
import { type FieldPath, GROUPED, readText, unreadable } from './values.ts';

const SIZE = /^(\S+?)\s*(kb|mb|bytes?|b)$/i;
/** A dot before one or two digits cannot separate thousands, so it precedes decimals. */
const DOT_DECIMALS = /^(\d{1,9})\.(\d{1,2})$/;
const POWERS: Readonly<Record<string, number>> = { b: 0, k: 1, m: 2 };
/** Possible numbers of bytes per Kb, because the wire does not define the unit. */
const BASES = [1_024, 1_000] as const;

export interface ShownSize {
  /** The size as the page shows it. The locator stores this text for a later check of the file. */
  text: string;
  /** Approximate number of bytes, as a whole number, with 1,024 bytes per Kb. */
  bytes: string;
}

interface ReadSize {
  number: Big;
  decimals: number;
  power: number;
}

const readParts = (text: string): ReadSize | undefined => {
  const [, number = '', unit = ''] = SIZE.exec(text) ?? [];
  const [, sign, whole = '', decimals = ''] = GROUPED.exec(number.replace(DOT_DECIMALS, '$1,$2')) ?? [];
  if (sign !== '' || (decimals.length === 3 && !whole.includes('.'))) return undefined;
  return {
    number: new Big(`${whole.replaceAll('.', '')}.${decimals || '0'}`),
    decimals: decimals.length,
    power: POWERS[unit.charAt(0).toLowerCase()]!,
  };
};

/**
 * Converts `120 Kb` to bytes. As everywhere on these pages, `3.675` has a separator of thousands and `3,6` has
 * decimals; `3,675` may have either. `1.5 MB` has decimals also.
 */
export const readSize = (value: unknown, field: string, place: FieldPath): ShownSize | null => {
  const text = readText(value, field, place);
  if (text === null) return null;
  const parts = readParts(text);
  if (!parts) throw unreadable(place, field, 'is not a size');
  return {
    text,
    bytes: parts.number
      .times(BASES[0] ** parts.power)
      .round(0, 0)
      .toFixed(0),
  };
};

/**
 * True if the number of bytes matches the shown size. The portal's rounding is unknown, so the size may differ by one
 * step of the last digit, and by at least one Kb.
 */
export const fitsSize = (shown: string, bytes: number): boolean => {
  const parts = readParts(shown);
  if (!parts) return false;
  const { number, decimals, power } = parts;
  // Value of one step of the last digit shown.
  const step = new Big(10).pow(-decimals);
  return BASES.some((base) => {
    const unit = base ** power;
    const slack = step.times(unit);
    return number
      .times(unit)
      .minus(bytes)
      .abs()
      .lte(slack.gt(base) ? slack : base);
  });
};
