/**
 * Cross-site request forgery: a browser sends the session cookie along with requests that a foreign page makes. Every
 * browser names the page's origin on unsafe methods; scripts name none and are let through (decisions.md §2). Browsers
 * since 2023 say besides whether it is the origin that they ask: no page can write that header, so that its word decides,
 * and a dashboard may be at an address that nobody knew before it was deployed (docs/adr/0012).
 */
import { envOr } from '#shared/platform/env.ts';
import type { EndpointContract } from './contract.ts';
import { ApiError } from './errors.ts';

const publicOrigins = (): string[] =>
  envOr('PUBLIC_ORIGINS', '')
    .split(/[\s,]+/)
    .filter((origin) => origin !== '');

export const refuseForeignPage = (
  method: EndpointContract['method'],
  headers: Readonly<Record<string, string | undefined>>,
): void => {
  if (method === 'GET') return;
  const { origin, 'sec-fetch-site': site } = headers;
  if (site === 'same-origin') return;
  const isForeign =
    (origin !== undefined && !publicOrigins().includes(origin)) || (site !== undefined && site !== 'none');
  if (isForeign) throw new ApiError('forbidden', 'This page may not act for the signed-in user.');
};
