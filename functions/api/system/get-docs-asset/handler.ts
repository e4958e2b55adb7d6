import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { notFound } from '#shared/http/response/errors.ts';
import assets from './assets.gen.json' with { type: 'json' };
import { contract } from './contract.ts';

const files = new Map(
  assets.map(({ file, type, etag, gzip }) => {
    const headers = { 'content-type': type, 'content-encoding': 'gzip', 'cache-control': 'no-cache', etag };
    return [file, { body: new Uint8Array(Buffer.from(gzip, 'base64')), headers }] as const;
  }),
);

/** Always compressed: the renderer is 1.7 MB, and only a page asks for it. */
export const getDocsAsset: Logic<typeof contract> = async ({ params }) => {
  const found = files.get(params.file);
  if (!found) throw notFound('not_found');
  return { status: 200, ...found };
};

export const handler = endpoint(contract, getDocsAsset);
