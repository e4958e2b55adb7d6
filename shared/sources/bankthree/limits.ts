/** Limits of this source, each with its origin (banks.md §3.3). A source may not import those of the platform. */

/** A movement takes 111 bytes: room for about 150,000 movements in one month of one account. */
export const STATEMENT_BYTES_MAX = 16 * 1024 * 1024;
/** Pages and balances have a few kilobytes. */
export const PAGE_BYTES_MAX = 2 * 1024 * 1024;
/** Each account and month costs a download every 2 s; more accounts than this cannot be a company's portal. */
export const ACCOUNTS_MAX = 200;
/** "faster than one download per 2 s … wait 10 s" (§3.3, errors). */
export const TOO_FAST_WAIT_MS = 10_000;
/** Number of accounts whose statements are checked for the company, which balances do not name. */
export const COMPANY_CHECKS_MAX = 3;
