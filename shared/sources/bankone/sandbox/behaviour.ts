/** Faults by credential. Counted per login since the start, or since the knob `reset`, never by chance or by time. */
import type { SharedLie } from '../../sandbox-kit/lies.ts';

export type Behaviour =
  | SharedLie
  | 'works'
  | 'wrong_password'
  | 'locked'
  | 'two_factor_approved'
  | 'two_factor_asked'
  | 'two_factor_refused'
  | 'two_factor_timeout'
  | 'two_factor_expires'
  | 'maintenance'
  | 'login_unknown'
  | 'rate_limited'
  | 'session_in_use'
  | 'session_expires'
  | 'session_taken_over'
  | 'session_never_lasts'
  | 'page_for_data'
  | 'cut_off'
  | 'truncated'
  | 'malformed_row'
  | 'missing_field'
  | 'unknown_fields'
  | 'server_error'
  | 'edge_block'
  | 'slow'
  | 'wrong_company'
  | 'other_company_answered'
  | 'selection_lost'
  | 'xsrf_lost'
  | 'xsrf_refused'
  | 'empty'
  | 'no_data_code'
  | 'large'
  | 'duplicate_rows'
  | 'rows_arrive'
  | 'late_booking'
  | 'provisional_differs'
  | 'arithmetic_broken'
  | 'repeated_page'
  | 'cut_statement';

/** What becomes of one data call in place of its answer, or to it. */
export type DataFault =
  | 'none'
  | 'throttle'
  | 'in_use'
  | 'expire'
  | 'redirect'
  | 'page'
  | 'cut'
  | 'truncate'
  | 'error'
  | 'edge'
  | 'slow'
  | 'xsrf'
  | 'deselect';

const ALWAYS: Partial<Record<Behaviour, DataFault>> = {
  page_for_data: 'page',
  server_error: 'error',
  edge_block: 'edge',
  slow: 'slow',
  cut_off: 'cut',
  truncated: 'truncate',
  xsrf_refused: 'xsrf',
  session_never_lasts: 'expire',
};

/** Data calls, from 1, at which a fault comes that passes. */
const ONCE: Partial<Record<Behaviour, { calls: readonly number[]; fault: DataFault }>> = {
  rate_limited: { calls: [3, 4], fault: 'throttle' },
  session_in_use: { calls: [3], fault: 'in_use' },
  session_expires: { calls: [4], fault: 'expire' },
  session_taken_over: { calls: [4], fault: 'redirect' },
  xsrf_lost: { calls: [4], fault: 'xsrf' },
  selection_lost: { calls: [3], fault: 'deselect' },
};

export const dataFault = (behaviour: Behaviour, call: number, method: string): DataFault => {
  const always = ALWAYS[behaviour];
  // A GET carries no token that could be refused.
  if (always) return always === 'xsrf' && method === 'GET' ? 'none' : always;
  const once = ONCE[behaviour];
  return once?.calls.includes(call) ? once.fault : 'none';
};
