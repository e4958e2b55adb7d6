/** Limits of connect links (docs/adr/0041). */
export const CONNECT_LINK_LIMITS = {
  /** Links of an organization that are neither used, cancelled nor expired. */
  openLinksPerOrganizationMax: 1_000,
  /** Life of a link for one connection or one repair. */
  linkHours: 48,
  /** Longest life of a standing link. */
  standingDaysMax: 366,
  /** How far ahead the expiry of a signed reference may be. */
  signedReferenceDaysMax: 7,
  connectionsPerLinkMax: 10_000,
  /** Life of a link's session after its last request, and after its first. */
  sessionMs: 900_000,
  sessionTotalMs: 3_600_000,
  /** Time between two renewals of a session, so that a page that polls costs few writes. */
  sessionRenewMs: 60_000,
  /** How often one customer may send credentials through a link. */
  submissionsMax: 5,
  /** How long an ended link stays in the list. Runs, from which its status derives, are stored for longer. */
  endedLinkDays: 60,
  returnUrlCharsMax: 2_000,
  linksPerPageMax: 200,
  /** Attempts to correct the number of open links while other requests change it. */
  recountAttemptsMax: 3,
} as const;
