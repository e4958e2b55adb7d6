/** Limits of this source for everything that is read from the portal. */
export const BOUNDS = {
  /** A list of every open tender has 4,500 short entries (procurement.md §2.1), a ficha has 240 KB (§3.1). */
  pageBytesMax: 16 * 1024 * 1024,
  /** The portal's attachments have at most about 20 MB each; a worker has 512 MB. */
  fileBytesMax: 64 * 1024 * 1024,
  /** A page with fewer files is the last (§3.2). */
  filesPerPage: 6,
  /** Pages had 6 files (§3.2); each file costs a search of the whole page. */
  pageFilesMax: 200,
  /** 6 files per page (§3.2): 600 files. */
  listingPagesMax: 100,
  /** 10 offers per page (§3.4): 1,000 offers. */
  offerPagesMax: 100,
  /** Second listings of a tender: one per item or group of annexes. */
  antecedentesMax: 100,
  /** Waits after «simultaneous requests», in call delays: 6, 15 and 45 s at the API's pace (§2.7). */
  busyWaitDelays: [4, 10, 30],
  /** Wait of about 60 s after a gateway timeout (§2.6), in call delays. */
  gatewayWaitDelays: 40,
  /** If this many files in a row fail, the portal is down. */
  fileFaultsInRowMax: 3,
  /** After this many consecutive answers that are not files, the remaining files wait for the next sync. */
  misfitsInRowMax: 30,
} as const;
