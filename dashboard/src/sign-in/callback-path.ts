/** Redirect path after the sign-in at the issuer; it must be registered with the client there. */
export const CALLBACK_PATH = '/sign-in/callback';
