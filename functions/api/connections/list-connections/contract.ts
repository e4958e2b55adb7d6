import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import { Pagination } from '#shared/http/lists/pagination.ts';
import { Connection } from '#shared/http/views/connection.ts';
import { LISTS } from '#shared/scopes/lists.gen.ts';
import { LIMIT_MAX, page, search } from '#shared/scopes/scope.ts';
import { OWN_METADATA } from '#shared/values/own-metadata.ts';

/** Codes of the sources. */
const CODES = Object.keys(LISTS) as [string, ...string[]];

export const contract = defineEndpoint({
  id: 'list-connections',
  method: 'GET',
  path: '/connections',
  tag: 'Connections',
  summary: 'List connections',
  description:
    'The connections of the organization, newest created first. With `limit`, one page and `pagination`; without it all, ' +
    'unless that would be more than 5.5 MB: then 400, and `limit` is needed.',
  auth: 'read',
  query: z.strictObject({
    limit: z
      .int()
      .min(1)
      .max(LIMIT_MAX)
      .optional()
      .describe('Page size. Absent: all connections, without `pagination`.'),
    offset: page.offset.describe('Rows to skip. Has no effect without `limit`.'),
    reference: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe('Exactly this `metadata.reference`.')
      .meta({ examples: ['cliente-4711'] }),
    status: Connection.shape.status.optional(),
    external_source_code: z.enum(CODES).optional().describe('Only connections to this source.'),
    company_rut: OWN_METADATA.company_rut.optional().describe('Exactly this `metadata.company_rut`, in any spelling.'),
    q: search('Part of the name, of `metadata.company_name` or `reference`, or of the RUT without dots and dash.', [
      'nandu',
      '4711',
    ]),
    attention: z.literal(true).optional().describe('`true`: only connections whose owner must do something.'),
    sort: z
      .enum(['created', 'company'])
      .default('created')
      .describe('`created`: newest first. `company`: by `metadata.company_name`, or else `name`.'),
  }),
  responses: {
    200: z.object({
      data: z.array(Connection),
      pagination: Pagination.optional().describe('Absent without `limit`.'),
    }),
  },
  errors: [],
  needs: ['table:read', 'connection-snapshots'],
});
