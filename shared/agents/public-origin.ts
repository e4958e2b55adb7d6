/** The public origin of the service: scheme and host without a trailing slash. Needs `public-origin`. */
import { env } from '#shared/platform/env.ts';
import { VARIABLES } from '#shared/platform/needs.ts';

export const publicOrigin = (): string => env(VARIABLES.publicOrigin);
