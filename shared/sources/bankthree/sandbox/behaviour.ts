/** Faults by credential. Counted per login since the start, or since the knob `reset`, never by chance or by time. */
import type { SharedLie } from '../../sandbox-kit/lies.ts';

export type Behaviour =
  | SharedLie
  | 'works'
  | 'large'
  | 'empty'
  | 'empty_pages'
  | 'wrong_password'
  | 'locked'
  | 'maintenance'
  | 'login_blocked'
  | 'login_error'
  | 'login_unknown'
  | 'maintenance_midway'
  | 'session_expires'
  | 'session_expires_redirect'
  | 'session_taken_over'
  | 'rate_limited'
  | 'always_rate_limited'
  | 'data_blocked'
  | 'server_error'
  | 'page_for_data'
  | 'mislabelled'
  | 'cut_off'
  | 'truncated'
  | 'slow'
  | 'wrong_company'
  | 'account_refused'
  | 'malformed_row'
  | 'missing_field'
  | 'bad_arithmetic'
  | 'utf8_files'
  | 'unknown_fields'
  | 'blank_separated'
  | 'duplicate_rows'
  | 'not_closed_yet'
  | 'new_customer'
  | 'cut_statement'
  | 'junk_file';

/** What becomes of one call after the login in place of its answer. */
export type DataFault =
  | 'none'
  | 'too_fast'
  | 'expire'
  | 'expire_redirect'
  | 'maintenance'
  | 'blocked'
  | 'error'
  | 'unknown_page'
  | 'refuse_account'
  | 'mislabel'
  | 'cut'
  | 'truncate'
  | 'slow';

export type Call = 'accounts' | 'statement' | 'balances';

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

/** `number` counts the calls of the login, from 1. */
export const dataFault = (behaviour: Behaviour, call: Call, number: number): DataFault => {
  const always = ALWAYS[behaviour];
  if (always) return always;
  if (behaviour === 'session_expires') return number === 3 ? 'expire' : 'none';
  if (behaviour === 'session_expires_redirect') return number === 3 ? 'expire_redirect' : 'none';
  if (call === 'accounts') return 'none';
  if (behaviour === 'rate_limited') return number === 2 || number === 3 ? 'too_fast' : 'none';
  if (behaviour === 'account_refused' && call === 'statement') return 'refuse_account';
  return ON_DOWNLOADS[behaviour] ?? 'none';
};
