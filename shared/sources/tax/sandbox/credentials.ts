/** Who may log in to the sandbox and what then happens. `README.md` shows the same table; a test compares them. */
import type { SourceErrorCode } from '#shared/domain/error-codes.ts';
import type { Behaviour } from './behaviour.ts';
import { rutOf } from './parties.ts';
import type { Volume } from './register.ts';

export interface SandboxCredential {
  label: string;
  credentials: { rut: string; password: string; company_rut?: string };
  metadata: Record<string, never>;
  behaviour: Behaviour;
  volume: Volume;
  /** Above so many rows a direct detail is empty; absent: the sandbox's general limit. */
  directLimit?: number;
  /** `session_expired` is what the adapter reports; after one new login the engine calls it source.unavailable. */
  expected: { connect: 'ok' | SourceErrorCode; pull: 'ok' | SourceErrorCode | 'session_expired' };
}

const PASSWORD = 'clave-de-prueba';

const entry = (
  body: number,
  label: string,
  behaviour: Behaviour,
  expected: Partial<SandboxCredential['expected']> = {},
  more: { volume?: Volume; directLimit?: number; company?: number } = {},
): SandboxCredential => ({
  label,
  credentials: {
    rut: rutOf(body),
    password: PASSWORD,
    ...(more.company === undefined ? {} : { company_rut: rutOf(more.company) }),
  },
  metadata: {},
  behaviour,
  volume: more.volume ?? 'small',
  ...(more.directLimit === undefined ? {} : { directLimit: more.directLimit }),
  expected: { connect: 'ok', pull: 'ok', ...expected },
});

export const SANDBOX_CREDENTIALS: readonly SandboxCredential[] = [
  entry(70_000_002, 'works: small company', 'works'),
  entry(11_111_111, 'works: a person for a company', 'works', {}, { company: 70_000_003 }),
  entry(
    70_000_004,
    'large company: 20,000 documents in the current and the previous month',
    'works',
    {},
    { volume: 'large' },
  ),
  entry(70_000_005, 'empty company', 'works', {}, { volume: 'none' }),
  entry(70_000_010, 'wrong password', 'wrong_password', { connect: 'source.invalid_credentials' }),
  entry(70_000_011, 'account locked', 'locked', { connect: 'source.account_locked' }),
  entry(70_000_012, 'session cap reached', 'session_limit', { connect: 'source.session_limit' }),
  entry(70_000_013, 'maintenance', 'maintenance', { connect: 'source.maintenance' }),
  entry(70_000_014, 'waiting room', 'waiting_room', { connect: 'source.unavailable' }),
  entry(70_000_015, 'login answers an unknown page', 'login_unknown', { connect: 'source.unexpected_response' }),
  entry(70_000_020, 'rate limited: data calls 3 and 4', 'rate_limited', { pull: 'source.rate_limited' }),
  entry(70_000_021, 'session expires once, at data call 4', 'session_expires', { pull: 'session_expired' }),
  entry(70_000_022, 'HTML in place of JSON', 'page_for_data', { pull: 'session_expired' }),
  entry(70_000_023, 'connection cut in the middle of a body', 'cut_off', { pull: 'source.unavailable' }),
  entry(70_000_024, 'body ends early', 'truncated', { pull: 'source.unexpected_response' }),
  entry(70_000_025, 'malformed row: a date that does not exist', 'malformed_row', {
    pull: 'source.unexpected_response',
  }),
  entry(70_000_026, 'HTTP 500', 'server_error', { pull: 'source.unavailable' }),
  entry(70_000_027, 'slow answers: 70 s each', 'slow', { pull: 'source.timeout' }),
  entry(70_000_028, 'the register of another company is answered', 'wrong_company', { pull: 'source.wrong_company' }),
  entry(70_000_029, 'no rights over the company', 'works', { pull: 'source.wrong_company' }, { company: 70_000_099 }),
  entry(70_000_030, 'reCAPTCHA wanted (code 98)', 'captcha', { pull: 'source.blocked' }),
  entry(70_000_031, 'service answers code 2 to everything', 'code_2', { pull: 'source.unavailable' }),
  entry(
    70_000_032,
    'file shorter than the totals',
    'short_file',
    { pull: 'source.unexpected_response' },
    { directLimit: 20 },
  ),
  entry(70_000_040, 'works: unknown extra fields', 'unknown_fields'),
  entry(70_000_041, 'works: numbers as strings, other key order, no page', 'loose_types'),
  entry(70_000_042, 'works: files in ISO-8859-1', 'latin1_files', {}, { directLimit: 20 }),
  entry(70_000_043, 'works: data calls refused until the app was started', 'bootstrap'),
];

/** Login → company: whose register a login reads when nothing else is said. */
export const companyOf = ({ credentials }: SandboxCredential): string => credentials.company_rut ?? credentials.rut;
