/**
 * Faults by credential. A fault depends on the login's counts since the start or the last `reset` (control endpoint),
 * never on chance or time.
 */
import { type PassingFaults, passingFault, type SharedBehaviour, type SharedFault } from '../../sandbox-kit/lies.ts';

export type Behaviour =
  | SharedBehaviour
  | 'empty_pages'
  | 'locked'
  | 'password_expired'
  | 'maintenance'
  | 'login_blocked'
  | 'login_error'
  | 'login_unknown'
  | 'maintenance_midway'
  | 'session_expires_redirect'
  | 'session_taken_over'
  | 'always_rate_limited'
  | 'data_blocked'
  | 'mislabelled'
  | 'wrong_company'
  | 'account_refused'
  | 'bad_arithmetic'
  | 'utf8_files'
  | 'blank_separated'
  | 'not_closed_yet'
  | 'new_customer'
  | 'cut_statement'
  | 'junk_file';

/** A fault that one call after the login shows instead of its answer. */
export type DataFault =
  | SharedFault
  | 'too_fast'
  | 'expire'
  | 'expire_redirect'
  | 'maintenance'
  | 'blocked'
  | 'unknown_page'
  | 'refuse_account'
  | 'mislabel';

export type PageCall = 'accounts' | 'statement' | 'balances';

const ALWAYS: Partial<Record<Behaviour, DataFault>> = {
  session_taken_over: 'expire',
  maintenance_midway: 'maintenance',
  data_blocked: 'blocked',
  server_error: 'error',
  page_for_data: 'unknown_page',
  slow: 'slow',
};

const ON_DOWNLOADS: Partial<Record<Behaviour, DataFault>> = {
  always_rate_limited: 'too_fast',
  mislabelled: 'mislabel',
  cut_off: 'cut',
  truncated: 'truncate',
};

const PASSING: PassingFaults<Behaviour, DataFault> = {
  session_expires: ['expire', 3],
  session_expires_redirect: ['expire_redirect', 3],
};
const PASSING_ON_DOWNLOADS: PassingFaults<Behaviour, DataFault> = { rate_limited: ['too_fast', 2, 3] };

/** Returns the fault of a call. `number` counts the calls of the login, from 1. */
export const dataFault = (behaviour: Behaviour, call: PageCall, number: number): DataFault => {
  const anywhere = ALWAYS[behaviour] ?? passingFault(PASSING, behaviour, number);
  if (anywhere || call === 'accounts') return anywhere ?? 'none';
  if (behaviour === 'account_refused' && call === 'statement') return 'refuse_account';
  return passingFault(PASSING_ON_DOWNLOADS, behaviour, number) ?? ON_DOWNLOADS[behaviour] ?? 'none';
};
