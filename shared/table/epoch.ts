/** What is known of the table itself. */
import { hash } from 'node:crypto';
import { env } from '#shared/platform/env.ts';
import { VARIABLES } from '#shared/platform/needs.ts';

const EPOCH_CHARS = 8;

/**
 * Another one for each table. A restored table is a table of its own (docs/adr/0028), in which the numbers that writes had
 * after the restored instant are given again: whatever names them must name the epoch, too (docs/adr/0031).
 */
export const tableEpoch = (): string => hash('sha256', env(VARIABLES.table), 'base64url').slice(0, EPOCH_CHARS);
