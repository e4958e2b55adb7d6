/** Converts between Santiago wall time on the wire and instants inside the sandbox. */
import { santiagoInstant } from '#shared/values/wall-time.ts';

/** Local time without offset, such as `2026-11-05T15:00:00`. */
export type Local = string;

export const local = (day: string, time: string): Local => `${day}T${time}`;

export const toMs = (moment: Local): number => {
  const [day = '', time = ''] = moment.split('T');
  const [hour = 0, minute = 0, second = 0] = time.split(':').map(Number);
  return Date.parse(santiagoInstant(day, hour, minute, second));
};

const parts = (moment: Local): [string, string, string, string] => {
  const [day = '', time = ''] = moment.split('T');
  const [y = '', m = '', d = ''] = day.split('-');
  return [d, m, y, time];
};

/** Writes a time as `20-03-2025 9:00:00`: a ficha shows the hour without leading zero (procurement.md §3.1). */
export const onFicha = (moment: Local): string => {
  const [d, m, y, time] = parts(moment);
  return `${d}-${m}-${y} ${time.replace(/^0/, '')}`;
};

/** Writes a time as `20-03-2025 09:00:00`, as grids and the forum show it (§3.2, §3.3). */
export const inGrid = (moment: Local): string => {
  const [d, m, y, time] = parts(moment);
  return `${d}-${m}-${y} ${time}`;
};
