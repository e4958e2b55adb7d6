/** Limits of this source, each with its origin (banks.md §3.2). A source may not import the limits of the platform. */

/** Rows of a full page. A page with fewer rows is the last page. */
export const PAGE_ROWS = 50;
/**
 * Number of months that the bank retains. The bank's limit of 90 days per request is never reached, because a sync
 * requests one month at a time.
 */
export const DEPTH_MONTHS = 18;
/** The adapter requests a new token when this share of the old token's lifetime is over. */
export const TOKEN_LIFE_SHARE = 0.8;

/** Allows 100,000 movements of one account in one month; more pages mean that the cursor never ends. */
export const PAGES_MAX = 2_000;
export const ACCOUNTS_MAX = 500;
/**
 * Maximum number of times that a run reads a window from the start. A new reading is needed when a worker died, because
 * a cursor lives only 5 minutes.
 */
export const WINDOW_ROUNDS_MAX = 12;
/** Largest size of an answer. A page of 50 movements takes about 30 KB. */
export const ANSWER_BYTES_MAX = 8 * 1024 * 1024;
/** Longest pause that the bank's headers may request, because the bank counts requests per minute. */
export const PAUSE_MS_MAX = 60_000;
/** Wait after a rate limit without `Retry-After` (banks.md part 2). */
export const RATE_LIMIT_MS = 60_000;

/**
 * At most this many movements of an account and month may have the same number as another movement. More such movements
 * mean that the number has another meaning.
 */
export const SHARED_NUMBERS_MAX = 3;
/**
 * A booking that is more than this many days after its transaction is reported. Ordinary bookings arrive days late,
 * corrections weeks late.
 */
export const TRANSACTION_DAYS_TOLD = 92;
/**
 * A booking may be at most this many days after its transaction: the longest period that card networks allow for a
 * dispute.
 */
export const TRANSACTION_DAYS_BEFORE_MAX = 540;
/**
 * Share of an account's movements that may be booked late enough to be reported; one such movement is always allowed. A
 * larger share means that the dates have another meaning.
 */
export const FAR_BOOKINGS_SHARE_MAX = 0.01;
/** A booking may be at most this many days before its transaction. */
export const TRANSACTION_DAYS_AFTER_MAX = 7;
/**
 * Largest distance in days between the day of a balance and the day of the answer, because a balance is of the current
 * moment or of the last banking day.
 */
export const OBSERVED_DAYS_AWAY_MAX = 7;
/** Largest number of keys that are stored of an unreadable token answer. The values of these keys are not stored. */
export const KEYS_KEPT_MAX = 20;
