/**
 * Stores idempotent answers of POSTs (decisions.md §1). The first request with a key claims the key, and its answer is
 * stored for 24 h. If the function of that request dies, the claim expires after 60 s; a repeated request may then take
 * the claim over and derives the same ids.
 */

import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { HTTP_LIMITS } from '#shared/http/limits.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { ConditionRefused } from '#shared/table/errors.ts';
import { item } from '#shared/table/item.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import type { OrganizationId } from '#shared/values/ids.ts';

const HOUR_SECONDS = 3_600;

const KeptAnswerSchema = z.object({
  status: z.number(),
  /** Body as JSON. Null if the answer showed a secret. */
  body: z.string().nullable(),
  headers: z.record(z.string(), z.string()),
  /** Id of the resource that an answer with a secret created. */
  resourceId: z.string().nullable(),
});
export interface RecordedAnswer extends z.infer<typeof KeptAnswerSchema> {}

export interface Claim {
  organizationId: OrganizationId;
  hash: string;
  claimId: string;
  /** When the key was first used. Ids are derived from this time, also by a repeated request. */
  firstSeenMs: number;
}

export type Claimed =
  | { state: 'claimed'; claim: Claim }
  | { state: 'kept'; answer: RecordedAnswer }
  | { state: 'reused' }
  | { state: 'in-progress' };

const MarkSchema = z.object({
  bodyHash: z.string(),
  claimId: z.string(),
  claimedMs: z.number(),
  firstSeenMs: z.number(),
  answer: KeptAnswerSchema.nullable(),
});
interface Mark extends z.infer<typeof MarkSchema> {}

export const markItem = item('idempotency mark', MarkSchema, { absent: ['answer'] });

/** Decides what a second request with the same key may do. Pure. */
export const judgeMark = (mark: Mark, bodyHash: string, atMs: number): Claimed['state'] | 'lapsed' => {
  if (mark.bodyHash !== bodyHash) return 'reused';
  if (mark.answer !== null) return 'kept';
  return mark.claimedMs + HTTP_LIMITS.idempotencyClaimMs <= atMs ? 'lapsed' : 'in-progress';
};

const ATTEMPTS_MAX = 3;

type Claimant = Omit<Claim, 'firstSeenMs'> & { bodyHash: string };

/** Stores the mark of the first request with the key. Returns false if the key is already in use. */
const putMark = ({ organizationId, hash, bodyHash, claimId }: Claimant, atMs: number): Promise<boolean> => {
  const atSeconds = Math.floor(atMs / 1_000);
  const fresh = markItem.toItem({ bodyHash, claimId, claimedMs: atMs, firstSeenMs: atMs, answer: null });
  const expires = { expires_at_epoch: atSeconds + HTTP_LIMITS.idempotencyHours * HOUR_SECONDS };
  return succeeds(
    table.put(
      { ...keys.idempotency(organizationId, hash), ...fresh, ...expires },
      { if: 'attribute_not_exists(pk) OR #expires_at_epoch <= :now', values: { now: atSeconds } },
    ),
  );
};

const takeOver = ({ organizationId, hash, claimId }: Claimant, mark: Mark, atMs: number): Promise<boolean> =>
  succeeds(
    table.update(keys.idempotency(organizationId, hash), {
      set: markItem.toChanges({ claimId, claimedMs: atMs }),
      if: '#claim_id = :was AND #claimed_ms = :since AND attribute_not_exists(#answer)',
      values: { was: mark.claimId, since: mark.claimedMs },
    }),
  );

/**
 * Tries to claim the key. Returns undefined if another request was faster. The caller then reads that request's mark.
 */
const attemptClaim = async (claimant: Claimant): Promise<Claimed | undefined> => {
  const { organizationId, hash, bodyHash, claimId } = claimant;
  const atMs = nowMs();
  const claimedSince = (firstSeenMs: number): Claimed => ({
    state: 'claimed',
    claim: { organizationId, hash, claimId, firstSeenMs },
  });
  if (await putMark(claimant, atMs)) return claimedSince(atMs);
  const found = await table.get(keys.idempotency(organizationId, hash));
  // TTL removed the mark between the two calls, so the key is free again.
  if (!found) return undefined;
  const mark = markItem.fromItem(found);
  // The SDK repeated a write whose response was lost. The condition failed because this request's first write had
  // already succeeded.
  if (mark.claimId === claimId) return claimedSince(mark.firstSeenMs);
  const state = judgeMark(mark, bodyHash, atMs);
  if (state === 'kept' && mark.answer !== null) return { state, answer: mark.answer };
  if (state === 'reused') return { state };
  if (state !== 'lapsed') return { state: 'in-progress' };
  return (await takeOver(claimant, mark, atMs)) ? claimedSince(mark.firstSeenMs) : undefined;
};

export const claim = async (organizationId: OrganizationId, hash: string, bodyHash: string): Promise<Claimed> => {
  const claimant = { organizationId, hash, bodyHash, claimId: randomUUID() };
  for (let attempts = 0; attempts < ATTEMPTS_MAX; attempts++) {
    const claimed = await attemptClaim(claimant);
    if (claimed !== undefined) return claimed;
  }
  return { state: 'in-progress' };
};

/** Stores the answer. Does nothing if another request has taken over the claim. */
export const keep = async ({ organizationId, hash, claimId }: Claim, answer: RecordedAnswer): Promise<void> => {
  await succeeds(
    table.update(keys.idempotency(organizationId, hash), {
      set: markItem.toChanges({ answer }),
      if: '#claim_id = :mine',
      values: { mine: claimId },
    }),
  );
};

/** Releases the claim after an error that is worth a retry. The next request may start at once, with the same ids. */
export const release = async ({ organizationId, hash, claimId }: Claim): Promise<void> => {
  await succeeds(
    table.update(keys.idempotency(organizationId, hash), {
      set: markItem.toChanges({ claimedMs: 0 }),
      if: '#claim_id = :mine',
      values: { mine: claimId },
    }),
  );
};

const succeeds = async (write: Promise<unknown>): Promise<boolean> => {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionRefused) return false;
    throw error;
  }
};
