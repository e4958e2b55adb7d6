/** Limits of applications, their tokens and documents (docs/adr/0033). */
export const AGENT_LIMITS = {
  /** Largest body of a form or registration. It contains a client's texts, a code or a token. */
  oauthBodyBytesMax: 16 * 1024,
  authorizationCodeMs: 60_000,
  accessTokenMs: 3_600_000,
  refreshTokenMs: 30 * 86_400_000,
  grantMs: 180 * 86_400_000,
  /**
   * Time and number of tokens within which a replaced refresh token is still accepted, for a client that lost its
   * answer and for processes that share a token.
   */
  refreshGraceMs: 30_000,
  refreshSiblingsMax: 5,
  /**
   * Most refreshes per grant and minute. Each refresh leaves two items, one of them for a month, so a client in a loop
   * would fill the table.
   */
  refreshesPerMinute: 30,
  /** Days after which a used code is deleted. A grant whose code is never redeemed expires at the same time. */
  spentCodeDays: 1,
  /** Most grants that are active or may still be redeemed, per organization. */
  grantsPerOrganizationMax: 200,
  revokedGrantDays: 30,
  /** Most attempts to decide a refresh or a redemption if another request was faster. */
  grantChangeAttemptsMax: 3,
  consentsPerMinute: 30,
  consentQueryCharsMax: 12_000,
  clientDocumentMs: 3_000,
  clientDocumentBytesMax: 8 * 1024,
  /** A document is cached for the time that its server names, within these bounds. */
  clientDocumentKeptMinMs: 300_000,
  clientDocumentKeptMaxMs: 86_400_000,
  /** An unavailable document is requested again after this time. */
  clientDocumentFailedMs: 60_000,
  /** Largest key set of a client. Certificates in it (`x5c`) need several kilobytes. */
  clientKeysBytesMax: 32 * 1024,
  /** An assertion that names an unknown key has the key set fetched again, at most once in this time. */
  clientKeysCooldownMs: 60_000,
  /** Longest life of a client's assertion, and the largest difference between its clock and ours. */
  assertionMs: 300_000,
  assertionClockMs: 30_000,
} as const;
