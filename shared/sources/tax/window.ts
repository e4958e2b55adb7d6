/** Rejects the answer "too old" for a month that cannot be too old (tax.md §4.2, §7.4). */
import { addMonths, santiagoPeriod } from '#shared/values/dates.ts';
import { unexpected } from '../parsing/results.ts';
import type { DataAnswer, Refusable } from './client.ts';

type DataVerdict = DataAnswer<Refusable>['verdict'];

const reject = (method: string, period: string): never => {
  throw unexpected(method, `${period} is called too old, which it is not`);
};

/** First month of the register (tax.md §7.4). */
const REGISTER_SINCE = '2017-08';

export const checkRegisterWindow = ({ kind }: DataVerdict, period: string, nowMs: number): void => {
  if (kind === 'out_of_window' && period > REGISTER_SINCE && period <= santiagoPeriod(nowMs))
    reject('getResumen', period);
};

/**
 * Rejects the answer "too old" for the current and the previous month. The window of daily receipts and the exact
 * window of guides are unknown (§6.3, §7.4), but both include at least these two months.
 */
export const checkRecentWindow = ({ kind }: DataVerdict, method: string, period: string, nowMs: number): void => {
  const current = santiagoPeriod(nowMs);
  if (kind === 'out_of_window' && period >= addMonths(current, -1) && period <= current) reject(method, period);
};
