/** The identity of the table. */
import { hash } from 'node:crypto';
import { env } from '#shared/platform/env.ts';
import { VARIABLES } from '#shared/platform/needs.ts';

const EPOCH_CHARS = 8;

/**
 * Returns the epoch, which is different for each table. A restored table is a new table (docs/adr/0028), in which
 * writes after the restored instant get the same numbers again. Therefore a cursor or key that contains such a number
 * must also contain the epoch (docs/adr/0031).
 */
export const tableEpoch = (): string => hash('sha256', env(VARIABLES.table), 'base64url').slice(0, EPOCH_CHARS);
