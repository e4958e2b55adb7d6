/** Where the issuer sends the browser back to: must be registered with the client there. */
export const CALLBACK_PATH = '/sign-in/callback';
