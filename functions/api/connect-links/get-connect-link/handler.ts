import * as links from '#shared/connect-links/link.store.ts';
import { isUsed } from '#shared/connect-links/read-verdict.ts';
import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { notFound } from '#shared/http/response/errors.ts';
import { toConnectLink } from '#shared/http/views/connect-link.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { contract } from './contract.ts';

export const getConnectLink: Logic<typeof contract> = async ({ caller, params }) => {
  const link = await links.find(caller.organizationId, params.id);
  if (link === undefined) throw notFound('connect_link_not_found');
  return { status: 200, body: { data: toConnectLink(link, await isUsed(link), nowMs()) } };
};

export const handler = endpoint(contract, getConnectLink);
