/** The setting `session` of a stage. */
import * as z from 'zod';
import { httpsUrl } from './sign-in-settings.ts';

/** How the API verifies the session cookie (decisions.md §2). The algorithm is never read from a token. */
export const Session = z.discriminatedUnion('algorithm', [
  z.strictObject({
    algorithm: z.enum(['ES256', 'RS256']),
    issuer: z.string().min(1),
    audience: z.string().min(1),
    jwksUrl: httpsUrl('session.jwksUrl'),
  }),
  z.strictObject({
    algorithm: z.literal('HS256'),
    issuer: z.string().min(1),
    audience: z.string().min(1),
    /** Name of the SSM SecureString with the shared secret; null on the local stage, whose runner creates a secret. */
    secretParameter: z
      .string()
      .regex(/^\/[\w./-]+$/, 'session.secretParameter must be the name of an SSM parameter, beginning with /')
      .nullable(),
  }),
]);
