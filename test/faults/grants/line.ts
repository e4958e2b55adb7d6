/** What is known of a grant from outside: its code and tokens as they were given out, and what befell it in the table. */
export interface GivenToken {
  value: string;
  /** Of a refresh token. */
  generation: number;
  life: Life;
}

/** Nobody outside knows the moment at which something begins to count: it holds until the one, and is over from the other. */
export interface Life {
  holdsUntilMs: number;
  overFromMs: number;
}

/** In the order of `seq`, which counts whatever happens in a history. */
export interface Moment {
  seq: number;
  atMs: number;
  by: Act;
}

export interface Facts {
  created: Moment | undefined;
  redeemed: Moment | undefined;
  /** Refreshes that were written, by the generation of the token that was handed in. */
  issues: (Moment & { from: number })[];
  revoked: Moment | undefined;
  /** Minute (of the counter) → refreshes that were counted in that minute. */
  refreshesOf: Map<number, number>;
  /** Taken away by TTL: the grant, its code. */
  goneSeq: number;
  codeGoneSeq: number;
}

/** One grant, from the question on. */
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
  /** Its own, so that faults are told by it. */
  name: string;
  kind: ActKind;
  line: Line;
  /** Does it come from the client that was granted, with all that it needs? */
  isRightful: boolean;
  /** What is handed in, of a refresh or a use. */
  token: GivenToken | undefined;
  beganSeq: number;
  beganMs: number;
  endedSeq: number;
  endedMs: number;
  outcome: Outcome | undefined;
}
