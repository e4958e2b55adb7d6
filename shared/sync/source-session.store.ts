/**
 * Sessions at an institution, kept encrypted with their slot: another worker goes on with one instead of logging in
 * again, and one whose worker died is still logged out (the institution counts open sessions, tax.md §2.4).
 */

import { nowMs, nowSeconds } from '#shared/platform/clock.ts';
import { LIMITS } from '#shared/platform/limits.ts';
import { dueEntry, keys } from '#shared/table/keys.ts';
import type { SourceAccount } from '#shared/table/lease.ts';
import * as table from '#shared/table/table.ts';
import { AppError } from '#shared/values/app-error.ts';

export interface KeptSession {
  connectionId: string;
  credentialsVersion: number;
  ciphertext: Uint8Array;
}

const due = (organizationId: string, login: SourceAccount, n: number) =>
  dueEntry(
    keys.session(organizationId, login.source, login.key, n),
    new Date(nowMs() + LIMITS.keptSessionMs).toISOString(),
  );

export const keep = async (
  organizationId: string,
  login: SourceAccount,
  n: number,
  session: KeptSession,
): Promise<void> => {
  await table.put({
    ...keys.session(organizationId, login.source, login.key, n),
    ...due(organizationId, login, n),
    connection_id: session.connectionId,
    credentials_version: session.credentialsVersion,
    ciphertext: session.ciphertext,
    // An institution's session is dead after hours; the entry must not outlive it for long.
    expires_at_epoch: nowSeconds() + 86_400,
  });
};

export const find = async (
  organizationId: string,
  login: SourceAccount,
  n: number,
): Promise<KeptSession | undefined> => {
  const item = await table.get(keys.session(organizationId, login.source, login.key, n));
  return (
    item && {
      connectionId: item.connection_id,
      credentialsVersion: item.credentials_version,
      ciphertext: item.ciphertext as Uint8Array,
    }
  );
};

export const forget = async (organizationId: string, login: SourceAccount, n: number): Promise<void> => {
  await table.remove(keys.session(organizationId, login.source, login.key, n));
};

/** Looked at again later: somebody uses it. */
export const postpone = async (organizationId: string, login: SourceAccount, n: number): Promise<void> => {
  try {
    await table.update(keys.session(organizationId, login.source, login.key, n), {
      set: due(organizationId, login, n),
      if: 'attribute_exists(pk)',
      otherwise: () => new SessionGone(),
    });
  } catch (error) {
    if (!(error instanceof SessionGone)) throw error;
  }
};
class SessionGone extends AppError {}
