/** Limits of this source, each with its origin (banks.md §3.2). A source may not import those of the platform. */

/** Rows of a full page; a page with fewer rows is the last one. */
export const PAGE_ROWS = 50;
/**
 * Number of months that the bank retains. Its window of 90 days is never reached, because a sync requests one month at
 * a time.
 */
export const DEPTH_MONTHS = 18;
/** A new token is requested when this share of the old one's lifetime is over. */
export const TOKEN_LIFE_SHARE = 0.8;

/** 100,000 movements of one account in one month; more means a cursor that never ends. */
export const PAGES_MAX = 2_000;
export const ACCOUNTS_MAX = 500;
/**
 * A cursor lives 5 minutes. A window that a dead worker began is read again from the start, at most this often over all
 * attempts of a run.
 */
export const WINDOW_ROUNDS_MAX = 12;
/** 50 movements take about 30 KB. */
export const ANSWER_BYTES_MAX = 8 * 1024 * 1024;
/** Longest pause that the bank's headers may request: the bank counts requests per minute. */
export const PAUSE_MS_MAX = 60_000;
/** Wait after a rate limit without `Retry-After` (banks.md part 2). */
export const RATE_LIMIT_MS = 60_000;

/**
 * Movements of a month and account that may share their number with another one. More means that the number has another
 * meaning.
 */
export const SHARED_NUMBERS_MAX = 3;
/** Bookings arrive days late, corrections weeks late; a longer distance is reported. */
export const TRANSACTION_DAYS_TOLD = 92;
/** The longest period that card networks allow for a dispute. */
export const TRANSACTION_DAYS_BEFORE_MAX = 540;
/**
 * Share of an account's movements that may be booked this late (one movement is always allowed). More means that the
 * dates have another meaning.
 */
export const FAR_BOOKINGS_SHARE_MAX = 0.01;
/** A transaction is not booked long before its day. */
export const TRANSACTION_DAYS_AFTER_MAX = 7;
/** A balance is of the current time or of the last banking day. */
export const OBSERVED_DAYS_AWAY_MAX = 7;
/** Number of keys of an unreadable token answer that are stored instead of the answer. */
export const KEYS_KEPT_MAX = 20;
