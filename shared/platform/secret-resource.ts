/**
 * Names of the resources that secrets belong to. Encrypting and decrypting code use the same names, and AWS roles are
 * granted prefixes of them (`nameSecrets`).
 */
export const secretResource = {
  credentials: ({ source, id }: { source: string; id: string }): string => `connection/${source}/${id}`,
  /**
   * Names the session of a login, under its source. The name cannot collide with a connection's name, because ids of
   * connections are UUIDs.
   */
  session: (source: string, login: string): string => `connection/${source}/session/${login}`,
  /** The key for fingerprints of a login's passwords. */
  fingerprints: (source: string, login: string): string => `connection/${source}/fingerprints/${login}`,
  webhook: (endpointId: string): string => `webhook/${endpointId}`,
  connectLink: (linkId: string): string => `connect-link/${linkId}`,
} as const;

/** IAM patterns (`StringLike`) for these resources. */
export const nameSecrets = {
  everyConnection: 'connection/*',
  source: (source: string): string => `connection/${source}/*`,
  everyWebhook: 'webhook/*',
  everyConnectLink: 'connect-link/*',
} as const;
