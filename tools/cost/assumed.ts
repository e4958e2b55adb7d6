/**
 * Figures that neither the template nor a count provides: documented behaviour of AWS, and assumptions about everything
 * else.
 */

/** Figures from AWS's documents; none of them was measured on AWS. */
export const DOCUMENTED = {
  /** A mapping with a maximum concurrency has five pollers, even while its queue is empty. */
  pollersAMapping: 5,
  /** Longest time that a receive waits for a message. */
  pollSeconds: 20,
  /**
   * Share of requests that X-Ray records in addition to the first request of each second. X-Ray records all requests of
   * a caller that sends at most one per second.
   */
  tracedShare: 0.05,
  /** Bytes of the log lines `platform.start` and `platform.report`, which system log level WARN omits. */
  platformLogBytes: 800,
  /** Minutes for which DynamoDB caches a table's key: it asks KMS for the key at most once per period and caller. */
  tableKeyMinutes: 5,
} as const;

export const ASSUMED = {
  hoursAMonth: 730,
  /** Duration of a request for a list page, at the function's memory size. */
  pageMilliseconds: 60,
  accessLogBytes: 400,
  receiverMilliseconds: 300,
  deliveryMilliseconds: 60,
  /**
   * Number of packets that one webhook attempt sends, and the header bytes of each packet (IP, and TCP with its
   * options).
   */
  webhookPackets: 15,
  packetHeadBytes: 60,
  /**
   * Number of webhooks that one endpoint gets in the five minutes for which a data key is cached: the worker asks KMS
   * once for all of them.
   */
  webhooksAKey: 20,
  /** Duration of a sync at an institution with a pace of 2 s per call, like that of the tax authority's manifest. */
  syncSeconds: 60,
  sweepSeconds: 0.2,
} as const;
