/** Limits of tenders and their files. */
export const TENDER_LIMITS = {
  /** Compressed raw rows above this go to the bucket alone. */
  rawRowBytesMax: 200 * 1024,
  /** NAME_MAX of the usual disks: of a file's name as it is downloaded. */
  fileNameBytesMax: 255,
  /** Rows of tenders above this lie compressed in their item. */
  tenderRowCharsMax: 32 * 1024,
  /** Of a name in the list of tenders `q` looks in so much. */
  tenderSearchCharsMax: 4_000,
  /** Tenders that `q` looks through: some 15 MB of entries; more is refused until the days are narrowed. */
  tendersSearchedMax: 50_000,
  /** A change of a tender's place in the list is decided anew while other connections' readings are quicker. */
  tenderListAttemptsMax: 10,
  /** How often an announcement of a change asks for the next number of its organization; then the sweeper announces. */
  tenderAnnouncementAttemptsMax: 10,
  /** How long a link to a stored file may be followed: by a client that was just redirected to it. */
  signedUrlSeconds: 60,
  documentReadMs: 10_000,
} as const;
