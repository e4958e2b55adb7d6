/** Addresses and constants of the bank's API (banks.md §3.2). */
import { manifest } from './manifest.ts';

const { api } = manifest.hosts;

export const TOKEN_URL = `${api}/oauth2/token`;
export const ACCOUNTS_URL = `${api}/v1/current-accounts`;
export const TRANSACTIONS_URL = `${ACCOUNTS_URL}/transactions`;
export const balancesUrl = (accountId: string): string => `${ACCOUNTS_URL}/${encodeURIComponent(accountId)}/balances`;

export const GRANT_TYPE = 'client_credentials';
export const GRANT_SCOPE = 'accounts.read';

/** Value of both cursor fields in the request of the first page. */
export const NO_MOVEMENT = '000000000';

/** Converts a company RUT to 11 characters, zero-padded: `76543210-3` → `00765432103`. */
export const clientCode = (rut: string): string => rut.replace('-', '').padStart(11, '0');
