/**
 * Protects against cross-site request forgery, because a browser also sends the session cookie with requests of foreign
 * pages. On unsafe methods, every browser sends the page's origin. Scripts outside browsers send no origin and are
 * accepted (decisions.md §2).
 */

import type { EndpointContract } from '#shared/http/contract.ts';
import { ApiError } from '#shared/http/response/errors.ts';
import { envOr } from '#shared/platform/env.ts';
import { BASE_VARIABLES, SELF } from '#shared/platform/needs.ts';

const publicOrigins = (): string[] =>
  envOr(BASE_VARIABLES.publicOrigins, '')
    .split(/[\s,]+/)
    .filter((origin) => origin !== '');

const OWN_SITES: ReadonlySet<string> = new Set(['same-origin', 'none']);

const isPublic = (origin: string, site: string | undefined): boolean => {
  const origins = publicOrigins();
  if (origins.includes(SELF) && site === 'same-origin') return true;
  return origin !== SELF && origins.includes(origin);
};

export const refuseForeignPage = (
  method: EndpointContract['method'],
  headers: Readonly<Record<string, string | undefined>>,
): void => {
  if (method === 'GET') return;
  const { origin, 'sec-fetch-site': site } = headers;
  const isForeign = (origin !== undefined && !isPublic(origin, site)) || (site !== undefined && !OWN_SITES.has(site));
  if (isForeign) throw new ApiError('forbidden', 'This page may not act for the signed-in user.');
};
