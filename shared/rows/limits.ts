/** Limits of rows, their index and their totals (docs/architecture.md §4). */
export const ROW_LIMITS = {
  /** Rows in one batch of puts. Each concurrent lane of a writer handles one batch at a time. */
  rowsPerWrite: 25,
  /**
   * If the source repeats a refused reading unchanged for this many hours, the reading is accepted. The limit is below
   * a day, so that a daily schedule repairs the rows of a corrupt answer on the next day.
   */
  rewrittenRowsStandHours: 20,
  /**
   * Hours until a refused reading is accepted if an earlier second reading confirmed the stored rows. The wait is
   * longer because two readings contradict the refused reading.
   */
  rewrittenConfirmedStandHours: 7 * 24,
  /**
   * Most hashes of refused rows stored per month, 8 bytes each. If more rows are refused, the stored hashes represent
   * all refused rows.
   */
  doubtedRowsMax: 8_000,
  /**
   * Most changed numbers stored per month as already reported, 8 bytes each, since an item may hold 400 KB. Numbers
   * beyond the limit are reported again.
   */
  toldNumbersMax: 40_000,
  /** Size of a block of rows that wait to be written, in characters before compression: about 40 documents. */
  waitingBlockChars: 64 * 1024,
  /**
   * Minimum number of rows per block of the page index. A reader reads fewer than this many rows before the first row
   * of a page.
   */
  indexStrideRows: 2,
  /**
   * Most bytes of a period's counts by day in the summary: about 500 days. The counts may take more bytes if they take
   * no more than the period's totals.
   */
  summaryDaysBytesMax: 2 * 1024,
  /**
   * Rows of a period without writes in this time may be read from any replica. Replicas are usually at most one second
   * behind.
   */
  rowsSettledMs: 60_000,
  /** A reader that sees two versions of an index reads again, at most this many times. */
  indexReadAttemptsMax: 8,
  /**
   * Most queries and index reads for one page of changes. An isolated change takes one query and one index read, and a
   * call must end in time.
   */
  changeReadsMax: 100,
  /**
   * Most indexes that are read together for a page of changes. The limit is below the number of reads per page, so that
   * each page makes progress.
   */
  changeIndexesAtOnce: 20,
  /**
   * Most bytes of the packed index of one period, and of its stamps. An item may hold 400 KB, and both together take
   * 350 KB.
   */
  indexBytesMax: 250 * 1024,
  indexStampsBytesMax: 100 * 1024,
  /**
   * Most stored rows of a month that are read one by one for its totals because the reading does not show them. Above
   * this, only the number of rows is compared.
   */
  totalsRowsReadMax: 1_000,
  /** Most groups of totals stored per month: about 10 KB. */
  totalGroupsMax: 300,
  /**
   * Most details in the coverage of a month: ids of rows in a group that the source no longer shows, and figures that
   * differ.
   */
  notShownNamedMax: 10,
  differencesMax: 10,
  /** Most bytes of one part of a period's search index, before compression. An item may hold 400 KB. */
  searchPartBytesMax: 360 * 1024,
  /**
   * Most attempts to get the organization's next number. After these attempts, the task is handed over and continues
   * some seconds later.
   */
  announcementAttemptsMax: 20,
  /** Most removals in the transaction that makes a new index valid: 100 items minus the items of the index. */
  transactRemovesMax: 90,
  /**
   * Most rows that one transaction removes, since a transaction holds 100 items. Each row also needs a tombstone, and
   * one item checks the lease.
   */
  rowsRemovedAtOnce: 49,
  /** Most rows with a document that one transaction removes: three items each. */
  documentsRemovedAtOnce: 33,
  /** Child rows (payments of a batch) in one item. An item has about 8 KB compressed, and a page reads two items. */
  childRowsPerItem: 100,
  /**
   * If a writer dies, the next worker that takes the scope reindexes the dirty period. If no worker has reindexed the
   * period after this time, the sweeper does.
   */
  dirtyPeriodMs: 150_000,
  /** Most rows that are read for sums: about 10 MB of items, which the function reads in two seconds. */
  summedRowsMax: 20_000,
  /** Most months that one request adds up. A sync reads as many. */
  summedMonthsMax: 36,
  /** Rows that a query returns for the read units of one row read by its key. */
  queriedRowsPerRead: 8,
} as const;
