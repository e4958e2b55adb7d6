/** Who made a change and from where: what the trail believes of a request. */
import { describe, expect, test } from 'vitest';
import { causeBy, readSource } from '#shared/http/request/cause.ts';
import { emptyContext, type HttpEvent } from '#shared/http/request-context.ts';

const PEER = '192.0.2.1';

const sourceOf = (forwarded: string | undefined, peer: string | undefined = PEER) =>
  readSource({
    context: emptyContext('the-request'),
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    requestContext: { http: { sourceIp: peer } },
  } as unknown as HttpEvent);

describe('the forwarded address', () => {
  test.each([
    ['the entry before the peer', `203.0.113.5, ${PEER}`, '203.0.113.5'],
    ['the last entry, if the gateway added none', '203.0.113.5', '203.0.113.5'],
    ['of version 6', `2001:db8::1,${PEER}`, '2001:db8::1'],
    ['not what the caller wrote before it', `6.6.6.6, 7.7.7.7, 203.0.113.5, ${PEER}`, '203.0.113.5'],
  ])('is %s', (_, header, address) => {
    expect(sourceOf(header)).toEqual({ requestId: 'the-request', address: PEER, forwardedAddress: address });
  });

  test.each([
    ['the header is absent', undefined],
    ['the header is empty', ''],
    ['only the peer is in it', PEER],
    ['it is no address', `76.192.083-9, ${PEER}`],
    ['it has a port', `203.0.113.5:443, ${PEER}`],
    ['it has a zone, which may be any text', `fe80::1%svc_sk_secret, ${PEER}`],
  ])('is null if %s', (_, header) => {
    expect(sourceOf(header).forwardedAddress).toBeNull();
  });
});

test.each(['', 'unknown', 'fe80::1%eth0'])('a peer %j is no address', (peer) => {
  expect(sourceOf(undefined, peer).address).toBeNull();
});

test.each([
  ['session', 'person'],
  ['key', 'api_key'],
  ['access-token', 'application'],
] as const)('the caller with a %s is the author %s', (kind, author) => {
  expect(causeBy({ kind, id: 'id' }, null)).toEqual({ author: { kind: author, id: 'id' }, source: null });
  expect(causeBy({ kind, id: null }, null).author.id).toBeNull();
});
