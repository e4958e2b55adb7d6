/** "Too old" is believed of a month that may be, and of no other (tax.md §4.2, §7.4). */
import { addMonths, santiagoPeriod } from '#shared/values/dates.ts';
import { unexpected } from '../parsing/results.ts';
import type { DataAnswer, Refusable } from './client.ts';

type DataVerdict = DataAnswer<Refusable>['verdict'];

const reject = (method: string, period: string): never => {
  throw unexpected(method, `${period} is called too old, which it is not`);
};

/** The register began in 2017 (tax.md §7.4). */
const REGISTER_SINCE = '2017-08';

export const checkRegisterWindow = ({ kind }: DataVerdict, period: string, nowMs: number): void => {
  if (kind === 'out_of_window' && period > REGISTER_SINCE && period <= santiagoPeriod(nowMs))
    reject('getResumen', period);
};

/** Of receipts by day nobody knows the window, of guides not its edges (§6.3, §7.4): two months are in each. */
export const checkRecentWindow = ({ kind }: DataVerdict, method: string, period: string, nowMs: number): void => {
  const current = santiagoPeriod(nowMs);
  if (kind === 'out_of_window' && period >= addMonths(current, -1) && period <= current) reject(method, period);
};
