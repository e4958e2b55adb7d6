/** Ids of what the acts of a history made. A change of a thing whose creation failed finds nothing. */
export interface Made {
  keys: string[];
  connections: string[];
  hooks: string[];
  grants: string[];
  codes: { code: string; verifier: string }[];
  links: string[];
  /** Cookies of the sessions that sent credentials. */
  submitted: string[];
}

export const nothingMade = (): Made => ({
  ...{ keys: [], connections: [], hooks: [], grants: [], codes: [] },
  ...{ links: [], submitted: [] },
});
