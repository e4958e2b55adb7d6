import * as z from 'zod';
import { describeCredential } from '#shared/mcp/credential.ts';
import { defineTool } from '#shared/mcp/tool.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { santiagoDay, ZONE } from '#shared/values/dates.ts';
import { instant, uuid } from '#shared/values/fields.ts';

export const whoami = defineTool({
  name: 'whoami',
  title: 'Who am I',
  description: 'Whose data this is, by which permission, until when, and which day it is in Santiago.',
  input: z.strictObject({}),
  output: z.strictObject({
    organization_id: uuid(),
    client: z.string().nullable().describe('Application or API key that reads.'),
    credential: z.enum(['key', 'access-token']),
    expires_at: instant().nullable(),
    may: z.literal('read'),
    today: z.iso.date(),
    time_zone: z.string(),
  }),
  run: async (_, agent) => {
    const { client, expiresAt } = await describeCredential(agent);
    return {
      organization_id: agent.organizationId,
      client,
      credential: agent.kind,
      expires_at: expiresAt,
      may: 'read' as const,
      today: santiagoDay(nowMs()),
      time_zone: ZONE,
    };
  },
});
