/** Who is calling, on behalf of which organization. */
import type { OrganizationId } from '#shared/values/ids.ts';
export interface Caller {
  organizationId: OrganizationId;
  kind: 'key' | 'session' | 'access-token';
  /** Of the API key, or of the grant of an access token; the subject of a session. */
  id: string | null;
  /** What the token was given for; of an OAuth access token alone. Scopes are separated by blanks. */
  access?: { scope: string; resource: string };
}
