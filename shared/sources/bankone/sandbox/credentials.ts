/** Credentials of the sandbox and the behaviour of each. `docs/sandbox-credentials.md` is generated from this file. */
import type { SandboxCredential } from '../../sandbox-kit/credential.ts';
import { makeRut } from '../../sandbox-kit/parties.ts';
import { PORTFOLIO_COMPANIES, portfolioLabel } from '../../sandbox-kit/portfolio.ts';
import { rowsWith, UNREADABLE } from '../../sandbox-kit/rows.ts';
import type { Behaviour } from './behaviour.ts';

const row = rowsWith<Behaviour>('clave-de-prueba');

/** Returns the two companies of a login: the company that is selected at login, and a second company. */
export const listCompanies = (login: string): [string, string] => {
  const body = Number(login.slice(0, login.indexOf('-')));
  return [makeRut(body + 65_000_000), makeRut(body + 66_000_000)];
};

export const SANDBOX_CREDENTIALS: readonly SandboxCredential<Behaviour>[] = [
  row([11_000_002], 'works: company that is selected at login', 'works'),
  row([11_000_003, 77_000_003], 'works: the other company of the login', 'works'),
  row([11_000_004], 'large: 5,000 movements a month and a batch of 5,000 payments', 'large'),
  row([11_000_005], 'empty: a company without accounts', 'empty'),
  row([11_000_006], 'no rows: the portal says SIN_DATOS', 'no_data_code'),
  row([11_000_010], 'wrong password', 'wrong_password', 'source.invalid_credentials'),
  row([11_000_011], 'user locked', 'locked', 'source.account_locked'),
  row([11_000_012], 'second factor: approved on the phone', 'two_factor_approved'),
  row([11_000_013], 'second factor: a code to be typed in', 'two_factor_asked', 'source.mfa_required'),
  row([11_000_014], 'second factor: refused on the phone', 'two_factor_refused', 'source.mfa_required'),
  row([11_000_015], 'second factor: no answer on the phone', 'two_factor_timeout', 'source.mfa_timeout'),
  row([11_000_016], 'second factor: ended by the bank', 'two_factor_expires', 'source.mfa_timeout'),
  row([11_000_017], 'maintenance', 'maintenance', 'source.maintenance'),
  row([11_000_018], 'login gives an unknown answer', 'login_unknown', UNREADABLE),
  row([11_000_020], 'rate limited: data calls 3 and 4', 'rate_limited'),
  row([11_000_021], 'session in use: data call 3', 'session_in_use'),
  row([11_000_022], 'session expires once, at data call 4', 'session_expires'),
  row([11_000_023], 'session taken over once, at data call 4', 'session_taken_over'),
  row([11_000_024], 'session ends with every data call', 'session_never_lasts', 'source.unavailable'),
  row([11_000_025], 'HTML instead of data', 'page_for_data', 'source.unavailable'),
  row([11_000_026], 'connection cut in the middle of a body', 'cut_off', 'source.unavailable'),
  row([11_000_027], 'body ends early', 'truncated', UNREADABLE),
  row([11_000_028], 'malformed row: a date that does not exist', 'malformed_row', UNREADABLE),
  row([11_000_029], 'missing field: rows without amount', 'missing_field', UNREADABLE),
  row([11_000_030], 'works: unknown extra fields', 'unknown_fields'),
  row([11_000_031], 'HTTP 500', 'server_error', 'source.unavailable'),
  row([11_000_032], 'edge challenge', 'edge_block', 'source.blocked'),
  row([11_000_033], 'slow answers: 70 s each', 'slow', 'source.timeout'),
  row([11_000_034, 77_999_999], 'company that the login may not read', 'wrong_company', 'source.wrong_company'),
  row([11_000_035], 'data of another company are answered', 'other_company_answered', 'source.wrong_company'),
  row([11_000_036], 'company selection lost once, at data call 3', 'selection_lost'),
  row([11_000_037], 'XSRF token refused once, at data call 4', 'xsrf_lost'),
  row([11_000_038], 'XSRF token always refused', 'xsrf_refused', UNREADABLE),
  row([11_000_040], 'works: equal payments, and equal transfers under two numbers', 'duplicate_rows'),
  row([11_000_041], 'works: a movement arrives between two pages', 'rows_arrive'),
  row([11_000_042], 'works: booked in the next month', 'late_booking'),
  row([11_000_043], 'works: a provisional movement that the closed statement does not show', 'provisional_differs'),
  row([11_000_044], 'closed statements whose lines do not add up', 'arithmetic_broken', { movements: UNREADABLE }),
  row([11_000_045], 'a repeated page: the first one of the transfers again', 'repeated_page', {
    transfers: UNREADABLE,
  }),
  row([11_000_046], 'a cut statement: closed ones without their second half', 'cut_statement', {
    movements: UNREADABLE,
  }),
  row([11_000_047], 'a changed page: all keys have other names', 'changed_page', UNREADABLE),
  row([11_000_048], 'a page of a firewall at the login, with HTTP 200', 'firewall_page', 'source.blocked'),
  row([11_000_049], 'an unclear login: HTTP 401 with an unknown answer', 'unclear_login', 'source.blocked'),
];

/** The portfolio: the login's first company, which is selected at login, is that of the portfolio. */
export const PORTFOLIO: readonly SandboxCredential<Behaviour>[] = PORTFOLIO_COMPANIES.map(({ number, person }) =>
  row([person], portfolioLabel(number), 'works'),
);

/** Returns the company whose money a login reads by default. */
export const findCompany = ({ credentials }: SandboxCredential): string =>
  credentials.company_rut ?? listCompanies(credentials.rut!)[0];
