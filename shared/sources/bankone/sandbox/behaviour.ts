/**
 * Faults by credential. A fault depends on the login's counts since the start or the last `reset` (control endpoint),
 * never on chance or time.
 */
import { type PassingFaults, passingFault, type SharedBehaviour, type SharedFault } from '../../sandbox-kit/lies.ts';

export type Behaviour =
  | SharedBehaviour
  | 'locked'
  | 'two_factor_approved'
  | 'two_factor_asked'
  | 'two_factor_refused'
  | 'two_factor_timeout'
  | 'two_factor_expires'
  | 'maintenance'
  | 'login_unknown'
  | 'session_in_use'
  | 'session_taken_over'
  | 'session_never_lasts'
  | 'edge_block'
  | 'wrong_company'
  | 'other_company_answered'
  | 'selection_lost'
  | 'xsrf_lost'
  | 'xsrf_refused'
  | 'no_data_code'
  | 'rows_arrive'
  | 'late_booking'
  | 'provisional_differs'
  | 'arithmetic_broken'
  | 'repeated_page'
  | 'cut_statement';

/** A change to one data call, or to the answer of the call. */
export type DataFault =
  | SharedFault
  | 'throttle'
  | 'in_use'
  | 'expire'
  | 'redirect'
  | 'page'
  | 'edge'
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

const PASSING: PassingFaults<Behaviour, DataFault> = {
  rate_limited: ['throttle', 3, 4],
  session_in_use: ['in_use', 3],
  session_expires: ['expire', 4],
  session_taken_over: ['redirect', 4],
  xsrf_lost: ['xsrf', 4],
  selection_lost: ['deselect', 3],
};

export const dataFault = (behaviour: Behaviour, call: number, method: string): DataFault => {
  const always = ALWAYS[behaviour];
  // A GET call has no token, so the fault `xsrf` does not apply to it.
  if (always) return always === 'xsrf' && method === 'GET' ? 'none' : always;
  return passingFault(PASSING, behaviour, call) ?? 'none';
};
