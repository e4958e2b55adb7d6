import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { notFound } from '#shared/http/response/errors.ts';
import { signedUrl } from '#shared/tenders/document-link.client.ts';
import { findFile } from '#shared/tenders/tender-file.store.ts';
import { contract } from './contract.ts';

export const downloadDocumento: Logic<typeof contract> = async ({ caller, params }) => {
  const file = await findFile(caller.organizationId, params.documentoId);
  if (!file) throw notFound('documento_not_found');
  return { status: 302, body: undefined, headers: { location: await signedUrl(file.object) } };
};

export const handler = endpoint(contract, downloadDocumento);
