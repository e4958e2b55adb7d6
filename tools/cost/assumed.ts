/**
 * Figures that neither the template nor a count provides: documented behaviour of AWS, and assumptions about others.
 */

/** From AWS's documents; none of it was measured on AWS. */
export const DOCUMENTED = {
  /** A mapping with a maximum concurrency has five pollers, even while its queue is empty. */
  pollersAMapping: 5,
  /** Longest time that a receive waits for a message. */
  pollSeconds: 20,
  /**
   * X-Ray records one request per second and this share of the others; the requests of a single caller are all
   * recorded.
   */
  tracedShare: 0.05,
  /** Size of `platform.start` and `platform.report`, which system log level WARN omits. */
  platformLogBytes: 800,
  /** A table requests its own key at most once per this period for a caller. */
  tableKeyMinutes: 5,
} as const;

export const ASSUMED = {
  hoursAMonth: 730,
  /** Duration of a list page at the function's memory size. */
  pageMilliseconds: 60,
  accessLogBytes: 400,
  receiverMilliseconds: 300,
  deliveryMilliseconds: 60,
  /** Packets that one webhook attempt sends, and the header bytes of each (IP, and TCP with its options). */
  webhookPackets: 15,
  packetHeadBytes: 60,
  /**
   * Webhooks of one endpoint in the five minutes for which a data key is cached: the worker asks KMS once for all of
   * them.
   */
  webhooksAKey: 20,
  /** Duration of a sync at an institution with a pace of 2 s per call (the tax authority's manifest). */
  syncSeconds: 60,
  sweepSeconds: 0.2,
} as const;
