/** Limits of this source: nothing of the portal is read without bound. */
export const BOUNDS = {
  /** A list of every open tender is 4,500 short entries (procurement.md §2.1), a ficha 240 KB (§3.1). */
  pageBytesMax: 16 * 1024 * 1024,
  /** Portal files are attachments of at most some 20 MB each; a worker has 512 MB. */
  fileBytesMax: 64 * 1024 * 1024,
  /** As seen (§3.2): a page with fewer is the last. */
  filesPerPage: 6,
  /** 6 are seen (§3.2): each is looked for on the whole page. */
  pageFilesMax: 200,
  /** 6 files a page (§3.2): 600 files. */
  listingPagesMax: 100,
  /** 10 offers a page (§3.4): 1,000 offers. */
  offerPagesMax: 100,
  /** Second listings of a tender: one per item or group of annexes. */
  antecedentesMax: 100,
  /** Waits after «simultaneous requests», in call delays: 6, 15 and 45 s at the API's pace (§2.7). */
  busyWaitDelays: [4, 10, 30],
  /** A gateway that timed out is asked again after about 60 s (§2.6), in call delays. */
  gatewayWaitDelays: 40,
  /** So many files in a row that fail: the portal is down, not a file. */
  fileFaultsInRowMax: 3,
  /** So many files in a row that are none: the others wait for the next sync. */
  misfitsInRowMax: 30,
} as const;
