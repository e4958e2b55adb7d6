/**
 * `/_local/session`: the development sign-in, which sets the dashboard's cookie to a session of the organization that
 * `seed` created.
 */

import { buildLocalSessionCookie } from '#shared/auth/session-cookie.ts';
import type { OrganizationId } from '#shared/values/ids.ts';
import { signSession } from './development-session.ts';
import type { DevelopmentIssuer } from './overlay.ts';

const SESSION_HOURS = 12;
const HOUR_MS = 3_600_000;

export interface WebSession {
  /** Resolves with the value of `set-cookie` for a new session. */
  open(): Promise<string>;
  /** Sets the organization of the sessions; without this call the sign-in is refused. */
  belongsTo(organizationId: OrganizationId): void;
}

export const createWebSession = (issuer: DevelopmentIssuer, nowMs: () => number): WebSession => {
  let organization: string | undefined;
  return {
    open: async () => {
      if (organization === undefined) throw new Error('the stack is not seeded yet');
      const expiresAt = new Date(nowMs() + SESSION_HOURS * HOUR_MS).toISOString();
      return buildLocalSessionCookie(await signSession(issuer, organization, expiresAt));
    },
    belongsTo: (organizationId) => {
      organization = organizationId;
    },
  };
};
