/** One valid credential of every kind for an organization, as parts of a request. */

import { createAccessToken } from '#shared/agents/operator-grant.ts';
import { BY_SERVICE } from '#shared/audit/audit.rules.ts';
import * as apiKeys from '#shared/auth/api-key.store.ts';
import type { Caller } from '#shared/http/endpoint.ts';
import { nowIso, nowMs } from '#shared/platform/clock.ts';
import { newId } from '#shared/platform/ids.ts';
import type { Request } from './http.ts';
import { sessionCookie } from './sessions.ts';

export type Credential = Pick<Request, 'headers' | 'cookies'>;

export const bearer = (token: string): Credential => ({ headers: { authorization: `Bearer ${token}` } });

export const keyOf = (organizationId: string, expiresAt: string | null = null) =>
  apiKeys.create(organizationId, { id: newId(), name: 'test', expiresAt, createdAt: nowIso() }, BY_SERVICE);

const inAnHour = (): string => new Date(nowMs() + 3_600_000).toISOString();

export const callersOf = async (organizationId: string): Promise<Record<Caller['kind'], Credential>> => ({
  key: bearer((await keyOf(organizationId)).token),
  'access-token': bearer((await createAccessToken(organizationId, { expiresAt: inAnHour() })).token),
  session: { cookies: await sessionCookie(organizationId) },
});
