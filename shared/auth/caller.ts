/** Who is calling, on behalf of which organization. */
import type { OrganizationId } from '#shared/values/ids.ts';
export interface Caller {
  organizationId: OrganizationId;
  kind: 'key' | 'session' | 'access-token';
  /** Of the API key or access token; the subject of a session. */
  id: string | null;
}
