import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { notFound } from '#shared/http/response/errors.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { signedUrl } from '#shared/tenders/document-link.client.ts';
import { TENDER_LIMITS } from '#shared/tenders/limits.ts';
import { findFile } from '#shared/tenders/tender-file.store.ts';
import { contract } from './contract.ts';

export const getDocumentoLink: Logic<typeof contract> = async ({ caller, params }) => {
  const file = await findFile(caller.organizationId, params.documentoId);
  if (!file) throw notFound('documento_not_found');
  // The time is computed before the link is signed, so that the link is valid at least until `expires_at`.
  const expires_at = new Date(nowMs() + TENDER_LIMITS.signedUrlSeconds * 1_000).toISOString();
  return { status: 200, body: { data: { url: await signedUrl(file.object), expires_at } } };
};

export const handler = endpoint(contract, getDocumentoLink);
