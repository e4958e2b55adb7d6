import { signedUrl } from '#shared/data/document-links.ts';
import { findFile } from '#shared/data/tender-files.ts';
import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { notFound } from '#shared/http/errors.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { LIMITS } from '#shared/platform/limits.ts';
import { contract } from './contract.ts';

export const getDocumentoLink: Logic<typeof contract> = async ({ caller, params }) => {
  const file = await findFile(caller.organizationId, params.documentoId);
  if (!file) throw notFound('documento_not_found');
  // Taken before the signature's own time: the link holds at least until then.
  const expires_at = new Date(nowMs() + LIMITS.signedUrlSeconds * 1_000).toISOString();
  return { status: 200, body: { data: { url: await signedUrl(file.object), expires_at } } };
};

export const handler = endpoint(contract, getDocumentoLink);
