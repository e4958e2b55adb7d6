/** What an outsider knows of a grant: its code and tokens as issued, and every write to it in the table. */
export interface GivenToken {
  value: string;
  /** Generation of the refresh token. */
  generation: number;
  life: Life;
}

/**
 * Nobody outside knows the exact moment of expiry: the token works until `holdsUntilMs` and is refused from
 * `overFromMs`.
 */
export interface Life {
  holdsUntilMs: number;
  overFromMs: number;
}

/** Moments are ordered by `seq`, which numbers all events of a history. */
export interface Moment {
  seq: number;
  atMs: number;
  by: Act;
}

export interface Facts {
  created: Moment | undefined;
  redeemed: Moment | undefined;
  /** Refreshes that were written, by the generation of the token that the client sent. */
  issues: (Moment & { from: number })[];
  revoked: Moment | undefined;
  /** Minute (of the counter) → refreshes that were counted in that minute. */
  refreshesOf: Map<number, number>;
  /** `seq` at which TTL deleted the grant and the code. */
  goneSeq: number;
  codeGoneSeq: number;
}

/** One grant, from its consent request on. */
export interface Line {
  organizationId: string;
  clientId: string;
  otherClientId: string;
  verifier: string;
  query: string;
  grantId: string;
  code: string | undefined;
  codeLife: Life;
  life: Life;
  access: GivenToken[];
  refresh: GivenToken[];
  facts: Facts;
}

export type ActKind = 'consent' | 'redeem' | 'refresh' | 'use' | 'revoke' | 'revoke-token' | 'ttl';

export type Outcome =
  | { kind: 'asked' | 'issued' | 'refused' | 'in' | 'out' | 'revoked' | 'untouched' | 'busy' | 'died' }
  | { kind: 'error'; name: string };

export interface Act {
  /** Unique name, so that a fault can be traced to this act. */
  name: string;
  kind: ActKind;
  line: Line;
  /** Whether the act comes from the client that owns the grant, with all that it needs. */
  isRightful: boolean;
  /** Token that a refresh or a use sends. */
  token: GivenToken | undefined;
  beganSeq: number;
  beganMs: number;
  endedSeq: number;
  endedMs: number;
  outcome: Outcome | undefined;
}
