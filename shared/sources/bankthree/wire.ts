/** Addresses and constants of the portal (banks.md §3.3). */
import { manifest } from './manifest.ts';

const PORTAL = `${manifest.hosts.portal}/empresas`;

export const LOGIN_URL = `${PORTAL}/login.asp`;
export const LOGOUT_URL = `${PORTAL}/salir.asp`;
export const ACCOUNTS_URL = `${PORTAL}/cuentas/cartola_corriente.asp`;
export const STATEMENT_URL = `${PORTAL}/cuentas/cartola_txt.asp`;
export const BALANCES_URL = `${PORTAL}/cuentas/saldos_csv.asp`;

/** Path to which a successful login redirects, and path to which an ended session redirects. */
export const HOME_PATH = /\/inicio\.asp(?:[?#]|$)/i;
export const LOGIN_PATH = /\/login\.asp(?:[?#]|$)/i;

/** Servers of this kind append random letters to the cookie's name. */
export const SESSION_COOKIE = /(?:^|;\s*)ASPSESSIONID\w*=[^;\s]/;

/** Value of `fecha` for the open month. */
export const OPEN_MONTH = 'ACTUAL';

export const STATEMENT_FILE = { type: 'text/plain', start: '1' } as const;
export const BALANCES_FILE = { type: 'text/csv', start: 'CUENTA;' } as const;

/** Returns the value of `fecha` for a closed month: `2025-02` → `202502`. */
export const wireMonth = (period: string): string => period.replace('-', '');
