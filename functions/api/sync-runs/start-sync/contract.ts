import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import { HTTP_LIMITS } from '#shared/http/limits.ts';
import { SYNC_METADATA_HINTS } from '#shared/http/request/sync-input.ts';
import { uuid } from '#shared/values/fields.ts';

export const contract = defineEndpoint({
  id: 'start-sync',
  method: 'POST',
  path: '/connections/{id}/sync',
  tag: 'Sync',
  summary: 'Start a sync',
  description:
    'Queues a sync of the connection and returns at once. Follow it through its sync run, or by a webhook. ' +
    'A sync may be started while another one runs: syncs of one scope of a connection run one after the other.',
  auth: 'manage',
  params: { id: { unknown: 'connection_not_found' } },
  body: z
    .strictObject({
      scopes: z
        .array(z.string())
        .meta({ minItems: 1, maxItems: HTTP_LIMITS.scopesPerSourceMax, uniqueItems: true })
        .nullable()
        .optional()
        .describe('Enabled scopes; absent or null: all of them.'),
      metadata: z
        .record(z.string(), z.unknown())
        .nullish()
        .describe('What to synchronize, shaped by `sync_metadata` of the scopes. Absent or null counts as `{}`.'),
    })
    .meta({ examples: [{ scopes: ['rcv'], metadata: { periods: ['2026-10', '2026-09'] } }] }),
  bodyHints: SYNC_METADATA_HINTS,
  bodyOptional: true,
  responses: {
    202: z.object({
      sync_id: uuid().describe('Id of the sync run.'),
      connection_id: uuid(),
      scopes: z.array(z.string()),
      status: z.literal('queued'),
    }),
  },
  errors: [
    'connection_not_found',
    'connection_disabled',
    'sync_invalid_scopes',
    'sync_invalid_metadata',
    'rate_limited',
  ],
  needs: ['table:read', 'table:write', 'send:sync-requests'],
});
