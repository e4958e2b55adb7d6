/** Instants as the clocks in Santiago show them, which is what a spreadsheet can store. */
import { language } from '../../text/language.ts';

/** Formats an instant as `2026-10-31 22:00:00`. */
const SANTIAGO = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/Santiago',
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** Returns the text for a CSV file, and the same time of day as a UTC date for a spreadsheet, which has no zones. */
export const santiagoTime = (iso: string): { text: string; asUtc: Date } => {
  const [date = '', time = ''] = SANTIAGO.format(new Date(iso)).split(' ');
  const day = date
    .split('-')
    .reverse()
    .join(language === 'es' ? '-' : '/');
  return { text: `${day} ${time}`, asUtc: new Date(`${date}T${time}Z`) };
};
