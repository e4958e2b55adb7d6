/** One story by the client of @hey-api/openapi-ts: list, a page, a refusal, an unknown id, a webhook endpoint. */
import { createWebhook, getConnection, listConnections, listTaxRcvDocuments } from './generated';
import { client } from './generated/client.gen';

const { API, API_KEY, CONNECTION, HOOK, UNKNOWN } = process.env as Record<string, string>;
client.setConfig({ baseUrl: API!, headers: { authorization: `Bearer ${API_KEY}` } });
const path = { id: CONNECTION! };

const connections = await listConnections();
const page = await listTaxRcvDocuments({ path, query: { limit: 5, offset: 5 } });
const refused = await listTaxRcvDocuments({ path, query: { from: '2026-10-02', to: '2026-10-01' } });
const unknown = await getConnection({ path: { id: UNKNOWN! } });
const webhook = await createWebhook({ body: { url: HOOK!, event_types: ['sync.failed'] } });

const codeOf = (error: { error: { code: string } } | { message: string } | undefined) =>
  error && 'error' in error ? error.error.code : undefined;
console.log(
  JSON.stringify({
    name: connections.data?.data[0]?.name,
    rows: page.data?.data.length,
    total: page.data?.pagination.total,
    refused: [refused.response?.status, codeOf(refused.error)],
    unknown: [unknown.response?.status, codeOf(unknown.error)],
    secret: webhook.data?.data.secret.slice(0, 6),
  }),
);
