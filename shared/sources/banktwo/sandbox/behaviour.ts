/**
 * Faults by client. A fault depends on the client's counts since the start or the last `reset` (control endpoint),
 * never on chance or time.
 */
import { type PassingFaults, passingFault, type SharedBehaviour, type SharedFault } from '../../sandbox-kit/lies.ts';

export type Behaviour =
  | SharedBehaviour
  | 'no_movements'
  | 'page_multiple'
  | 'late_bookings'
  | 'loose_types'
  | 'short_token'
  | 'hold_unknown'
  | 'faulty_rut'
  | 'cursor_expires'
  | 'scope_refused'
  | 'grant_refused'
  | 'maintenance'
  | 'session_taken_over'
  | 'gateway_page'
  | 'blocked'
  | 'wrong_company'
  | 'scope_lost'
  | 'account_gone'
  | 'other_account'
  | 'sign_conflict'
  | 'short_count'
  | 'stuck_cursor'
  | 'repeated_page'
  | 'cursor_forgotten';

/** A fault that one data call shows instead of its answer. */
export type DataFault =
  | SharedFault
  | 'throttle'
  | 'revoke'
  | 'gateway'
  | 'page'
  | 'block'
  | 'client_code'
  | 'scope'
  | 'maintenance';

export interface DataCall {
  /** Number of the client's data calls so far, including this one. */
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
  // Simulates a second system of the client that also requests tokens: each new token revokes the previous token.
  session_taken_over: 'revoke',
};

const PASSING: PassingFaults<Behaviour, DataFault> = {
  rate_limited: ['throttle', 2, 3],
  session_expires: ['revoke', 3],
};

export const dataFault = (behaviour: Behaviour, { ofClient, isAccounts }: DataCall): DataFault => {
  const always = ALWAYS[behaviour] ?? (isAccounts ? undefined : AFTER_ACCOUNTS[behaviour]);
  return always ?? passingFault(PASSING, behaviour, ofClient) ?? 'none';
};
