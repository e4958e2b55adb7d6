/** Limits of rows, their index and their totals (docs/architecture.md §4). */
export const ROW_LIMITS = {
  /** Rows that one lane of a writer handles at a time: as many as one batch of puts holds. */
  rowsPerWrite: 25,
  /** Stored rows of a month that may become something else at once: a source corrects a few, and a dozen are a lie. */
  rewrittenRowsMax: 12,
  /** After so long the same reading is believed: a schedule of once a day heals what a lie stored on its next day. */
  rewrittenRowsStandHours: 20,
  /** The same where the stored rows were read a second time as they are: two words against one. */
  rewrittenConfirmedStandHours: 7 * 24,
  /** Refused rows of a month that are known again, 8 bytes each: the first ones stand for the others. */
  doubtedRowsMax: 8_000,
  /** Changed numbers of a month that are told once, 8 bytes each: an item may hold 400 KB. Others are told again. */
  toldNumbersMax: 40_000,
  /** Rows that wait to be written, per compressed block and before compression: some 40 documents. */
  waitingBlockChars: 64 * 1024,
  /** Rows of a block of the page index at least: less than so many are read before a page's first one. */
  indexStrideRows: 2,
  /**
   * Counts by day of one period in the summary, where they weigh more than its totals would: some 500 days. Documents of a
   * month are of its days and a few before.
   */
  summaryDaysBytesMax: 2 * 1024,
  /** Rows of a period that was written no later may come from any replica: those are mostly a second behind. */
  rowsSettledMs: 60_000,
  /** A reader that meets two versions of an index reads again. */
  indexReadAttemptsMax: 8,
  /** Queries and indexes that one page of changes asks for: isolated changes take one each, and a call ends in time. */
  changeReadsMax: 100,
  /** Indexes of a page of changes that are read together: a part of its reads, so that each page comes further. */
  changeIndexesAtOnce: 20,
  /** Packed index of one period and its stamps: an item may hold 400 KB, and both together take 350 KB. */
  indexBytesMax: 250 * 1024,
  indexStampsBytesMax: 100 * 1024,
  /** Stored rows of a month that a reading does not show, read for its totals one by one; above, rows are counted alone. */
  totalsRowsReadMax: 1_000,
  /** Groups of totals that are kept of a month: some 10 KB. */
  totalGroupsMax: 300,
  /** Of a month, told in its coverage: rows of a group that its source shows no more, by id; figures that differ. */
  notShownNamedMax: 10,
  differencesMax: 10,
  /** Search index of a period, per item and before compression: an item may hold 400 KB. */
  searchPartBytesMax: 360 * 1024,
  /** Removals in the transaction that makes a new index valid: 100 items in all, less those of the index. */
  transactRemovesMax: 90,
  /** Rows that one transaction removes: each with its tombstone, and the check of the lease. */
  rowsRemovedAtOnce: 49,
  /** Rows that belong to a row (payments of a batch) in one item: about 8 KB compressed, two items a page. */
  childRowsPerItem: 100,
  /** A period whose writer died is re-indexed by whoever takes the scope next; the sweeper looks after so long. */
  dirtyPeriodMs: 150_000,
  /** Of one month: some 10 MB of items, which the function reads in two seconds. */
  agentSummedRowsMax: 20_000,
} as const;
