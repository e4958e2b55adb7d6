/**
 * Finds the client of an id. The client is described in the id itself, or in a published document, which is fetched
 * only after the cached copy has expired.
 */

import { AGENT_LIMITS } from '#shared/agents/limits.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { log } from '#shared/platform/logger.ts';
import {
  DocumentUnavailable,
  type FetchOptions,
  fetchDocument,
  isDocumentFault,
  isTemporaryFault,
} from './client-document.client.ts';
import { readDocument } from './client-document.rules.ts';
import { type ClientDocument, findDocument, putDocument } from './client-document.store.ts';
import { type Client, type ClientPolicy, readClientId } from './client-id.rules.ts';
import { clientPolicy } from './client-policy.ts';

export type FoundClient =
  | { client: Client; finding?: never; isTemporary?: never }
  /** Reason why there is no client, for the person who is asked, and whether it may be over soon. */
  | { client?: never; finding: string; isTemporary: boolean };

const MAX_AGE = /(?:^|[\s,])max-age=(\d{1,9})(?:$|[\s,])/i;

/** Returns how long an answer with this `cache-control` is cached. */
export const readKeptMs = (cacheControl: string): number => {
  const asked = Number(MAX_AGE.exec(cacheControl)?.[1] ?? 0) * 1_000;
  return Math.min(Math.max(asked, AGENT_LIMITS.clientDocumentKeptMinMs), AGENT_LIMITS.clientDocumentKeptMaxMs);
};

const NO_DOCUMENT = 'no_document';

const until = (ms: number): string => new Date(nowMs() + ms).toISOString();

const fetchFresh = async (clientId: string, policy: ClientPolicy, options: FetchOptions): Promise<ClientDocument> => {
  const failed = (fault: string): ClientDocument => ({
    clientId,
    text: null,
    fault,
    keptUntil: until(AGENT_LIMITS.clientDocumentFailedMs),
  });
  try {
    const { text, cacheControl } = await fetchDocument(clientId, options);
    const { finding } = readDocument(clientId, text, policy);
    return finding === undefined
      ? { clientId, text, fault: null, keptUntil: until(readKeptMs(cacheControl)) }
      : failed(finding);
  } catch (error) {
    if (!(error instanceof DocumentUnavailable)) throw error;
    log.info('the document of a client could not be read', { code: error.fault });
    return failed(error.fault);
  }
};

/**
 * Fetches the document and stores the result in the cache. Failures are also cached, so that repeated questions do not
 * cause repeated requests.
 */
const fetchAndKeep = async (...asked: Parameters<typeof fetchFresh>): Promise<ClientDocument> => {
  const document = await fetchFresh(...asked);
  await putDocument(document);
  return document;
};

/**
 * Returns the client, or the reason why there is no client.
 * @param options options for tests: name lookup and allowed addresses
 */
export const findClient = async (
  id: string,
  options: Omit<FetchOptions, 'isLoopbackAllowed'> = {},
): Promise<FoundClient> => {
  const policy = clientPolicy();
  const read = readClientId(id, policy);
  if (read === undefined) return { finding: 'client_id is not a valid client id', isTemporary: false };
  if (read.kind === 'registered') return { client: read.client };
  const settings = { ...options, isLoopbackAllowed: policy.isLoopbackAllowed };
  const { text, fault } = (await findDocument(id, nowMs())) ?? (await fetchAndKeep(id, policy, settings));
  const { client, finding } = text === null ? { finding: fault } : readDocument(id, text, policy);
  if (client !== undefined) return { client };
  const reason = finding ?? NO_DOCUMENT;
  return {
    // A stranger chose the address. Different answers for different faults would show which ports are open.
    finding: `client_id leads to no document of this client (${isDocumentFault(reason) ? NO_DOCUMENT : reason})`,
    isTemporary: isTemporaryFault(reason),
  };
};
