/** Limits of the audit trail (docs/decisions.md §9). */
export const AUDIT_LIMITS = {
  /** Days for which an event is stored and listed: a year, and a month to look back at it. */
  auditDays: 400,
} as const;
