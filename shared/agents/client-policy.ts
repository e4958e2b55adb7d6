import { envOptional, envOr } from '#shared/platform/env.ts';
import { VARIABLES } from '#shared/platform/needs.ts';
import type { ClientPolicy } from './client-id.rules.ts';

/** The stage's policy for clients. Needs `client-policy`. */
export const clientPolicy = (): ClientPolicy => ({
  appUris: envOr(VARIABLES.clientAppUris, '').split(' '),
  isLoopbackAllowed: envOptional(VARIABLES.clientLoopbackAllowed) === 'true',
});
