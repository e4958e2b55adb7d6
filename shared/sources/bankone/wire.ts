/** Addresses, constants and limits of the company portal (banks.md §3.1). */
import { manifest } from './manifest.ts';

const BASE = `${manifest.hosts.portal}/mibanco`;
const REST = `${BASE}/rest/empresa`;

export const LOGIN_URL = `${BASE}/login/autenticar`;
export const LOGOUT_URL = `${BASE}/login/salir`;
export const challengeUrl = (id: string): string => `${BASE}/login/desafio/${encodeURIComponent(id)}`;
/** Path to which the portal redirects a lost session. */
export const LOGIN_PAGE_PATH = '/mibanco/login';

export const COMPANIES_URL = `${REST}/empresas`;
export const SELECT_COMPANY_URL = `${REST}/empresas/seleccionar`;
export const ACCOUNTS_URL = `${REST}/cuentas`;
export const BALANCES_URL = `${REST}/saldos`;
export const OPEN_STATEMENT_URL = `${REST}/movimientos/getcartola`;
export const STATEMENTS_URL = `${REST}/cartolas/historicas`;
export const STATEMENT_URL = `${REST}/cartolas/detalle`;
export const TRANSFERS_URL = `${REST}/transferencias/consultar`;
export const BATCHES_URL = `${REST}/nominas/consultar`;
export const PAYMENTS_URL = `${REST}/nominas/detalle`;

export const SESSION_COOKIE = 'SESION';
export const XSRF_COOKIE = 'XSRF-TOKEN';

/** Longest wait for an approval on the phone (decisions.md §5), and the interval between two polls. */
export const APPROVAL_WAIT_MS = 120_000;
export const APPROVAL_EVERY_MS = 3_000;

/** Wait after a rate limit without `Retry-After` (banks.md part 2). */
export const RATE_LIMIT_WAIT_MS = 60_000;
/**
 * Longest wait for an announced end of maintenance. A scope may take one hour, so 15 minutes remain after this wait.
 */
export const MAINTENANCE_WAIT_MAX_MS = 45 * 60_000;

/**
 * Longest delay of a booking. A movement made on the last evening of a month is booked on the next banking day; a week
 * covers the longest holidays.
 */
export const LATE_BOOKING_DAYS_MAX = 7;

/** States of transfers that have not moved money yet, or never will (§3.1). */
export const NOT_ARRIVED: readonly string[] = ['RECHAZADA', 'PENDIENTE'];

export const STATEMENT_DEPTH_MONTHS = 24;
export const TRANSFER_DEPTH_MONTHS = 12;

/** 1,000 pages of 50 rows are ten times the largest expected month; more means a list that never ends. */
export const PAGES_MAX = 1_000;
/** Maximum number of readings of a list. A list is read again if it changes during a reading. */
export const READINGS_MAX = 5;
export const ACCOUNTS_MAX = 500;
export const BATCHES_MAX = 5_000;
