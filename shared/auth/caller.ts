/** The authenticated caller and the caller's organization. */
import type { OrganizationId } from '#shared/values/ids.ts';
export interface Caller {
  organizationId: OrganizationId;
  kind: 'key' | 'session' | 'access-token';
  /** Id of the API key or of the access token's grant, or the subject of a session. */
  id: string | null;
  /** Address of the person. Absent unless the issuer of a session names one. */
  email?: string;
  /** Scope and resource of the token. Present only for OAuth access tokens. Scopes are separated by blanks. */
  access?: { scope: string; resource: string };
}
