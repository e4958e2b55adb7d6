/** Who may log in to the sandbox and what then happens. `README.md` shows the same table; a test compares them. */

import { rutCheckDigit } from '#shared/values/rut.ts';
import type { SourceErrorCode } from '#shared/values/sync-errors.ts';
import type { SandboxCredential } from '../../sandbox-kit/credential.ts';
import type { Behaviour } from './behaviour.ts';

export type Entry = SandboxCredential<Behaviour>;

export const rutOf = (body: number): string => `${body}-${rutCheckDigit(String(body))}`;

/** With an ñ: the form of an ISO-8859-1 page sends it as one byte. */
export const PASSWORD = 'contraseña-1';

type Outcomes = SourceErrorCode | Entry['outcomes'];

/** Each person reads a company of their own; a company that logs in by itself reads itself. */
const entry = (
  label: string,
  behaviour: Behaviour,
  bodies: readonly [login: number, company?: number],
  outcomes: Outcomes = {},
  notices?: Entry['notices'],
): Entry => {
  const [login, company] = bodies;
  return {
    label,
    credentials: {
      rut: rutOf(login),
      password: PASSWORD,
      ...(company === undefined ? {} : { company_rut: rutOf(company) }),
    },
    metadata: {},
    behaviour,
    outcomes: typeof outcomes === 'string' ? { '*': outcomes } : outcomes,
    ...(notices ? { notices } : {}),
  };
};

const NOT_AVAILABLE = { movements: ['bankthree.movements.not_available'] };
const OUT_OF_WINDOW = { movements: ['bankthree.movements.out_of_window'] };
const NO_BALANCES = { balances: ['bankthree.accounts_gone'] };
const UNVERIFIED = { balances: ['bankthree.balances.company_unverified'] };

export const SANDBOX_CREDENTIALS: readonly Entry[] = [
  entry('works: a person for a company', 'works', [12_345_678, 76_990_123]),
  entry('works: the company itself', 'works', [77_100_002]),
  entry('works: 5,000 movements a month', 'large', [15_100_003, 77_100_003]),
  entry('works: no movements, no balances', 'empty', [15_100_004, 77_100_004], {}, NO_BALANCES),
  entry('works: "No existen movimientos" in place of files', 'empty_pages', [15_100_005, 77_100_005], {}, UNVERIFIED),
  entry('wrong clave', 'wrong_password', [15_100_010, 77_100_010], 'source.invalid_credentials'),
  entry('user locked', 'locked', [15_100_011, 77_100_011], 'source.account_locked'),
  entry('maintenance at the login', 'maintenance', [15_100_012, 77_100_012], 'source.maintenance'),
  entry('blocked at the edge, at the login', 'login_blocked', [15_100_013, 77_100_013], 'source.blocked'),
  entry('login answers HTTP 500', 'login_error', [15_100_014, 77_100_014], 'source.unavailable'),
  entry('login answers an unknown page', 'login_unknown', [15_100_015, 77_100_015], 'source.unexpected_response'),
  entry('maintenance after the login', 'maintenance_midway', [15_100_020, 77_100_020], 'source.maintenance'),
  entry('session ends once, at call 3: login form', 'session_expires', [15_100_021, 77_100_021]),
  entry('session ends once, at call 3: redirect', 'session_expires_redirect', [15_100_022, 77_100_022]),
  entry('session ends at every call', 'session_taken_over', [15_100_023, 77_100_023], 'source.unavailable'),
  entry('too fast: calls 2 and 3', 'rate_limited', [15_100_024, 77_100_024]),
  entry('too fast: every download', 'always_rate_limited', [15_100_025, 77_100_025], 'source.rate_limited'),
  entry('blocked at the edge, after the login', 'data_blocked', [15_100_026, 77_100_026], 'source.blocked'),
  entry('HTTP 500', 'server_error', [15_100_027, 77_100_027], 'source.unavailable'),
  entry('an unknown page in place of data', 'page_for_data', [15_100_028, 77_100_028], 'source.unexpected_response'),
  entry('files called HTML', 'mislabelled', [15_100_029, 77_100_029], 'source.unexpected_response'),
  entry('connection cut in the middle of a file', 'cut_off', [15_100_030, 77_100_030], 'source.unavailable'),
  entry('files end early', 'truncated', [15_100_031, 77_100_031], 'source.unexpected_response'),
  entry('slow answers: 70 s each', 'slow', [15_100_032, 77_100_032], 'source.timeout'),
  entry('statements of another company', 'wrong_company', [15_100_033, 77_100_033], 'source.wrong_company'),
  entry('"Cuenta no autorizada"', 'account_refused', [15_100_034, 77_100_034], 'source.wrong_company'),
  entry('malformed row', 'malformed_row', [15_100_035, 77_100_035], 'source.unexpected_response'),
  entry('missing field', 'missing_field', [15_100_036, 77_100_036], 'source.unexpected_response'),
  entry('balances that do not follow', 'bad_arithmetic', [15_100_037, 77_100_037], {
    movements: 'source.unexpected_response',
  }),
  entry('statements in UTF-8', 'utf8_files', [15_100_038, 77_100_038], 'source.unexpected_response'),
  entry('works: unknown extra fields', 'unknown_fields', [15_100_040, 77_100_040]),
  entry('works: amounts separated by single blanks', 'blank_separated', [15_100_041, 77_100_041]),
  entry('works: equal movements, a balance twice', 'duplicate_rows', [15_100_042, 77_100_042]),
  entry('last month not closed yet', 'not_closed_yet', [15_100_043, 77_100_043], {}, NOT_AVAILABLE),
  entry('customer since last month', 'new_customer', [15_100_044, 77_100_044], {}, OUT_OF_WINDOW),
  entry('a cut statement: without its second half', 'cut_statement', [15_100_045, 77_100_045], {
    movements: 'source.unexpected_response',
  }),
  entry('junk files: an error page, or nothing', 'junk_file', [15_100_046, 77_100_046], 'source.unexpected_response'),
  entry(
    'a changed page: fields have other names',
    'changed_page',
    [15_100_047, 77_100_047],
    'source.unexpected_response',
  ),
  entry(
    'a page of a firewall at the login, with HTTP 200',
    'firewall_page',
    [15_100_048, 77_100_048],
    'source.unexpected_response',
  ),
  entry(
    'an unclear login: HTTP 401 that says nothing known',
    'unclear_login',
    [15_100_049, 77_100_049],
    'source.blocked',
  ),
];

/** Whose statements a login reads. */
export const companyOf = ({ credentials }: Entry): string => credentials.company_rut ?? credentials.rut!;
