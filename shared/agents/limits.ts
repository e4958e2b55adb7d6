/** Limits of applications, their tokens and documents (docs/adr/0033). */
export const AGENT_LIMITS = {
  /** Of a form or a registration: a client's own words, a code, a token. */
  oauthBodyBytesMax: 16 * 1024,
  authorizationCodeMs: 60_000,
  accessTokenMs: 3_600_000,
  refreshTokenMs: 30 * 86_400_000,
  grantMs: 180 * 86_400_000,
  /** A client whose answer was lost, and processes that share a token, come again within these. */
  refreshGraceMs: 30_000,
  refreshSiblingsMax: 5,
  /** Of one grant. Each leaves two items, one for a month: a client that refreshes in a circle fills the table. */
  refreshesPerMinute: 30,
  /** A code that comes again so late is an unknown one; a grant whose code nobody redeemed goes as late. */
  spentCodeDays: 1,
  /** Grants that hold, and those that still may be redeemed. */
  grantsPerOrganizationMax: 200,
  revokedGrantDays: 30,
  /** How often a refresh or a redemption is decided anew when another request was quicker. */
  grantChangeAttemptsMax: 3,
  consentsPerMinute: 30,
  consentQueryCharsMax: 12_000,
  clientDocumentMs: 3_000,
  clientDocumentBytesMax: 8 * 1024,
  /** A document is believed as long as its server says, within these. */
  clientDocumentKeptMinMs: 300_000,
  clientDocumentKeptMaxMs: 86_400_000,
  /** One that could not be had is asked for again after so long. */
  clientDocumentFailedMs: 60_000,
} as const;
