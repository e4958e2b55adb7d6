/** A question as the API judged it, and the way back to who asked. */
import type { paths } from '../../../docs/examples/api-types.gen.ts';

export type Review = paths['/oauth/reviews']['post']['responses'][200]['content']['application/json']['data'];

/** What a browser would run in place of going there. The API lets none through; this is the second look. */
const RUN_HERE = /^\s*(?:javascript|data|vbscript|blob):/i;

/** @throws Error for an address that is none */
export const goTo = (address: string): void => {
  if (RUN_HERE.test(address)) throw new Error('no address to go to');
  location.assign(address);
};
