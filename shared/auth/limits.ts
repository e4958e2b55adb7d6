/** Limits of sessions and API keys. */
export const AUTH_LIMITS = {
  /** A cookie holds 4 KiB with its name and attributes: a longer token could never come back. */
  sessionTokenCharsMax: 3_800,
  apiKeysPerOrganizationMax: 1_000,
} as const;
