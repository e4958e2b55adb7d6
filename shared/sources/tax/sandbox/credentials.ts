/** Credentials of the sandbox and the behaviour of each. `docs/sandbox-credentials.md` is generated from this file. */
import type { SourceErrorCode } from '#shared/values/sync-errors.ts';
import { makeRut } from '../../sandbox-kit/parties.ts';
import { PORTFOLIO_COMPANIES, portfolioLabel } from '../../sandbox-kit/portfolio.ts';
import { type RutCredential, rowsWith, UNREADABLE } from '../../sandbox-kit/rows.ts';
import type { Behaviour } from './behaviour.ts';
import type { Volume } from './register.ts';

export type TaxScope = 'rcv' | 'boletas' | 'guias';

export interface TaxCredential extends RutCredential<Behaviour> {
  volume: Volume;
  /** A direct detail with more rows than this is empty. If absent, the sandbox's general limit applies. */
  directLimit?: number;
  /**
   * Expected result of the adapter for one request without the engine. In the engine, `session_expired` ends well after
   * one new login, or becomes `source.unavailable`.
   */
  expected: { connect: 'ok' | SourceErrorCode; pull: Partial<Record<TaxScope, SourceErrorCode | 'session_expired'>> };
}

const row = rowsWith<Behaviour>('clave-de-prueba');
const ALL: readonly TaxScope[] = ['rcv', 'boletas', 'guias'];
/**
 * The app retains guides for six months, and the first sync requests more months: each older whole month yields this
 * notice.
 */
const OLD_GUIDES = { guias: ['tax.guias.out_of_window'] } as const;
const OLD = { notices: OLD_GUIDES };
const told = (scope: TaxScope, ...words: string[]) => ({
  notices: { ...OLD_GUIDES, [scope]: words.map((word) => `tax.${scope}.${word}`) },
});

/** Figures that differ if a document is missing. */
const DOCUMENTS = ['rows', 'net_amount', 'vat_amount', 'exempt_amount', 'total_amount'];

type Notices = NonNullable<TaxCredential['notices']>;
type More = Partial<Pick<TaxCredential, 'volume' | 'directLimit' | 'differs'>> & {
  company?: number;
  notices?: Notices;
};
type NamedCompany = readonly [body: number, label: string, behaviour: Behaviour];

const entry = (
  [body, label, behaviour]: NamedCompany,
  ends: Pick<TaxCredential, 'outcomes' | 'expected'>,
  { volume = 'small', company, notices = OLD_GUIDES, ...more }: More,
): TaxCredential => ({ ...row([body, company], label, behaviour), volume, ...more, ...ends, notices });

const works = (named: NamedCompany, more: More = {}): TaxCredential =>
  entry(named, { outcomes: {}, expected: { connect: 'ok', pull: {} } }, more);

const refused = (named: NamedCompany, code: SourceErrorCode): TaxCredential =>
  entry(named, { outcomes: { '*': code }, expected: { connect: code, pull: {} } }, { notices: {} });

type ReadingFault = SourceErrorCode | 'session_expired';

const pullOf = (scopes: readonly TaxScope[], fault: ReadingFault): TaxCredential['expected']['pull'] =>
  Object.fromEntries(scopes.map((scope) => [scope, fault]));

/** Builds a row with a temporary fault: the engine's next attempt, or the attempt after its new login, succeeds. */
const passes = (named: NamedCompany, fault: ReadingFault): TaxCredential =>
  entry(named, { outcomes: {}, expected: { connect: 'ok', pull: pullOf(ALL, fault) } }, {});

const fails = (
  named: NamedCompany,
  fault: ReadingFault,
  { scopes = ALL, notices = {}, ...more }: More & { scopes?: readonly TaxScope[] } = {},
): TaxCredential => {
  const code = fault === 'session_expired' ? 'source.unavailable' : fault;
  const outcomes = scopes === ALL ? { '*': code } : Object.fromEntries(scopes.map((scope) => [scope, code]));
  return entry(named, { outcomes, expected: { connect: 'ok', pull: pullOf(scopes, fault) } }, { ...more, notices });
};

const REGISTER = { scopes: ['rcv', 'boletas'], notices: OLD_GUIDES } as const;
/** Limits the direct detail to this number of rows, so that the adapter requests a file. */
const FILE = { scopes: ['rcv'], directLimit: 20, notices: OLD_GUIDES } as const;

export const SANDBOX_CREDENTIALS: readonly TaxCredential[] = [
  works([70_000_002, 'works: small company', 'works']),
  works([11_111_111, 'works: a person for a company', 'works'], { company: 70_000_003 }),
  works([70_000_004, 'large company: 20,000 documents in each of the last two months, 5,000 guides', 'large'], {
    volume: 'large',
  }),
  works([70_000_005, 'empty company', 'empty'], { volume: 'none' }),
  refused([70_000_010, 'wrong password', 'wrong_password'], 'source.invalid_credentials'),
  refused([70_000_011, 'account locked', 'locked'], 'source.account_locked'),
  refused([70_000_012, 'session cap reached', 'session_limit'], 'source.session_limit'),
  refused([70_000_013, 'maintenance', 'maintenance'], 'source.maintenance'),
  refused([70_000_014, 'waiting room', 'waiting_room'], 'source.unavailable'),
  refused([70_000_015, 'login answers an unknown page', 'login_unknown'], UNREADABLE),
  refused([70_000_016, 'a page of a firewall at the login, with HTTP 200', 'firewall_page'], 'source.blocked'),
  refused([70_000_017, 'an unclear login: HTTP 401 with an unknown answer', 'unclear_login'], 'source.blocked'),
  refused([70_000_018, 'password expired', 'password_expired'], 'source.password_expired'),
  refused([70_000_060, 'code 7 on the login form: try later', 'code_7'], 'source.unavailable'),
  refused([70_000_061, 'code 9: locked for one hour', 'code_9'], 'source.account_locked'),
  refused([70_000_062, 'code 20 on the login form: wrong password', 'code_20'], 'source.invalid_credentials'),
  refused([70_000_063, 'code 25: a provisional code is needed', 'code_25'], 'source.password_expired'),
  refused([70_000_064, 'code 27: ten open sessions', 'code_27'], 'source.session_limit'),
  refused([70_000_065, 'code 29 on the login form: session over', 'code_29'], 'source.unavailable'),
  refused([70_000_066, 'code 39: only a certificate may log in', 'code_39'], 'source.login_not_allowed'),
  refused([70_000_067, 'code 58: the person has died', 'code_58'], 'source.login_not_allowed'),
  passes([70_000_020, 'rate limited: data calls 3 and 4', 'rate_limited'], 'source.rate_limited'),
  passes([70_000_021, 'session expires once, at data call 3', 'session_expires'], 'session_expired'),
  fails([70_000_022, 'HTML instead of JSON', 'page_for_data'], 'session_expired'),
  fails([70_000_023, 'connection cut in the middle of a body', 'cut_off'], 'source.unavailable', OLD),
  fails([70_000_024, 'body ends early', 'truncated'], UNREADABLE, OLD),
  entry(
    [70_000_025, 'malformed row: a date or an amount that does not exist', 'malformed_row'],
    {
      outcomes: { '*': UNREADABLE },
      // Only the receipts fail. Of documents and guides, the adapter reads all lines except the unreadable line.
      expected: { connect: 'ok', pull: pullOf(['boletas'], UNREADABLE) },
    },
    {
      notices: {
        rcv: ['tax.rcv.lines_unreadable', 'tax.rcv.totals_differ'],
        guias: ['tax.guias.lines_unreadable', 'tax.guias.out_of_window', 'tax.guias.totals_differ'],
      },
      differs: { rcv: DOCUMENTS, guias: DOCUMENTS },
    },
  ),
  fails([70_000_026, 'HTTP 500', 'server_error'], 'source.unavailable'),
  fails([70_000_027, 'slow answers: 70 s each', 'slow'], 'source.timeout'),
  fails([70_000_028, 'the register of another company is answered', 'wrong_company'], 'source.wrong_company', OLD),
  fails([70_000_029, 'no rights over the company', 'works'], 'source.wrong_company', { company: 70_000_099 }),
  fails([70_000_030, 'reCAPTCHA required (code 98)', 'captcha'], 'source.blocked', REGISTER),
  fails([70_000_031, 'register answers code 2 to everything', 'code_2'], 'source.unavailable', REGISTER),
  fails([70_000_032, 'file shorter than the totals', 'short_file'], UNREADABLE, FILE),
  fails([70_000_035, 'two rows twice instead of two others, also in the file', 'rows_for_others'], UNREADABLE, {
    scopes: ['rcv'],
    ...OLD,
  }),
  fails([70_000_036, 'the register answers that every month is too old', 'short_history'], UNREADABLE, REGISTER),
  fails([70_000_033, 'session taken over repeatedly', 'session_taken_over'], 'session_expired'),
  fails([70_000_034, 'missing field: a total', 'missing_field'], UNREADABLE, OLD),
  fails([70_000_037, 'a junk file: a page of a firewall instead of the register', 'junk_file'], 'source.blocked', FILE),
  fails([70_000_038, 'a changed page: all keys of data have other names', 'changed_page'], UNREADABLE),
  works([70_000_040, 'works: unknown extra fields', 'unknown_fields']),
  works([70_000_041, 'works: numbers as strings, other key order, no page', 'loose_types']),
  works([70_000_042, 'works: files in ISO-8859-1', 'latin1_files'], { directLimit: 20 }),
  works([70_000_043, 'works: data calls refused until the app was started', 'bootstrap']),
  works([70_000_049, 'works: pending purchases are accepted in the next month', 'accepts_later']),
  works([70_000_047, 'works: no rights until the start calls of the register came in order', 'start_calls']),
  works([70_000_048, 'works: data calls refused until the landing page was opened', 'landing_first']),
  works([70_000_044, 'works: every row comes twice', 'duplicate_rows']),
  works([70_000_045, 'works: issued guides by the method for received ones', 'guides_by_received']),
  works([70_000_046, 'works: only the detail refuses old guides', 'window_in_detail'], {
    notices: { guias: ['tax.guias.out_of_window', 'tax.guias.totals_differ'] },
    differs: { guias: DOCUMENTS },
  }),
  works([70_000_050, 'notice: invoices shown as a total only', 'total_only'], {
    ...told('rcv', 'total_only', 'totals_differ'),
    differs: { rcv: DOCUMENTS },
  }),
  works(
    [70_000_055, 'notice: the names of the other parties are missing', 'column_gone'],
    told('rcv', 'columns_missing'),
  ),
  works([70_000_056, "notice: the register's total is a million more than its rows", 'register_totals'], {
    ...told('rcv', 'totals_differ'),
    differs: { rcv: ['total_amount'] },
  }),
  works([70_000_052, 'notice: exempt receipts are refused', 'exempt_refused'], {
    ...told('boletas', 'total_only', 'totals_differ'),
    differs: { boletas: ['total_documentos', 'exempt_amount', 'total_amount'] },
  }),
  works([70_000_053, 'notice: days do not add up to the month', 'totals_differ'], {
    ...told('boletas', 'totals_differ'),
    differs: { boletas: ['total_amount'] },
  }),
  works([70_000_054, 'notice: fewer guides than the totals say', 'guides_short'], {
    notices: { guias: ['tax.guias.fewer_than_total', 'tax.guias.out_of_window', 'tax.guias.totals_differ'] },
    differs: { guias: DOCUMENTS },
  }),
];

/** The portfolio: each company logs in itself. */
export const PORTFOLIO: readonly TaxCredential[] = PORTFOLIO_COMPANIES.map(({ number, company }) =>
  works([company, portfolioLabel(number), 'works']),
);

/** Returns the company whose data a login reads by default. */
export const findCompany = ({ credentials }: TaxCredential): string => credentials.company_rut ?? credentials.rut;

export const companyBy = (accounts: ReadonlyMap<string, TaxCredential>, login: string): string => {
  const account = accounts.get(login);
  return account ? findCompany(account) : login;
};

/** Company that the owner of this login entered although the login has no rights over it. */
const FORBIDDEN_COMPANY = makeRut(70_000_099);

export const mayRead = (account: TaxCredential, company: string): boolean =>
  company === findCompany(account) && company !== FORBIDDEN_COMPANY;
