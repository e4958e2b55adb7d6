/** Limits of sessions and API keys. */
export const AUTH_LIMITS = {
  /**
   * Longest session token. A cookie holds 4 KiB including its name and attributes, so a browser would not return a
   * longer token.
   */
  sessionTokenCharsMax: 3_800,
  apiKeysPerOrganizationMax: 1_000,
} as const;
