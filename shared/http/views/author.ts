/** Who made a change, as the API returns it. */
import * as z from 'zod';
import { AUTHOR_KINDS, type Author } from '#shared/audit/audit.rules.ts';

export const AuthorView = z
  .object({
    kind: z
      .enum(AUTHOR_KINDS)
      .describe(
        'application: an agent with a granted permission. connect_link: a customer who used a link. service: the service itself, or its operator.',
      ),
    id: z
      .string()
      .nullable()
      .describe(
        'For a person the subject of the session, as named by its issuer; for a key, application or link its id (of the grant for an application). Null for the service, and for a session without a subject.',
      ),
  })
  .meta({ id: 'Author', examples: [{ kind: 'person', id: '248289761001' }] });

/** The field `created_by` of a resource. */
export const createdBy = () =>
  AuthorView.nullable().describe('Who created it. Null if it was created before authors were stored.');

/** A map of the table has no order, and equal answers must have equal bytes. */
export const toAuthorView = ({ kind, id }: Author): Author => ({ kind, id });
