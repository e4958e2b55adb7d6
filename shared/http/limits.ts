/** Limits of requests and answers (docs/decisions.md §1). */
export const HTTP_LIMITS = {
  bodyBytesMax: 256 * 1024,
  nameCharsMax: 120,
  requestIdCharsMax: 128,
  idempotencyKeyCharsMax: 128,
  /** After so long a request in flight is taken for dead: twice what the gateway lets a function work. */
  idempotencyClaimMs: 60_000,
  /** Scopes of one source at most: so many a request may name. */
  scopesPerSourceMax: 16,
  syncMetadataBytesMax: 16 * 1024,
  /** Shorter answers are not packed: a packet is a packet. */
  answerPackBytesMin: 1024,
  /** Of changes: a place for each scope takes some 100. */
  cursorCharsMax: 2_048,
  idempotencyHours: 24,
} as const;
