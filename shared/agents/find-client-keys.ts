/** Finds the key set of a client: in its document, in the cache, or at the address that the document names. */
import { AGENT_LIMITS } from '#shared/agents/limits.ts';
import { nowIso, nowMs } from '#shared/platform/clock.ts';
import { DocumentUnavailable, fetchDocument } from './client-document.client.ts';
import { type ClientKeys, type KeySet, parseKeySet } from './client-keys.rules.ts';
import { findStoredKeys, putStoredKeys, type StoredKeys } from './client-keys.store.ts';
import { clientPolicy } from './client-policy.ts';
import { readKeptMs } from './find-client.ts';

export type FoundKeys = { set: KeySet; fault?: never } | { set?: never; fault: string };

const NOT_A_SET = 'not_a_key_set';

const fetchKeys = async (url: string): Promise<StoredKeys> => {
  const until = (ms: number): string => new Date(nowMs() + ms).toISOString();
  const failed = (fault: string): StoredKeys => ({
    url,
    text: null,
    fault,
    fetchedAt: nowIso(),
    keptUntil: until(AGENT_LIMITS.clientDocumentFailedMs),
  });
  try {
    const { isLoopbackAllowed } = clientPolicy();
    const options = { isLoopbackAllowed, bytesMax: AGENT_LIMITS.clientKeysBytesMax };
    const { text, cacheControl } = await fetchDocument(url, options);
    if (parseKeySet(text) === undefined) return failed(NOT_A_SET);
    return { url, text, fault: null, fetchedAt: nowIso(), keptUntil: until(readKeptMs(cacheControl)) };
  } catch (error) {
    if (!(error instanceof DocumentUnavailable)) throw error;
    return failed(error.fault);
  }
};

const foundIn = ({ text, fault }: StoredKeys): FoundKeys => {
  const set = text === null ? undefined : parseKeySet(text);
  return set === undefined ? { fault: fault ?? NOT_A_SET } : { set };
};

/** Returns the key set. Failures are cached, so that repeated attempts do not cause repeated requests. */
export const findClientKeys = async (clientId: string, { from }: ClientKeys): Promise<FoundKeys> => {
  if (from.url === undefined) return { set: from.set };
  const stored = await findStoredKeys(clientId, from.url, nowMs());
  if (stored !== undefined) return foundIn(stored);
  const fetched = await fetchKeys(from.url);
  await putStoredKeys(clientId, fetched);
  return foundIn(fetched);
};

/**
 * Fetches the key set again, because an assertion names a key that is not in it. Returns undefined if the set was
 * fetched a moment ago, or is in the document. If the fetch fails, the previous keys stay.
 */
export const refetchClientKeys = async (clientId: string, { from }: ClientKeys): Promise<KeySet | undefined> => {
  if (from.url === undefined) return undefined;
  const stored = await findStoredKeys(clientId, from.url, nowMs());
  const isFresh = stored !== undefined && Date.parse(stored.fetchedAt) + AGENT_LIMITS.clientKeysCooldownMs > nowMs();
  if (isFresh) return undefined;
  const fetched = await fetchKeys(from.url);
  const isLost = fetched.text === null && stored !== undefined;
  await putStoredKeys(clientId, isLost ? { ...stored, fetchedAt: fetched.fetchedAt } : fetched);
  return foundIn(fetched).set;
};
