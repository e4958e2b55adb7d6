/** Limits of this source, each with its origin (banks.md §3.3). A source may not import the limits of the platform. */

/** A movement takes 111 bytes, so this limit allows about 150,000 movements in one month of one account. */
export const STATEMENT_BYTES_MAX = 16 * 1024 * 1024;
/** Pages and files of balances have a few kilobytes. */
export const PAGE_BYTES_MAX = 2 * 1024 * 1024;
/**
 * Largest number of accounts; no company is known to have more. Each account and month takes one download, and
 * downloads are 2 s apart.
 */
export const ACCOUNTS_MAX = 200;
/** Wait after the error "faster than one download per 2 s … wait 10 s" (§3.3, errors). */
export const TOO_FAST_WAIT_MS = 10_000;
/** The file of balances names no company, so statements are checked instead, of at most this many accounts. */
export const COMPANY_CHECKS_MAX = 3;
