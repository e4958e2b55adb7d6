/** A change of an organization as the API returns it. Every field is always present, null if it does not apply. */
import * as z from 'zod';
import type { OrganizationChange } from '#shared/rows/read/read-organization-changes.store.ts';
import { uuid } from '#shared/values/fields.ts';
import { CHANGED_SCOPES } from './change.ts';

export const OrganizationChangeView = z
  .object({
    change: z.enum(['changed', 'connection_deleted', 'tenders_changed']),
    connection_id: uuid().nullable().describe('Null for tenders, which belong to the organization.'),
    scope: z.enum(CHANGED_SCOPES).nullable().describe('The scope with changes. Null for the other kinds.'),
    path: z
      .string()
      .nullable()
      .describe('The feed to read, as a path of this description. Null if the connection was deleted.'),
  })
  .meta({ id: 'OrganizationChange' });

export const toOrganizationChange = (change: OrganizationChange): z.infer<typeof OrganizationChangeView> => {
  const { kind } = change;
  if (kind === 'tenders_changed')
    return { change: kind, connection_id: null, scope: null, path: '/procurement/changes' };
  const { connectionId } = change;
  if (kind === 'connection_deleted') return { change: kind, connection_id: connectionId, scope: null, path: null };
  const path = `/connections/${connectionId}/changes`;
  return { change: kind, connection_id: connectionId, scope: change.scope, path };
};
