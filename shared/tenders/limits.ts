/** Limits of tenders and their files. */
export const TENDER_LIMITS = {
  /** Compressed raw rows above this size are stored only in the bucket. */
  rawRowBytesMax: 200 * 1024,
  /** NAME_MAX of common disks: the longest name of a downloaded file. */
  fileNameBytesMax: 255,
  /** Rows of tenders above this size are stored compressed. */
  tenderRowCharsMax: 32 * 1024,
  /** Characters of a name that `q` searches in the list of tenders. */
  tenderSearchCharsMax: 4_000,
  /**
   * Tenders that one search with `q` may read: about 15 MB of entries. A larger search is refused until its days are
   * narrowed.
   */
  tendersSearchedMax: 50_000,
  /** Attempts to change a tender's place in the list while readings of other connections are faster. */
  tenderListAttemptsMax: 10,
  /** Attempts to get the organization's next change number. After that, the sweeper announces the change. */
  tenderAnnouncementAttemptsMax: 10,
  /** How long a link to a stored file is valid. A client follows it right after the redirect. */
  signedUrlSeconds: 60,
  documentReadMs: 10_000,
} as const;
