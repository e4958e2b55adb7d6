/** Rejects "too old" for a month that cannot be too old (tax.md §4.2, §7.4). */
import { addMonths, santiagoPeriod } from '#shared/values/dates.ts';
import { unexpected } from '../parsing/results.ts';
import type { DataAnswer, Refusable } from './client.ts';

type Verdict = DataAnswer<Refusable>['verdict'];

const reject = (method: string, period: string): never => {
  throw unexpected(method, `${period} is called too old, which it is not`);
};

/** The register began in 2017 (tax.md §7.4). */
const REGISTER_SINCE = '2017-08';

export const checkRegisterWindow = ({ kind }: Verdict, period: string, nowMs: number): void => {
  if (kind === 'out_of_window' && period > REGISTER_SINCE && period <= santiagoPeriod(nowMs))
    reject('getResumen', period);
};

/**
 * The window of daily receipts is unknown, and so are the exact limits of the window of guides (§6.3, §7.4): both
 * include at least the last two months.
 */
export const checkRecentWindow = ({ kind }: Verdict, method: string, period: string, nowMs: number): void => {
  const current = santiagoPeriod(nowMs);
  if (kind === 'out_of_window' && period >= addMonths(current, -1) && period <= current) reject(method, period);
};
