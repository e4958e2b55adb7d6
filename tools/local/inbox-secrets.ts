/**
 * Finds the secrets of endpoints whose URL is the local inbox, so that nobody has to register these secrets. The runner
 * can read them because it has the table and the key file.
 */
import * as z from 'zod';
import { decryptSecret, secretResource } from '#shared/platform/crypto.ts';
import { uuid } from '#shared/values/fields.ts';
import * as webhooks from '#shared/webhooks/endpoint.store.ts';

const Payload = z.object({ data: z.object({ organizationId: uuid() }) });

/**
 * Resolves with the secrets with which the body may be signed; an empty list for a body that is not one of our events.
 */
export const findInboxSecrets = async (body: string, inboxUrl: string): Promise<string[]> => {
  const payload = Payload.safeParse(parse(body));
  if (!payload.success) return [];
  const { organizationId } = payload.data.data;
  const endpoints = (await webhooks.list(organizationId)).filter(({ url }) => url.startsWith(inboxUrl));
  const secrets = await Promise.all(
    endpoints.map(async ({ id }) => {
      const found = await webhooks.findWithSecret(organizationId, id);
      return found && decryptSecret(organizationId, secretResource.webhook(id), found.secret);
    }),
  );
  return secrets.filter((secret) => secret !== undefined);
};

const parse = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};
