/**
 * Caches client documents, so that a person who reads a question and then allows it gets the same document both times.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { item } from '#shared/table/item.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { expiresAt } from '#shared/table/ttl.ts';

const ClientDocumentSchema = z.object({
  clientId: z.string(),
  /** The document as published; null if it was unavailable. */
  text: z.string().nullable(),
  fault: z.string().nullable(),
  keptUntil: z.string(),
});
export interface ClientDocument extends z.infer<typeof ClientDocumentSchema> {}

export const clientDocumentItem = item('client document', ClientDocumentSchema, { absent: ['text', 'fault'] });

const keyOf = (clientId: string) => keys.clientDocument(createHash('sha256').update(clientId).digest('hex'));

/** Returns the cached document, or undefined if the document must be fetched. */
export const findDocument = async (clientId: string, nowMs: number): Promise<ClientDocument | undefined> => {
  const found = await table.get(keyOf(clientId), { consistent: true });
  const document = found && clientDocumentItem.fromItem(found);
  return document !== undefined && document.clientId === clientId && Date.parse(document.keptUntil) > nowMs
    ? document
    : undefined;
};

export const putDocument = (document: ClientDocument): Promise<void> =>
  table.put({
    ...keyOf(document.clientId),
    ...clientDocumentItem.toItem(document),
    ...expiresAt(document.keptUntil),
  });
