/** Who makes a change and where the request came from, for the audit trail (docs/decisions.md §9). */
import { isIP } from 'node:net';
import type { Author, Cause, RequestSource } from '#shared/audit/audit.rules.ts';
import type { Caller } from '#shared/auth/caller.ts';
import { type HttpEvent, readHeader } from '#shared/http/request-context.ts';

const AUTHOR_KINDS: Readonly<Record<Caller['kind'], Author['kind']>> = {
  session: 'person',
  key: 'api_key',
  'access-token': 'application',
};

/** Returns the text if it is an address. A zone (`fe80::1%eth0`) is refused, because it may be any text. */
const parseAddress = (text: string | undefined): string | null =>
  text !== undefined && isIP(text) !== 0 && !text.includes('%') ? text : null;

/**
 * Returns the address that the gateway's peer names in `x-forwarded-for`: the gateway appends its peer, and the peer, if
 * it is CloudFront, has appended its caller (AWS's documents, not seen). Further entries are the caller's own text.
 */
const forwardedAddress = (header: string | undefined, peer: string | null): string | null => {
  const named = (header ?? '').split(',').map((entry) => entry.trim());
  if (named.at(-1) === peer) named.pop();
  return parseAddress(named.at(-1));
};

export const readSource = (event: HttpEvent): RequestSource => {
  const address = parseAddress(event.requestContext?.http?.sourceIp);
  return {
    requestId: event.context.requestId,
    address,
    forwardedAddress: forwardedAddress(readHeader(event, 'x-forwarded-for'), address),
  };
};

export const causeBy = ({ kind, id }: Pick<Caller, 'kind' | 'id'>, source: RequestSource | null): Cause => ({
  author: { kind: AUTHOR_KINDS[kind], id },
  source,
});
