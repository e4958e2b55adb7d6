/** Tickets of the sandbox and the behaviour of each. `docs/sandbox-credentials.md` is generated from this file. */
import type { SourceErrorCode } from '#shared/values/sync-errors.ts';
import type { SandboxCredential } from '../../sandbox-kit/credential.ts';
import { listOutcomes, type Outcomes, UNREADABLE } from '../../sandbox-kit/rows.ts';
import type { Behaviour } from './behaviour.ts';
import { makeCode, type Size } from './tender.ts';

export interface ProcurementCredential extends SandboxCredential<Behaviour> {
  credentials: { ticket: string };
  metadata: { codigos?: string[] };
  /** Buying unit. By the unit the anonymous web side finds the credential of a tender. */
  unit: number;
  size: Size;
}

const SMALL: Size = { anexos: 8, antecedentes: 5, preguntas: 4, ofertas: 3 };
const LARGE: Size = { anexos: 40, antecedentes: 13, preguntas: 5_000, ofertas: 25 };
const NONE: Size = { anexos: 0, antecedentes: 0, preguntas: 0, ofertas: 0 };

const FIRST_UNIT = 990_101;
const WEB = ['documentos', 'preguntas', 'ofertas'] as const;

const on = (scopes: readonly string[], code: SourceErrorCode): Outcomes =>
  Object.fromEntries(scopes.map((scope) => [scope, code]));
const noticesOf = (scopes: readonly string[]) => (what: string) =>
  Object.fromEntries(scopes.map((scope) => [scope, [`procurement.${scope}.${what}`]]));
const allAre = noticesOf(['licitaciones', ...WEB]);
const filesAre = noticesOf(['documentos', 'ofertas']);

/** The tenders of the first month closed long ago; the tenders of the second month were just published. */
const TWO = ['2026-08', '2026-11'];
const CLOSED = ['2026-07', '2026-08'];

let entries = 0;

const entry = (
  label: string,
  behaviour: Behaviour,
  outcomes: Outcomes = {},
  more: {
    months?: readonly string[];
    /** Selects one of the ten tenders of a month. */
    nth?: number;
    codigos?: (unit: number) => string[];
    size?: Size;
    notices?: Readonly<Record<string, readonly string[]>>;
  } = {},
): ProcurementCredential => {
  const n = entries++;
  const unit = FIRST_UNIT + n;
  const codigos =
    more.codigos?.(unit) ?? (more.months ?? TWO).map((month) => makeCode(unit, month, more.nth ?? n % 10));
  return {
    label,
    credentials: { ticket: `0F1E2D3C-4B5A-4697-8877-${String(unit).padStart(12, '0')}` },
    metadata: codigos.length > 0 ? { codigos } : {},
    behaviour,
    outcomes: listOutcomes(outcomes),
    ...(more.notices ? { notices: more.notices } : {}),
    unit,
    size: more.size ?? SMALL,
  };
};

export const SANDBOX_CREDENTIALS: readonly ProcurementCredential[] = [
  entry(
    'works: four tenders, open and closed',
    'works',
    {},
    // The newest tender was published on 15 November 2026 and closes on 30 November 2026.
    { months: ['2026-03', '2026-08', '2026-10', '2026-11'], nth: 5 },
  ),
  entry('large: 5,000 questions, 53 documents, 25 offers', 'large', {}, { months: ['2026-08'], size: LARGE }),
  entry('empty: no tender was named', 'empty', {}, { codigos: () => [], size: NONE, notices: allAre('no_tenders') }),
  entry('tenders without documents, questions or offers', 'works', {}, { size: NONE }),
  entry('unknown ticket (203)', 'wrong_password', 'source.invalid_credentials'),
  entry('ticket rejected (10200, with status 200)', 'ticket_rejected', 'source.invalid_credentials'),
  entry('simultaneous requests (10500) in API calls 2 to 6', 'rate_limited'),
  entry('daily quota used up (429)', 'quota', on(['licitaciones'], 'source.rate_limited')),
  entry('gateway time-out (504) in API calls 2 and 3', 'gateway'),
  entry('HTTP 503 everywhere', 'server_error', 'source.unavailable'),
  entry('slow answers: 100 s each', 'slow', 'source.timeout'),
  entry('a page instead of JSON', 'page_for_data', on(['licitaciones', 'preguntas'], 'source.unavailable')),
  entry('connection cut in the middle of a body', 'cut_off', 'source.unavailable'),
  entry('body ends early', 'truncated', UNREADABLE),
  entry('works: unknown fields, labels and columns', 'unknown_fields'),
  entry('a field is missing', 'missing_field', UNREADABLE, { months: CLOSED }),
  entry('malformed rows: invalid days and amounts', 'malformed_row', UNREADABLE, { months: CLOSED }),
  entry(
    'works: questions shown twice',
    'duplicate_rows',
    {},
    { notices: { preguntas: ['procurement.preguntas.rows_repeated'] } },
  ),
  entry('works: the session expires once, at a page of a listing', 'session_expires'),
  entry('another tender is answered', 'other_tender', on(['licitaciones', 'documentos', 'ofertas'], UNREADABLE)),
  entry(
    'an unknown tender',
    'unknown_tender',
    {},
    { codigos: (unit) => [makeCode(unit, '2019-01', 1, 'LE')], notices: allAre('not_found') },
  ),
  entry(
    'works: a private tender, only on the web',
    'private_tender',
    {},
    { codigos: (unit) => [makeCode(unit, '2026-08', 1, 'CO')] },
  ),
  entry(
    'works: attachment listings behind a CAPTCHA (a page with reCAPTCHA; a redirect to 403.html)',
    'blocked_listing',
    {},
    { notices: filesAre('blocked') },
  ),
  entry('the whole web behind a CAPTCHA', 'blocked', on(WEB, 'source.blocked')),
  entry('a firewall in front of the web (403)', 'firewall', on(WEB, 'source.blocked')),
  entry('works: pages instead of files', 'stale_files', {}, { notices: filesAre('file_unavailable') }),
  entry(
    'junk instead of files: an error page, or an empty file',
    'junk_file',
    {},
    { notices: filesAre('file_unavailable') },
  ),
  entry('a changed page: ids and keys have other names', 'changed_page', UNREADABLE),
  entry('a page of a firewall before the API, with HTTP 200', 'firewall_page', on(['licitaciones'], 'source.blocked')),
  entry(
    'an unclear refusal of the ticket: HTTP 401 with an unknown answer',
    'unclear_login',
    on(['licitaciones'], 'source.blocked'),
  ),
  entry('a maintenance page everywhere, with HTTP 200', 'maintenance', 'source.maintenance'),
];
