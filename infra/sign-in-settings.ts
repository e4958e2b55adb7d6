/** Settings that determine how a person signs in at a stage's dashboard, as part of the stage's settings. */
import * as z from 'zod';

export const httpsUrl = (what: string) => z.url({ protocol: /^https$/, error: `${what} must be an https URL` });

/**
 * Matches exactly one host. Rejects wildcards, and separators that a browser would interpret in the content security
 * policy.
 */
const HTTPS_ORIGIN = /^https:\/\/[a-z\d-]+(?:\.[a-z\d-]+)*(?::\d{1,5})?$/;

const httpsOrigin = z
  .string()
  .refine(
    (text) => HTTPS_ORIGIN.test(text) && URL.canParse(text) && new URL(text).origin === text,
    'signIn.origins: https and host, nothing behind',
  );

/**
 * The client of the issuer with which a person signs in at the dashboard (authorization code with PKCE, no secret); its
 * redirect address is `<origin>/sign-in/callback`. `session-token` is for stages without an issuer: a person enters a
 * session token that an operator created. Null is only for the local stage, whose runner opens the session itself.
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
      /** Further origins that the page may call, because an issuer may exchange codes at another host name. */
      origins: z.array(httpsOrigin).optional(),
    }),
    z.literal('session-token'),
  ])
  .nullable();
