/** Who is calling, on behalf of which organization. */
export interface Caller {
  organizationId: string;
  kind: 'key' | 'session' | 'access-token';
  /** Of the API key or access token; the subject of a session. */
  id: string | null;
}
