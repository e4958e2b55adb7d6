/** Limits of requests and answers (docs/decisions.md §1). */
export const HTTP_LIMITS = {
  bodyBytesMax: 256 * 1024,
  nameCharsMax: 120,
  requestIdCharsMax: 128,
  idempotencyKeyCharsMax: 128,
  /** After this time, a request in flight counts as dead. The time is twice the gateway's limit for a function. */
  idempotencyClaimMs: 60_000,
  /** Part of the wait for a busy service that is left to store the answer or to release the key. */
  idempotencyReserveMs: 1_000,
  /** Maximum number of scopes of a source, and so of scopes in a request. */
  scopesPerSourceMax: 16,
  syncMetadataBytesMax: 16 * 1024,
  /** Shorter answers are not compressed: below 1 KB, gzip saves no network packet. */
  answerPackBytesMin: 1024,
  /** Longest cursor of the change feed. The position in each scope takes about 100 characters. */
  cursorCharsMax: 2_048,
  idempotencyHours: 24,
  /** Reads of a credential in a minute, on a stage that sets no other number. */
  readsPerMinute: 1_000,
  /** How many times more an organization may read than one of its credentials. */
  readsOfOrganizationTimes: 3,
  /** How many times more a person may read than a program: an export of the dashboard reads page after page. */
  readsOfPersonTimes: 3,
  /**
   * Time between two additions of an instance's reads. A limit is exceeded by at most the reads of this time,
   * or by `readsAddedMin` of each instance.
   */
  readsAddedEveryMs: 2_000,
  /** Fewer reads wait for the next ones: an addition is at most one write for this many reads. */
  readsAddedMin: 10,
  /** Counters in one addition. An update expression has at most 4 KB (AWS documentation). */
  readCountersAddedMax: 20,
  /** Largest list of connections without pages. API Gateway answers at most 6 MB (AWS documentation). */
  connectionListBytesMax: 5.5 * 1024 * 1024,
} as const;
