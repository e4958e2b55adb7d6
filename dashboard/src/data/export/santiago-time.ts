/** Instants as the clocks in Santiago show them, which is what a spreadsheet can store. */
import { language } from '../../text/language.ts';

const PARTS = new Intl.DateTimeFormat('en', {
  timeZone: 'America/Santiago',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

/** Returns the text for a CSV file, and the same time of day as a UTC date for a spreadsheet, which has no zones. */
export const santiagoTime = (iso: string): { text: string; asUtc: Date } => {
  const parts = Object.fromEntries(PARTS.formatToParts(new Date(iso)).map(({ type, value }) => [type, value]));
  const { year, month, day, hour, minute, second } = parts;
  const date = language === 'es' ? `${day}-${month}-${year}` : `${day}/${month}/${year}`;
  return {
    text: `${date} ${hour}:${minute}:${second}`,
    asUtc: new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`),
  };
};
