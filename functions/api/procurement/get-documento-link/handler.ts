import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { notFound } from '#shared/http/response/errors.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { LIMITS } from '#shared/platform/limits.ts';
import { signedUrl } from '#shared/tenders/document-link.client.ts';
import { findFile } from '#shared/tenders/tender-file.store.ts';
import { contract } from './contract.ts';

export const getDocumentoLink: Logic<typeof contract> = async ({ caller, params }) => {
  const file = await findFile(caller.organizationId, params.documentoId);
  if (!file) throw notFound('documento_not_found');
  // Computed before the signature, so that the link is valid at least until then.
  const expires_at = new Date(nowMs() + LIMITS.signedUrlSeconds * 1_000).toISOString();
  return { status: 200, body: { data: { url: await signedUrl(file.object), expires_at } } };
};

export const handler = endpoint(contract, getDocumentoLink);
