/** The scope of a connection whose rows are meant. */
export interface ScopeAddress {
  organizationId: string;
  connectionId: string;
  scope: string;
}
