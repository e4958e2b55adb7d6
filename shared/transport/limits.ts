/** Limits of calls to institutions, webhook receivers and publishers of client documents. */
export const TRANSPORT_LIMITS = {
  /** All heads of an answer together, informational ones included, and one of their lines: the limits of curl. */
  headBytesMax: 300 * 1024,
  headLineBytesMax: 100 * 1024,
  chunkLineBytesMax: 4 * 1024,
  /** After this time without a connection, the next address of a name is tried as well (RFC 8305 §8). */
  nextAddressMs: 250,
  /** Most addresses of a name that are tried. */
  addressesMax: 8,
  /** A connection that was unused for this time is closed, because servers close theirs soon after. */
  idleMs: 4_000,
} as const;
