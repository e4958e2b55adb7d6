/** Decides whether a reading changes so many facts at once that it is probably wrong (docs/adr/0016). Pure. */
import { CHANGE_LIMITS } from './limits.ts';

/** @param comparable number of rows that could have changed: the source shows them, and they are stored */
export const isMassChange = (changed: number, comparable: number): boolean =>
  changed > CHANGE_LIMITS.changedRowsMax || (changed >= CHANGE_LIMITS.allRowsMin && changed === comparable);
