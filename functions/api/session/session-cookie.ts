/** The cookie that holds the dashboard's session (decisions.md §2). No script of a page can read it. */
import { envOr } from '#shared/platform/env.ts';

const NAME = 'sb-access-token';

/** Plain http is only ever a loopback origin of the local stage (infra/stages.ts refuses any other). */
const isPlainHttp = (): boolean => envOr('PUBLIC_ORIGINS', '').startsWith('http:');

/** `Lax`: a link from elsewhere may open the dashboard, but no foreign page may act in it. */
const attributes = (): string => `Path=/; HttpOnly; SameSite=Lax${isPlainHttp() ? '' : '; Secure'}`;

/** @param maxAgeSeconds how long the browser keeps it: as long as the token holds */
export const sessionCookieOf = (token: string, maxAgeSeconds: number): string =>
  `${NAME}=${token}; Max-Age=${maxAgeSeconds}; ${attributes()}`;

export const noSessionCookie = (): string => `${NAME}=; Max-Age=0; ${attributes()}`;
