/** What secrets belong to; named here so that whoever encrypts and whoever decrypts say the same. */
export const secretResource = {
  credentials: (connectionId: string): string => `connection/${connectionId}`,
  session: (source: string, login: string): string => `session/${source}/${login}`,
  webhook: (endpointId: string): string => `webhook/${endpointId}`,
} as const;
