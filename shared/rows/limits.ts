/** Limits of rows, their index and their totals (docs/architecture.md §4). */
export const ROW_LIMITS = {
  /** Rows that one lane of a writer handles at a time: the size of one batch of puts. */
  rowsPerWrite: 25,
  /**
   * At most this many rows of a month may change identity in one sync. A source corrects a few rows; a dozen mean a
   * corrupt answer.
   */
  rewrittenRowsMax: 12,
  /**
   * Accept the same reading after this many hours, so that a daily schedule repairs the rows of a corrupt answer on the
   * next day.
   */
  rewrittenRowsStandHours: 20,
  /** The longer wait if a second reading confirmed the stored rows: then two readings contradict the new one. */
  rewrittenConfirmedStandHours: 7 * 24,
  /** Remembered hashes of refused rows per month, 8 bytes each. The first ones represent the others. */
  doubtedRowsMax: 8_000,
  /**
   * Remembered changed numbers per month, 8 bytes each, since an item may hold 400 KB. Numbers beyond the limit are
   * reported again.
   */
  toldNumbersMax: 40_000,
  /** Rows that wait to be written, per compressed block and before compression: about 40 documents. */
  waitingBlockChars: 64 * 1024,
  /**
   * Minimum number of rows per block of the page index. Fewer rows than this are read before the first row of a page.
   */
  indexStrideRows: 2,
  /**
   * Counts by day of one period in the summary, if they are larger than its totals: about 500 days. The documents of a
   * month are from its days and a few earlier ones.
   */
  summaryDaysBytesMax: 2 * 1024,
  /**
   * Rows of a period without writes in this time may be read from any replica. Replicas are usually up to a second
   * behind.
   */
  rowsSettledMs: 60_000,
  /** A reader that sees two versions of an index reads again, at most this often. */
  indexReadAttemptsMax: 8,
  /**
   * Queries and index reads for one page of changes. An isolated change takes one of each, and a call must end in time.
   */
  changeReadsMax: 100,
  /** Indexes read together for a page of changes. Only part of the page's reads, so that each page makes progress. */
  changeIndexesAtOnce: 20,
  /** Packed index of one period and its stamps. An item may hold 400 KB, and both together take 350 KB. */
  indexBytesMax: 250 * 1024,
  indexStampsBytesMax: 100 * 1024,
  /**
   * Stored rows of a month that a reading does not show and that are read one by one for its totals. Above this, only
   * the number of rows is compared.
   */
  totalsRowsReadMax: 1_000,
  /** Groups of totals stored per month: about 10 KB. */
  totalGroupsMax: 300,
  /**
   * Details in the coverage of a month: ids of rows in a group that the source no longer shows, and figures that
   * differ.
   */
  notShownNamedMax: 10,
  differencesMax: 10,
  /** Search index of a period, per item and before compression. An item may hold 400 KB. */
  searchPartBytesMax: 360 * 1024,
  /** Removals in the transaction that makes a new index valid: 100 items minus those of the index. */
  transactRemovesMax: 90,
  /** Rows that one transaction removes: each needs a tombstone, and one item checks the lease. */
  rowsRemovedAtOnce: 49,
  /** Child rows (payments of a batch) in one item: about 8 KB compressed, two items per page. */
  childRowsPerItem: 100,
  /** If a writer dies, the next worker that takes the scope reindexes its period. After this time the sweeper does. */
  dirtyPeriodMs: 150_000,
  /** Rows of one month for sums: about 10 MB of items, which the function reads in two seconds. */
  agentSummedRowsMax: 20_000,
} as const;
