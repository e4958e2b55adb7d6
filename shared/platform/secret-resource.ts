/**
 * What secrets belong to; named here so that whoever encrypts and whoever decrypts say the same, and roles of AWS are given
 * what begins so (`nameSecrets`).
 */
export const secretResource = {
  credentials: ({ source, id }: { source: string; id: string }): string => `connection/${source}/${id}`,
  /** Of a login, under its source; ids of connections are UUIDs. */
  session: (source: string, login: string): string => `connection/${source}/session/${login}`,
  /** The key that fingerprints of a login's passwords are made with. */
  fingerprints: (source: string, login: string): string => `connection/${source}/fingerprints/${login}`,
  webhook: (endpointId: string): string => `webhook/${endpointId}`,
} as const;

/** Patterns of IAM (`StringLike`) over these resources. */
export const nameSecrets = {
  everyConnection: 'connection/*',
  source: (source: string): string => `connection/${source}/*`,
  everyWebhook: 'webhook/*',
} as const;
