/** Where the service is reached from outside: scheme and host, no slash behind. Needs `public-origin`. */
import { env } from '#shared/platform/env.ts';
import { VARIABLES } from '#shared/platform/needs.ts';

export const publicOrigin = (): string => env(VARIABLES.publicOrigin);
