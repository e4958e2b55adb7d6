import * as z from 'zod';
import { FREQUENCIES_MINUTES } from '#shared/connections/schedule.rules.ts';
import { defineEndpoint } from '#shared/http/contract.ts';
import { instant } from '#shared/values/fields.ts';

const RULE = `must be one of ${FREQUENCIES_MINUTES.join(', ')}`;

export const contract = defineEndpoint({
  id: 'set-schedule',
  method: 'PUT',
  path: '/connections/{id}/schedule',
  tag: 'Connections',
  summary: 'Set the sync schedule of a connection',
  description:
    'The first sync comes one period after the schedule is enabled, never at once; sending the same setting again ' +
    'leaves the next sync where it is. A scheduled sync is skipped while another sync of the connection is unfinished, ' +
    'and while the connection is in `error`.',
  auth: 'manage',
  params: { id: { unknown: 'connection_not_found' } },
  body: z
    .strictObject({
      enabled: z.boolean(),
      frequency_minutes: z
        .literal([...FREQUENCIES_MINUTES, null], RULE)
        .optional()
        .describe('Minutes between syncs; required when `enabled` is true.'),
      next_scheduled_sync_at: z
        .unknown()
        .optional()
        .describe('Read-only: ignored, so that an answer can be sent back.'),
    })
    .refine(({ enabled, frequency_minutes }) => !enabled || typeof frequency_minutes === 'number', {
      path: ['frequency_minutes'],
      message: `${RULE} when enabled is true`,
    })
    .meta({
      examples: [{ enabled: true, frequency_minutes: 1440 }],
      if: { properties: { enabled: { const: true } }, required: ['enabled'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: {
        properties: { enabled: { const: true }, frequency_minutes: { type: 'integer' } },
        required: ['frequency_minutes'],
      },
    }),
  bodyCodes: { frequency_minutes: 'schedule_invalid_frequency' },
  responses: {
    200: z.object({
      data: z.object({
        enabled: z.boolean(),
        frequency_minutes: z
          .int()
          .nullable()
          .meta({ enum: [...FREQUENCIES_MINUTES, null], examples: [1440] }),
        next_scheduled_sync_at: instant().nullable().describe('Null while the schedule or the connection is disabled.'),
      }),
    }),
  },
  errors: ['connection_not_found', 'schedule_invalid_frequency'],
  needs: ['table:read', 'table:write', 'table:delete', 'schedules:write'],
});
