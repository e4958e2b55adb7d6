/** One story by the types of openapi-typescript: list, a page, a refusal, an unknown id, a webhook endpoint. */
import createClient from 'openapi-fetch';
import type { paths } from './generated.ts';

const { API, API_KEY, CONNECTION, HOOK, UNKNOWN } = process.env as Record<string, string>;
const client = createClient<paths>({ baseUrl: API!, headers: { authorization: `Bearer ${API_KEY}` } });
const list = '/connections/{id}/tax-rcv-documents';
const path = { id: CONNECTION! };

const connections = await client.GET('/connections');
const page = await client.GET(list, { params: { path, query: { limit: 5, offset: 5 } } });
const refused = await client.GET(list, { params: { path, query: { from: '2026-10-02', to: '2026-10-01' } } });
const unknown = await client.GET('/connections/{id}', { params: { path: { id: UNKNOWN! } } });
const webhook = await client.POST('/webhooks', { body: { url: HOOK!, event_types: ['sync.failed'] } });

const codeOf = (error: { error: { code: string } } | { message: string } | undefined) =>
  error && 'error' in error ? error.error.code : undefined;
console.log(
  JSON.stringify({
    name: connections.data?.data[0]?.name,
    rows: page.data?.data.length,
    total: page.data?.pagination.total,
    refused: [refused.response.status, codeOf(refused.error)],
    unknown: [unknown.response.status, codeOf(unknown.error)],
    secret: webhook.data?.data.secret.slice(0, 6),
  }),
);
