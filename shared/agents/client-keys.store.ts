/** Caches the key sets of clients, and remembers which of their assertions were used. */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { item } from '#shared/table/item.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { expiresAt } from '#shared/table/ttl.ts';
import { AppError } from '#shared/values/app-error.ts';

const StoredKeysSchema = z.object({
  /** Address at which the keys were published. */
  url: z.string(),
  /** The key set as published; null if it was unavailable or not a set of public keys. */
  text: z.string().nullable(),
  fault: z.string().nullable(),
  /** Time of the last fetch, also of a failed one. */
  fetchedAt: z.string(),
  keptUntil: z.string(),
});
export interface StoredKeys extends z.infer<typeof StoredKeysSchema> {}

export const clientKeysItem = item('client keys', StoredKeysSchema, { absent: ['text', 'fault'] });

/** The assertion was used before. */
export class AssertionReplayed extends AppError {}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Returns the cached keys of this address, or undefined if they must be fetched. */
export const findStoredKeys = async (clientId: string, url: string, nowMs: number): Promise<StoredKeys | undefined> => {
  const found = await table.get(keys.clientKeys(hash(clientId)), { consistent: true });
  const stored = found && clientKeysItem.fromItem(found);
  return stored?.url === url && Date.parse(stored.keptUntil) > nowMs ? stored : undefined;
};

export const putStoredKeys = (clientId: string, stored: StoredKeys): Promise<void> =>
  table.put({
    ...keys.clientKeys(hash(clientId)),
    ...clientKeysItem.toItem(stored),
    ...expiresAt(stored.keptUntil),
  });

/**
 * Records the use of an assertion.
 * @param until from this instant on, the assertion has expired by every clock
 * @throws AssertionReplayed
 */
export const spendAssertion = (clientId: string, jti: string, until: string): Promise<void> =>
  table.put(
    { ...keys.clientAssertion(hash(clientId), hash(jti)), ...expiresAt(until) },
    { if: 'attribute_not_exists(pk)', otherwise: () => new AssertionReplayed() },
  );
