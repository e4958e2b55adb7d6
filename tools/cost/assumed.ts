/** What neither the template nor a count tells: behaviour of AWS by its documents, and what depends on others. */

/** By AWS's documents; nothing here ran on AWS. */
export const DOCUMENTED = {
  /** A mapping with a maximum concurrency keeps five pollers, also while its queue is empty. */
  pollersAMapping: 5,
  /** The longest a receive waits for a message. */
  pollSeconds: 20,
  /** X-Ray records one request a second and this share of the others; a single caller's are all recorded. */
  tracedShare: 0.05,
  /** `platform.start` and `platform.report`, which system log level WARN leaves out. */
  platformLogBytes: 800,
  /** A table asks its own key at most once in so long for a caller. */
  tableKeyMinutes: 5,
} as const;

export const ASSUMED = {
  hoursAMonth: 730,
  /** A list page at the function's memory. */
  pageMilliseconds: 60,
  accessLogBytes: 400,
  receiverMilliseconds: 300,
  deliveryMilliseconds: 60,
  /** Packets that an attempt at a webhook sends, and the heads of each (IP and TCP with its options). */
  webhookPackets: 15,
  packetHeadBytes: 60,
  /** Webhooks of one endpoint in the five minutes that a data key is kept: the worker asks KMS once for them. */
  webhooksAKey: 20,
  /** An institution paced at 2 s a call (the tax authority's manifest). */
  syncSeconds: 60,
  sweepSeconds: 0.2,
} as const;
