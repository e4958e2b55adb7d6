/** Credentials of the sandbox and the behaviour of each. `docs/sandbox-credentials.md` is generated from this file. */
import type { SandboxCredential } from '../../sandbox-kit/credential.ts';
import { PORTFOLIO_COMPANIES, portfolioLabel } from '../../sandbox-kit/portfolio.ts';
import { rowsWith, UNREADABLE } from '../../sandbox-kit/rows.ts';
import type { Behaviour } from './behaviour.ts';

export type BankthreeCredential = SandboxCredential<Behaviour>;

/** The password has an ñ, which the form of an ISO-8859-1 page sends as one byte. */
const row = rowsWith<Behaviour>('contraseña-1');

const NOT_AVAILABLE = { movements: ['bankthree.movements.not_available'] };
const OUT_OF_WINDOW = { movements: ['bankthree.movements.out_of_window'] };
const NO_BALANCES = { balances: ['bankthree.accounts_gone'] };
const UNVERIFIED = { balances: ['bankthree.balances.company_unverified'] };

export const SANDBOX_CREDENTIALS: readonly BankthreeCredential[] = [
  row([12_345_678, 76_990_123], 'works: a person for a company', 'works'),
  row([77_100_002], 'works: the company itself', 'works'),
  row([15_100_003, 77_100_003], 'works: 5,000 movements a month', 'large'),
  { ...row([15_100_004, 77_100_004], 'works: no movements, no balances', 'empty'), notices: NO_BALANCES },
  {
    ...row([15_100_005, 77_100_005], 'works: "No existen movimientos" instead of files', 'empty_pages'),
    notices: UNVERIFIED,
  },
  row([15_100_010, 77_100_010], 'wrong clave', 'wrong_password', 'source.invalid_credentials'),
  row([15_100_011, 77_100_011], 'user locked', 'locked', 'source.account_locked'),
  row([15_100_012, 77_100_012], 'maintenance at the login', 'maintenance', 'source.maintenance'),
  row([15_100_013, 77_100_013], 'blocked at the edge, at the login', 'login_blocked', 'source.blocked'),
  row([15_100_014, 77_100_014], 'login answers HTTP 500', 'login_error', 'source.unavailable'),
  row([15_100_015, 77_100_015], 'login answers an unknown page', 'login_unknown', UNREADABLE),
  row([15_100_016, 77_100_016], 'password expired', 'password_expired', 'source.password_expired'),
  row([15_100_020, 77_100_020], 'maintenance after the login', 'maintenance_midway', 'source.maintenance'),
  row([15_100_021, 77_100_021], 'session ends once, at call 3: login form', 'session_expires'),
  row([15_100_022, 77_100_022], 'session ends once, at call 3: redirect', 'session_expires_redirect'),
  row([15_100_023, 77_100_023], 'session ends at every call', 'session_taken_over', 'source.unavailable'),
  row([15_100_024, 77_100_024], 'too fast: calls 2 and 3', 'rate_limited'),
  row([15_100_025, 77_100_025], 'too fast: every download', 'always_rate_limited', 'source.rate_limited'),
  row([15_100_026, 77_100_026], 'blocked at the edge, after the login', 'data_blocked', 'source.blocked'),
  row([15_100_027, 77_100_027], 'HTTP 500', 'server_error', 'source.unavailable'),
  row([15_100_028, 77_100_028], 'an unknown page instead of data', 'page_for_data', UNREADABLE),
  row([15_100_029, 77_100_029], 'files called HTML', 'mislabelled', UNREADABLE),
  row([15_100_030, 77_100_030], 'connection cut in the middle of a file', 'cut_off', 'source.unavailable'),
  row([15_100_031, 77_100_031], 'files end early', 'truncated', UNREADABLE),
  row([15_100_032, 77_100_032], 'slow answers: 70 s each', 'slow', 'source.timeout'),
  row([15_100_033, 77_100_033], 'statements of another company', 'wrong_company', 'source.wrong_company'),
  row([15_100_034, 77_100_034], '"Cuenta no autorizada"', 'account_refused', 'source.wrong_company'),
  row([15_100_035, 77_100_035], 'malformed row', 'malformed_row', UNREADABLE),
  row([15_100_036, 77_100_036], 'missing field', 'missing_field', UNREADABLE),
  row([15_100_037, 77_100_037], 'balances that do not follow', 'bad_arithmetic', { movements: UNREADABLE }),
  row([15_100_038, 77_100_038], 'statements in UTF-8', 'utf8_files', UNREADABLE),
  row([15_100_040, 77_100_040], 'works: unknown extra fields', 'unknown_fields'),
  row([15_100_041, 77_100_041], 'works: amounts separated by single blanks', 'blank_separated'),
  row([15_100_042, 77_100_042], 'works: equal movements, a balance twice', 'duplicate_rows'),
  { ...row([15_100_043, 77_100_043], 'last month not closed yet', 'not_closed_yet'), notices: NOT_AVAILABLE },
  { ...row([15_100_044, 77_100_044], 'customer since last month', 'new_customer'), notices: OUT_OF_WINDOW },
  row([15_100_045, 77_100_045], 'a cut statement: without its second half', 'cut_statement', { movements: UNREADABLE }),
  row([15_100_046, 77_100_046], 'junk files: a page of a firewall, or an empty file', 'junk_file', {
    movements: 'source.blocked',
    balances: UNREADABLE,
  }),
  row([15_100_047, 77_100_047], 'a changed page: fields have other names', 'changed_page', UNREADABLE),
  row([15_100_048, 77_100_048], 'a page of a firewall at the login, with HTTP 200', 'firewall_page', 'source.blocked'),
  row([15_100_049, 77_100_049], 'an unclear login: HTTP 401 with an unknown answer', 'unclear_login', 'source.blocked'),
];

export const PORTFOLIO: readonly BankthreeCredential[] = PORTFOLIO_COMPANIES.map(({ number, person, company }) =>
  row([person, company], portfolioLabel(number), 'works'),
);

/** Returns the company whose statements a login reads. */
export const findCompany = ({ credentials }: BankthreeCredential): string =>
  credentials.company_rut ?? credentials.rut!;
