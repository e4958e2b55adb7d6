/** Limits for everything that this source reads from the portal. */
export const BOUNDS = {
  /** A list of all open tenders has 4,500 short entries (procurement.md §2.1), a ficha has 240 KB (§3.1). */
  pageBytesMax: 16 * 1024 * 1024,
  /** The portal's attachments have at most about 20 MB each; a worker has 512 MB. */
  fileBytesMax: 64 * 1024 * 1024,
  /** A page with fewer files is the last page (§3.2). */
  filesPerPage: 6,
  /**
   * Largest number of files on a page. Known pages had 6 files (§3.2), and each file costs a search of the whole page.
   */
  pageFilesMax: 200,
  /** Allows 600 files, because a page has 6 files (§3.2). */
  listingPagesMax: 100,
  /** Allows 1,000 offers, because a page has 10 offers (§3.4). */
  offerPagesMax: 100,
  /** Largest number of second listings of a tender; each item or group of annexes has its own listing. */
  antecedentesMax: 100,
  /** After this many consecutive closed listings, the remaining listings wait for the next sync. */
  closedListingsInRowMax: 3,
  /** Waits after «simultaneous requests», in call delays. With the API's call delay these are 6, 15 and 45 s (§2.7). */
  busyWaitDelays: [4, 10, 30],
  /** Wait after a gateway timeout, in call delays: about 60 s (§2.6). */
  gatewayWaitDelays: 40,
  /** If this many consecutive files fail, the portal counts as down. */
  fileFaultsInRowMax: 3,
  /** After this many consecutive answers that are not files, the remaining files wait for the next sync. */
  misfitsInRowMax: 30,
} as const;
