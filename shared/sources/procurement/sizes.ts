/** The size cell of a listing, and whether a file has it (procurement.md §3.2, §5). */
import { Big } from 'big.js';
import { type FieldPath, GROUPED, readText, unreadable } from './values.ts';

const SIZE = /^(\S+?)\s*(kb|mb|bytes?)$/i;
const POWERS: Readonly<Record<string, number>> = { b: 0, k: 1, m: 2 };
/** The wire does not tell which of the two a Kb has. */
const BASES = [1_024, 1_000] as const;

export interface ShownSize {
  /** As shown: the locator holds it, so that a file can be judged later. */
  text: string;
  /** Approximate, as a whole number of 1,024 bytes to the Kb. */
  bytes: string;
}

interface ReadSize {
  number: Big;
  decimals: number;
  power: number;
}

const readParts = (text: string): ReadSize | undefined => {
  const [, number = '', unit = ''] = SIZE.exec(text) ?? [];
  const [, sign, whole = '', decimals = ''] = GROUPED.exec(number) ?? [];
  if (sign !== '' || (decimals.length === 3 && !whole.includes('.'))) return undefined;
  return {
    number: new Big(`${whole.replaceAll('.', '')}.${decimals || '0'}`),
    decimals: decimals.length,
    power: POWERS[unit.charAt(0).toLowerCase()]!,
  };
};

/** `120 Kb` → bytes. Numbers as everywhere on these pages: `3.675` is thousands, `3,6` is not, `3,675` may be either. */
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

/** Up to one step of the last digit more or less, and at least one Kb: nobody knows how the portal rounds. */
export const fitsSize = (shown: string, bytes: number): boolean => {
  const parts = readParts(shown);
  if (!parts) return false;
  const { number, decimals, power } = parts;
  // What one step of the last digit shown is worth.
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
