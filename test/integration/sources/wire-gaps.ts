/**
 * Behaviours that every source must handle, and those that are impossible on a wire, with the section that explains
 * why.
 */
export const BEHAVIOURS = [
  'works',
  'wrong_password',
  'locked',
  'two_factor_asked',
  'two_factor_refused',
  'two_factor_timeout',
  'session_taken_over',
  'session_expires',
  'session_limit',
  'rate_limited',
  'maintenance',
  'server_error',
  'page_for_data',
  'cut_off',
  'truncated',
  'empty',
  'duplicate_rows',
  'large',
  'unknown_fields',
  'missing_field',
  'malformed_row',
  'slow',
  'wrong_company',
  'cut_statement',
  'junk_file',
  'changed_page',
  'firewall_page',
  'unclear_login',
] as const;

const NO_SECOND_FACTOR = ['two_factor_asked', 'two_factor_refused', 'two_factor_timeout'] as const;

const gaps = (behaviours: readonly string[], reason: string): Record<string, string> =>
  Object.fromEntries(behaviours.map((behaviour) => [behaviour, reason]));

/** Source → behaviour → why no credential can bring it about. */
export const NOT_ON_THIS_WIRE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  tax: {
    ...gaps(NO_SECOND_FACTOR, 'tax.md §2.1: RUT and clave are all that is asked'),
    cut_statement: 'tax.md §4.2: months have totals, not balances',
  },
  bankone: {
    junk_file: 'banks.md §3.1: answers are JSON, there are no files',
    session_limit: 'banks.md §3.1 login: a second login ends the first session and is never refused',
  },
  banktwo: {
    ...gaps(NO_SECOND_FACTOR, 'banks.md §3.2 token: a machine logs in'),
    cut_statement: 'banks.md §3.2 movements: a window has no opening and no closing balance',
    junk_file: 'banks.md §3.2: answers are JSON, there are no files',
    locked: 'banks.md §3.2 token: a refused client is invalid_client, whatever the reason',
    session_limit: 'banks.md §3.2 limits: calls are counted, not tokens',
  },
  bankthree: {
    ...gaps(NO_SECOND_FACTOR, 'banks.md §3.3 login: RUT and clave are all that is asked'),
    session_limit: 'banks.md §3.3 login: nothing is said of a cap',
  },
  procurement: {
    ...gaps(NO_SECOND_FACTOR, 'procurement.md §2.1: a ticket is all that is asked'),
    cut_statement: 'procurement.md §1: there are no balances',
    locked: 'procurement.md §2.6: a refused ticket is 203 or 10200, whatever the reason',
    session_taken_over: 'procurement.md §2.1: the ticket goes with each call, there is no session',
    session_limit: 'procurement.md §2.7: calls at a time are counted, there is no session',
    wrong_company: 'procurement.md §2.1: tenders are public, no company is asked for',
  },
};

/** Sources without a logout: sessions that the sandbox counts as open expire by themselves. */
export const NO_LOGOUT: Readonly<Record<string, string>> = {
  banktwo: 'banks.md §3.2 token: a token is not given back, it runs out',
  procurement: 'procurement.md §2.1: the ticket goes with each call, there is no session',
};

/** Sources without a login: the sandbox counts calls instead. */
export const NO_LOGIN: Readonly<Record<string, string>> = {
  procurement: 'procurement.md §2.1: the ticket goes with each call, there is no session',
};
