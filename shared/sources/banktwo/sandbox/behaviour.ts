/** Faults by client. Counted per client since the start, or since the knob `reset`, never by chance or by time. */
import type { SharedLie } from '../../sandbox-kit/lies.ts';

export type Behaviour =
  | SharedLie
  | 'works'
  | 'large'
  | 'empty'
  | 'no_movements'
  | 'page_multiple'
  | 'late_bookings'
  | 'duplicate_rows'
  | 'unknown_fields'
  | 'loose_types'
  | 'short_token'
  | 'hold_unknown'
  | 'faulty_rut'
  | 'cursor_expires'
  | 'session_expires'
  | 'rate_limited'
  | 'wrong_password'
  | 'scope_refused'
  | 'maintenance'
  | 'session_taken_over'
  | 'server_error'
  | 'gateway_page'
  | 'page_for_data'
  | 'blocked'
  | 'slow'
  | 'cut_off'
  | 'truncated'
  | 'wrong_company'
  | 'scope_lost'
  | 'account_gone'
  | 'other_account'
  | 'malformed_row'
  | 'missing_field'
  | 'sign_conflict'
  | 'short_count'
  | 'stuck_cursor'
  | 'repeated_page'
  | 'cursor_forgotten';

/** What becomes of one data call in place of its answer. */
export type DataFault =
  | 'none'
  | 'throttle'
  | 'revoke'
  | 'error'
  | 'gateway'
  | 'page'
  | 'block'
  | 'slow'
  | 'cut'
  | 'truncate'
  | 'client_code'
  | 'scope'
  | 'maintenance';

export interface DataCall {
  /** Number of the client's data calls so far, this one included. */
  ofClient: number;
  isAccounts: boolean;
}

const ALWAYS: Partial<Record<Behaviour, DataFault>> = {
  maintenance: 'maintenance',
  server_error: 'error',
  gateway_page: 'gateway',
  page_for_data: 'page',
  blocked: 'block',
  slow: 'slow',
  wrong_company: 'client_code',
  scope_lost: 'scope',
};

const AFTER_ACCOUNTS: Partial<Record<Behaviour, DataFault>> = {
  cut_off: 'cut',
  truncated: 'truncate',
  // Another system of the client asks for tokens of its own, and each one ends the one before.
  session_taken_over: 'revoke',
};

export const dataFault = (behaviour: Behaviour, { ofClient, isAccounts }: DataCall): DataFault => {
  const always = ALWAYS[behaviour] ?? (isAccounts ? undefined : AFTER_ACCOUNTS[behaviour]);
  if (always) return always;
  if (behaviour === 'rate_limited') return ofClient === 2 || ofClient === 3 ? 'throttle' : 'none';
  if (behaviour === 'session_expires') return ofClient === 3 ? 'revoke' : 'none';
  return 'none';
};
