/** The remaining work of deleting a connection. The item is written with the deletion and processed by the recovery. */

import * as z from 'zod';
import { item } from '#shared/table/item.ts';
import { connectionId, organizationId } from '#shared/values/ids.ts';

const PurgeSchema = z.object({
  organizationId: organizationId(),
  connectionId: connectionId(),
  source: z.string(),
  generation: z.number(),
  /** Time since which no worker can take a lease of the connection. Null until the leases have tombstones. */
  tombstonesAtMs: z.number().nullable(),
  createdAt: z.string(),
});
export interface Purge extends z.infer<typeof PurgeSchema> {}

export const purgeItem = item('purge', PurgeSchema, { names: { generation: 'hop' }, absent: ['tombstonesAtMs'] });
