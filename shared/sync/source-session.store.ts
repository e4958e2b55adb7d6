/**
 * Sessions at an institution, kept encrypted with their slot: another worker goes on with one instead of logging in
 * again, and one whose worker died is still logged out (the institution counts open sessions, tax.md §2.4).
 */

import * as z from 'zod';
import { nowMs } from '#shared/platform/clock.ts';
import { LIMITS } from '#shared/platform/limits.ts';
import { dueEntry } from '#shared/table/due-keys.ts';
import { bytes, item } from '#shared/table/item.ts';
import { keys } from '#shared/table/keys.ts';
import type { SourceAccount } from '#shared/table/lease.ts';
import * as table from '#shared/table/table.ts';
import { expiresIn } from '#shared/table/ttl.ts';
import { AppError } from '#shared/values/app-error.ts';
import { connectionId, type OrganizationId } from '#shared/values/ids.ts';

const KeptSessionSchema = z.object({
  connectionId: connectionId(),
  credentialsVersion: z.number(),
  ciphertext: bytes(),
  /** The institution ended it: it is only logged out. */
  isOver: z.boolean().optional(),
});
export interface KeptSession extends z.infer<typeof KeptSessionSchema> {}

export const keptSessionItem = item('source session', KeptSessionSchema);

const due = (organizationId: OrganizationId, login: SourceAccount, n: number, fromMs = nowMs()) =>
  dueEntry(
    keys.session(organizationId, login.source, login.key, n),
    new Date(fromMs + LIMITS.keptSessionMs).toISOString(),
  );

export const keep = async (
  organizationId: OrganizationId,
  login: SourceAccount,
  n: number,
  session: KeptSession,
): Promise<void> => {
  await table.put({
    ...keys.session(organizationId, login.source, login.key, n),
    ...due(organizationId, login, n),
    ...keptSessionItem.toItem(session),
    // An institution's session is dead after hours; the entry must not outlive it for long.
    ...expiresIn(86_400),
  });
};

export const find = async (
  organizationId: OrganizationId,
  login: SourceAccount,
  n: number,
): Promise<KeptSession | undefined> => {
  const found = await table.get(keys.session(organizationId, login.source, login.key, n));
  return found && keptSessionItem.fromItem(found);
};

export const forget = async (organizationId: OrganizationId, login: SourceAccount, n: number): Promise<void> => {
  await table.remove(keys.session(organizationId, login.source, login.key, n));
};

/** Looked at again later: somebody uses it, or will from `untilMs` on. */
export const postpone = async (
  organizationId: OrganizationId,
  login: SourceAccount,
  n: number,
  untilMs = nowMs(),
): Promise<void> => {
  try {
    await table.update(keys.session(organizationId, login.source, login.key, n), {
      set: due(organizationId, login, n, untilMs),
      if: 'attribute_exists(pk)',
      otherwise: () => new SessionGone(),
    });
  } catch (error) {
    if (!(error instanceof SessionGone)) throw error;
  }
};
class SessionGone extends AppError {}
