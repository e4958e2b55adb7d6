/** How a person signs in at a stage's dashboard: part of its settings. */
import * as z from 'zod';

export const httpsUrl = (what: string) => z.url({ protocol: /^https$/, error: `${what} must be an https URL` });

/** One host: whatever else a browser's policy would read, a wildcard or the end of a directive, is none. */
const HTTPS_ORIGIN = /^https:\/\/[a-z\d-]+(?:\.[a-z\d-]+)*(?::\d{1,5})?$/;

const httpsOrigin = z
  .string()
  .refine(
    (text) => HTTPS_ORIGIN.test(text) && URL.canParse(text) && new URL(text).origin === text,
    'signIn.origins: https and host, nothing behind',
  );

/**
 * The client of the issuer with which a person signs in at the dashboard (authorization code with PKCE, no secret).
 * Its redirect address is `<origin>/sign-in/callback`. `session-token`: a person hands in a session that an operator
 * made, where nobody else issues any. Null where one signs in otherwise: on this machine.
 */
export const SignIn = z
  .union([
    z.strictObject({
      authority: httpsUrl('signIn.authority').refine(
        (text) => HTTPS_ORIGIN.test(new URL(text).origin),
        'signIn.authority: a host without wildcards',
      ),
      clientId: z.string().min(1),
      scope: z.string().min(1),
      /** Where the page may ask besides the authority's origin: an issuer may exchange codes under another name. */
      origins: z.array(httpsOrigin).optional(),
    }),
    z.literal('session-token'),
  ])
  .nullable();
