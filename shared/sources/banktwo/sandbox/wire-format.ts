/** The bank's formats: hundredths with a trailing sign, instants with Santiago's offset, errors. */
import { Temporal } from 'temporal-polyfill';
import { ZONE } from '#shared/values/dates.ts';
import { formatWall } from '../../sandbox-kit/calendar.ts';
import { withChangedKeys, withField } from '../../sandbox-kit/lies.ts';
import type { Behaviour } from './behaviour.ts';

export const FAULT_PAGE =
  '<!DOCTYPE html><html><head><title>Banco Dos</title></head><body><p>Presentamos intermitencias</p></body></html>';
export const CHALLENGE_PAGE = '<!DOCTYPE html><html><body><p>Verificando su navegador…</p></body></html>';

/** Signs of a positive amount that were seen or are possible: `+`, a blank, nothing. */
const POSITIVE = ['', ' ', '+'];

export const centavos = (value: number, behaviour: Behaviour): string => {
  const digits = String(Math.abs(value)).padStart(14, '0');
  if (value < 0) return `${digits}-`;
  return digits + (behaviour === 'loose_types' ? POSITIVE[(Math.abs(value / 100) % 3) | 0]! : '+');
};

export const movementNumber = (number: number): string => String(number).padStart(9, '0');

/** Writes an instant as `2025-03-06T16:30:02-03:00`. */
export const localInstant = (ms: number): string =>
  Temporal.Instant.fromEpochMilliseconds(ms)
    .toZonedDateTimeISO(ZONE)
    .toString({ timeZoneName: 'never', smallestUnit: 'second' });

export const readHour = (ms: number): number => Number(formatWall(ms).slice(11, 13));

/** Writes the text of a successful answer. */
export const writeBody = (content: object, behaviour: Behaviour): string => {
  if (behaviour === 'loose_types') return `)]}',\n${JSON.stringify(content)}`;
  if (behaviour === 'changed_page') return JSON.stringify(withChangedKeys(content));
  return JSON.stringify(
    behaviour === 'unknown_fields' ? withField(content, 'newField', { version: 2, notes: ['añadido'] }) : content,
  );
};
