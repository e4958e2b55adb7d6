import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import { uuid } from '#shared/values/fields.ts';

export const contract = defineEndpoint({
  id: 'show-session',
  method: 'GET',
  basePath: '',
  path: '/session',
  tag: 'System',
  summary: 'Show whose session it is',
  description:
    "The dashboard shows organization and person in every page's head, so that a foreign session is noticed.",
  auth: 'session',
  responses: {
    200: z.object({
      data: z.object({
        organization_id: uuid(),
        /** Subject of the session; null if the issuer names none. */
        person_id: z.string().nullable(),
        /** Null if the issuer names none. */
        email: z.string().nullable(),
      }),
    }),
  },
  errors: [],
  needs: [],
});
