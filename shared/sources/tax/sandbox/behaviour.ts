/**
 * Faults by credential. A fault depends on the login's counts since the start or the last `reset` (control endpoint),
 * never on chance or time.
 */

import { type PassingFaults, passingFault, type SharedBehaviour, type SharedFault } from '../../sandbox-kit/lies.ts';
import type { REFUSAL_PAGES } from './login-pages.ts';
import { hasStartCalls, type Session } from './sessions.ts';

export type Behaviour =
  | SharedBehaviour
  | keyof typeof REFUSAL_PAGES
  | 'maintenance'
  | 'session_taken_over'
  | 'wrong_company'
  | 'captcha'
  | 'code_2'
  | 'short_file'
  | 'total_only'
  | 'rows_for_others'
  | 'column_gone'
  | 'register_totals'
  | 'short_history'
  | 'exempt_refused'
  | 'totals_differ'
  | 'guides_short'
  | 'guides_by_received'
  | 'window_in_detail'
  | 'loose_types'
  | 'latin1_files'
  | 'bootstrap'
  | 'start_calls'
  | 'accepts_later'
  | 'landing_first'
  | 'junk_file';

export type AppName = 'register' | 'documents' | 'boletas';

/** A fault that one data call shows instead of its answer. */
export type DataFault =
  | SharedFault
  | 'throttle'
  | 'expire'
  | 'page'
  | 'captcha'
  | 'code_2'
  | 'start_first'
  | 'no_rights';

const ALWAYS: Partial<Record<Behaviour, DataFault>> = {
  page_for_data: 'page',
  server_error: 'error',
  slow: 'slow',
  session_taken_over: 'expire',
};

/**
 * Faults that occur only at the register, because they were seen only there: the CAPTCHA block of a service, and code 2
 * of an app (tax.md §3.4, §3.5).
 */
const AT_THE_REGISTER: Partial<Record<Behaviour, DataFault>> = { captcha: 'captcha', code_2: 'code_2' };

const PASSING: PassingFaults<Behaviour, DataFault> = {
  rate_limited: ['throttle', 3, 4],
  session_expires: ['expire', 3],
};

/** Faults of sessions whose app was not started as the portal does (tax.md §2.5). */
const EARLY: Partial<Record<Behaviour, (session: Session, app: AppName) => DataFault | undefined>> = {
  bootstrap: ({ isAppStarted }) => (isAppStarted ? undefined : 'start_first'),
  landing_first: ({ hasLanded }) => (hasLanded ? undefined : 'start_first'),
  start_calls: (session, app) => (app !== 'register' || hasStartCalls(session) ? undefined : 'no_rights'),
};

const OF_ROWS: Partial<Record<Behaviour, DataFault>> = { cut_off: 'cut', truncated: 'truncate' };
const SHOWS_ROWS = /^(?:getDetalle|obtieneListaBoletasMes)/;

export interface FacadeCall {
  app: AppName;
  method: string;
  /** Number of this call among the login's data calls, from 1. */
  number: number;
  session: Session;
}

export const dataFault = (behaviour: Behaviour, { app, method, number, session }: FacadeCall): DataFault => {
  const always = ALWAYS[behaviour] ?? (app === 'register' ? AT_THE_REGISTER[behaviour] : undefined);
  if (always) return always;
  const early = EARLY[behaviour]?.(session, app);
  if (early) return early;
  const ofRows = SHOWS_ROWS.test(method) ? OF_ROWS[behaviour] : undefined;
  return passingFault(PASSING, behaviour, number) ?? ofRows ?? 'none';
};

/** Describes how a behaviour corrupts rows: the key that it removes, and the key whose value it replaces. */
export interface Spoils {
  missing: string;
  malformed: readonly [string, unknown];
}

/** Returns rows of which two come twice and two are missing, so that the number of rows is right. */
export const withCopies = <Row>(rows: readonly Row[]): Row[] =>
  rows.length < 4 ? [...rows] : [...rows.slice(2), ...rows.slice(2, 4)];

export const spoil = (
  behaviour: Behaviour,
  rows: Record<string, unknown>[],
  { missing, malformed: [field, value] }: Spoils,
): Record<string, unknown>[] => {
  const [first, ...others] = rows;
  if (first === undefined) return rows;
  if (behaviour === 'duplicate_rows') return [...rows, ...rows];
  if (behaviour === 'malformed_row') return [{ ...first, [field]: value }, ...others];
  if (behaviour !== 'missing_field') return rows;
  const { [missing]: _, ...rest } = first;
  return [rest, ...others];
};
