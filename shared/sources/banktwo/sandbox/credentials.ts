/**
 * Clients that may request a token, and the behaviour of each. `docs/sandbox-credentials.md` is generated from this
 * file.
 */
import type { SandboxCredential } from '../../sandbox-kit/credential.ts';
import { makeRut } from '../../sandbox-kit/parties.ts';
import { PORTFOLIO_COMPANIES, portfolioLabel } from '../../sandbox-kit/portfolio.ts';
import { listOutcomes, type Outcomes, UNREADABLE } from '../../sandbox-kit/rows.ts';
import type { Behaviour } from './behaviour.ts';

export interface SandboxClient extends SandboxCredential<Behaviour> {
  credentials: { client_id: string; client_secret: string; company_rut: string };
}

export const SECRET = 'secreto-de-prueba';

const FIRST_COMPANY = 76_200_100;
let companies = 0;

const entry = (
  behaviour: Behaviour,
  label: string,
  outcomes: Outcomes = {},
  notices?: SandboxClient['notices'],
): SandboxClient => ({
  label,
  credentials: {
    client_id: `banktwo-${behaviour.replaceAll('_', '-')}`,
    client_secret: SECRET,
    company_rut: makeRut(FIRST_COMPANY + ++companies * 13),
  },
  metadata: {},
  behaviour,
  outcomes: listOutcomes(outcomes),
  ...(notices && { notices }),
});

const UNVERIFIED = { movements: ['banktwo.movements.rut_unverified'] };

export const SANDBOX_CREDENTIALS: readonly SandboxClient[] = [
  entry('works', 'works: three accounts, one in dollars, one overdrawn and blocked'),
  entry('large', 'works: 5,000 movements in the current and the previous month'),
  entry('empty', 'works: no accounts and no rows'),
  entry('no_movements', 'works: accounts without movements'),
  entry('page_multiple', 'works: 100 movements a month, the last page is empty'),
  entry('late_bookings', 'works: every fourth movement arrives days after it was booked'),
  entry('duplicate_rows', 'works: pages overlap by a row, equal payments in pairs'),
  entry('unknown_fields', 'works: unknown extra fields'),
  entry('loose_types', 'works: guard prefix, blank or no positive sign, counts as numbers'),
  entry('short_token', 'works: tokens live 20 seconds, expires_in as text'),
  entry('hold_unknown', 'works: no amount for withheld parts', {}, { balances: ['banktwo.balances.hold_unknown'] }),
  entry('faulty_rut', 'works: counterparties whose RUT has a wrong check digit', {}, UNVERIFIED),
  entry('cursor_expires', 'works: the first cursor is too old once'),
  entry('session_expires', 'works: token revoked once, at data call 3'),
  entry('rate_limited', 'works: data calls 2 and 3 are too many'),
  entry('wrong_password', 'wrong client secret', 'source.invalid_credentials'),
  entry('scope_refused', 'no permission to read accounts', 'source.consent_expired'),
  entry('grant_refused', 'the client may not log in with a secret', 'source.login_not_allowed'),
  entry('maintenance', 'maintenance', 'source.maintenance'),
  entry('session_taken_over', 'every token is revoked before it reads an account', 'source.unavailable'),
  entry('server_error', 'HTTP 500 with UPSTREAM', 'source.unavailable'),
  entry('gateway_page', 'HTTP 502 with a page', 'source.unavailable'),
  entry('page_for_data', 'HTML instead of JSON', 'source.unavailable'),
  entry('blocked', 'HTTP 403 with a page: an edge challenge', 'source.blocked'),
  entry('slow', 'slow answers: 70 s each', 'source.timeout'),
  entry('cut_off', 'connection cut in the middle of a body', 'source.unavailable'),
  entry('truncated', 'body ends early', UNREADABLE),
  entry('wrong_company', 'the company is not granted to the client', 'source.wrong_company'),
  entry('scope_lost', 'the token has lost its scope', 'source.wrong_company'),
  entry('account_gone', 'listed accounts are not found', 'source.wrong_company'),
  entry('other_account', 'another account is answered', 'source.wrong_company'),
  entry('malformed_row', 'malformed row: a date that does not exist', UNREADABLE),
  entry('missing_field', 'a balance is missing in rows and answers', UNREADABLE),
  entry('sign_conflict', 'a charge with a positive sign', { movements: UNREADABLE }),
  entry('short_count', 'fewer rows than the bank counts', { movements: UNREADABLE }),
  entry('stuck_cursor', 'the cursor always leads to the same page', { movements: UNREADABLE }),
  entry('cursor_forgotten', 'every cursor is too old', { movements: 'source.unavailable' }),
  entry('repeated_page', 'a repeated page: the first one again, under new numbers', { movements: UNREADABLE }),
  entry('changed_page', 'a changed page: all keys have other names', UNREADABLE),
  entry('firewall_page', 'a page of a firewall at the login, with HTTP 200', 'source.blocked'),
  entry('unclear_login', 'an unclear login: HTTP 401 with an unknown answer', 'source.blocked'),
];

export const PORTFOLIO: readonly SandboxClient[] = PORTFOLIO_COMPANIES.map(({ number, company }) => ({
  label: portfolioLabel(number),
  credentials: {
    client_id: `banktwo-portfolio-${String(number).padStart(2, '0')}`,
    client_secret: SECRET,
    company_rut: makeRut(company),
  },
  metadata: {},
  behaviour: 'works',
  outcomes: {},
}));
