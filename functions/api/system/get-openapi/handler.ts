import { createHash } from 'node:crypto';
import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import description from '../../../../docs/openapi.json' with { type: 'json' };
import { contract } from './contract.ts';

const etag = `"${createHash('sha256').update(JSON.stringify(description)).digest('base64url')}"`;

export const getOpenapi: Logic<typeof contract> = async () => ({
  status: 200,
  body: description,
  headers: { etag, 'cache-control': 'no-cache' },
});

export const handler = endpoint(contract, getOpenapi);
