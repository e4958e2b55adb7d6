import { gunzipSync } from 'node:zlib';
import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { notFound } from '#shared/http/response/errors.ts';
import assets from './assets.gen.json' with { type: 'json' };
import { contract } from './contract.ts';
import pages from './pages.gen.json' with { type: 'json' };

const packed = new Map(assets.map((asset) => [asset.file, asset]));
const guides = new Map(pages.map((page) => [page.file, page]));

const headersOf = ({ type, etag }: { type: string; etag: string }) => ({
  'content-type': type,
  'cache-control': 'no-cache',
  etag,
});

/**
 * Sends the files of the interactive page always compressed, because they have 1.7 MB and only browsers request them.
 * Guides are sent uncompressed, because clients that are not browsers also read guides.
 */
export const getDocsAsset: Logic<typeof contract> = async ({ params }) => {
  const asset = packed.get(params.file);
  if (asset) {
    const headers = { ...headersOf(asset), 'content-encoding': 'gzip' };
    return { status: 200, body: new Uint8Array(Buffer.from(asset.gzip, 'base64')), headers };
  }
  const guide = guides.get(params.file);
  if (!guide) throw notFound('not_found');
  return {
    status: 200,
    body: new Uint8Array(gunzipSync(Buffer.from(guide.gzip, 'base64'))),
    headers: headersOf(guide),
  };
};

export const handler = endpoint(contract, getDocsAsset);
