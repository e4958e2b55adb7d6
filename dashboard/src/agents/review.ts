/** An authorization request as the API validated it, and the redirect back to the client. */
import type { paths } from '../../../docs/examples/api-types.gen.ts';

export type Review = paths['/oauth/reviews']['post']['responses'][200]['content']['application/json']['data'];

/**
 * Matches schemes with which a browser would run code instead of opening a page. The API already rejects such
 * addresses; this is a second check.
 */
const RUN_HERE = /^\s*(?:javascript|data|vbscript|blob):/i;

/** Opens the address. @throws Error for an address with a scheme that would run code */
export const goTo = (address: string): void => {
  if (RUN_HERE.test(address)) throw new Error('no address to go to');
  location.assign(address);
};
