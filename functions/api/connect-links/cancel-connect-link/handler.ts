import { deriveLinkStatus } from '#shared/connect-links/link.rules.ts';
import * as links from '#shared/connect-links/link.store.ts';
import { isUsed } from '#shared/connect-links/read-verdict.ts';
import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { notFound } from '#shared/http/response/errors.ts';
import { toConnectLink } from '#shared/http/views/connect-link.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { contract } from './contract.ts';

export const cancelConnectLink: Logic<typeof contract> = async ({ caller: { organizationId }, cause, params }) => {
  const known = await links.find(organizationId, params.id);
  if (known === undefined) throw notFound('connect_link_not_found');
  const isDone = await isUsed(known);
  const isOpen = deriveLinkStatus(known, isDone, nowMs()) === 'open';
  const link = isOpen ? await links.cancel(known, cause) : known;
  if (link === undefined) throw notFound('connect_link_not_found');
  return { status: 200, body: { data: toConnectLink(link, isDone, nowMs()) } };
};

export const handler = endpoint(contract, cancelConnectLink);
