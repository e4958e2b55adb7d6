/** Limits of this source, each with where it comes from (banks.md §3.2). A source may not import those of the platform. */

/** Rows of a full page; fewer means it is the last one. */
export const PAGE_ROWS = 50;
/** The bank keeps so many months. Its window of 90 days is never reached: a sync asks for a month at a time. */
export const DEPTH_MONTHS = 18;
/** A new token is asked for when so much of the old one's life is over. */
export const TOKEN_LIFE_SHARE = 0.8;

/** 100,000 movements of one account in one month. More is a cursor that leads nowhere. */
export const PAGES_MAX = 2_000;
export const ACCOUNTS_MAX = 500;
/** A cursor lives 5 minutes: a window begun by a worker that died begins anew, so often in all tries of a run. */
export const WINDOW_ROUNDS_MAX = 12;
/** 50 movements take about 30 KB. */
export const ANSWER_BYTES_MAX = 8 * 1024 * 1024;
/** The bank counts requests by the minute: no pause it asks for by its headers is longer. */
export const PAUSE_MS_MAX = 60_000;
/** Rate limit without `Retry-After` (banks.md part 2). */
export const RATE_LIMIT_MS = 60_000;

/** Movements of a month and account that may share their number with another one. More is another meaning of it. */
export const SHARED_NUMBERS_MAX = 3;
/** Bookings arrive days late, and a correction weeks: what is further apart is told. */
export const TRANSACTION_DAYS_TOLD = 92;
/** The longest time that card networks give a dispute. */
export const TRANSACTION_DAYS_BEFORE_MAX = 540;
/** Of an account's movements so many may be told so, or one: more are dates that mean something else. */
export const FAR_BOOKINGS_SHARE_MAX = 0.01;
/** A transaction is not booked long before its day. */
export const TRANSACTION_DAYS_AFTER_MAX = 7;
/** A balance is of now, or of the last banking day. */
export const OBSERVED_DAYS_AWAY_MAX = 7;
/** Keys of a token answer that could not be read, which are kept in its place. */
export const KEYS_KEPT_MAX = 20;
