/** Figures that come neither from the template nor from a count: documented behaviour of AWS, and assumptions. */

/** Figures from AWS's documents; none of them was measured on AWS. */
export const DOCUMENTED = {
  /** Number of pollers of a mapping with a maximum concurrency, which poll even while the queue is empty. */
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
  /**
   * Minutes for which DynamoDB caches a table's key. For each caller DynamoDB sends at most one request to KMS in this
   * time.
   */
  tableKeyMinutes: 5,
  /** Largest size of an item, in bytes, that is written for one unit. */
  writeUnitBytes: 1_024,
} as const;

export const ASSUMED = {
  hoursAMonth: 730,
  /** Duration of a request for a list page, at the function's memory size. */
  pageMilliseconds: 60,
  accessLogBytes: 400,
  receiverMilliseconds: 300,
  deliveryMilliseconds: 60,
  /**
   * Number of packets that one webhook attempt sends; `packetHeadBytes` is the size of each packet's header (IP, and
   * TCP with its options).
   */
  webhookPackets: 15,
  packetHeadBytes: 60,
  /**
   * Number of webhooks that one endpoint gets in the five minutes for which the worker caches a data key. The worker
   * sends one request to KMS for all of them.
   */
  webhooksAKey: 20,
  /** Read units of an endpoint that the worker does not know yet. */
  endpointReadUnits: 1,
  /**
   * Duration of a sync at an institution with a pace of 2 s per call, which is the pace in the tax authority's
   * manifest.
   */
  syncSeconds: 60,
  /** Connections that have the same scope and frequency. */
  connections: 1_000,
  sweepSeconds: 0.2,
} as const;
