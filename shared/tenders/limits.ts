/** Limits of tenders and their files. */
export const TENDER_LIMITS = {
  /** Compressed raw rows above this size are stored only in the bucket. */
  rawRowBytesMax: 200 * 1024,
  /** Longest name of a downloaded file. This is NAME_MAX of common disks. */
  fileNameBytesMax: 255,
  /** Rows of tenders above this size are stored compressed. */
  tenderRowCharsMax: 32 * 1024,
  /** Characters of a tender's name that `q` searches in the list of tenders. */
  tenderSearchCharsMax: 4_000,
  /**
   * Most tenders that one search with `q` may read: about 15 MB of entries. If the days of a search contain more
   * tenders, the search is refused.
   */
  tendersSearchedMax: 50_000,
  /**
   * Most attempts to change a tender's place in the list if readings of other connections change the tender at the same
   * time.
   */
  tenderListAttemptsMax: 10,
  /**
   * Most attempts to get the organization's next change number. After these attempts, the worker leaves the
   * announcement to the sweeper.
   */
  tenderAnnouncementAttemptsMax: 10,
  /** Time for which a link to a stored file is valid. A client follows the link right after the redirect. */
  signedUrlSeconds: 60,
  documentReadMs: 10_000,
} as const;
