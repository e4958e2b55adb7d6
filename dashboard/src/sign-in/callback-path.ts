/** Path to which the issuer redirects after the sign-in; it must be registered for the client at the issuer. */
export const CALLBACK_PATH = '/sign-in/callback';
