import type { LookupFunction } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DestinationBlocked } from '#shared/transport/faults.ts';
import {
  isAllowedPeer,
  isPublicAddress,
  judgeUrl,
  resolvesToForbidden,
  safeLookup,
} from '#shared/webhooks/safe-destination.ts';
import {
  FORBIDDEN_IPV4,
  FORBIDDEN_IPV6,
  ipv4Spellings,
  ipv6Holding,
  isatapHolding,
  PUBLIC_IPV4,
  PUBLIC_IPV6,
} from './address-spellings.ts';

const DEPLOYED = { isLoopbackHttpAllowed: false };
const LOCAL = { isLoopbackHttpAllowed: true };

const isAccepted = (text: string, policy = DEPLOYED): boolean => judgeUrl(text, policy).url !== undefined;

const forbiddenHosts = [
  ...FORBIDDEN_IPV4.flatMap(ipv4Spellings),
  ...FORBIDDEN_IPV4.flatMap((ip) => [...ipv6Holding(ip), ...isatapHolding(ip)]).map((ip) => `[${ip}]`),
  ...PUBLIC_IPV4.flatMap(ipv6Holding).map((ip) => `[${ip}]`),
  ...FORBIDDEN_IPV6.map((ip) => `[${ip}]`),
  ...['localhost', 'LOCALHOST', 'localhost.', 'api.localhost', 'ⓛocalhost', 'loc%61lhost'],
  ...[
    '[fe80::1%25eth0]',
    '[fe80::1%eth0]',
    '[::1%25lo]',
    '[::1',
    '::1',
    '[127.0.0.1]',
    '[::127.1]',
    '256.0.0.1',
    '1.2.3.4.5',
  ],
];

describe('the corpus of destinations', () => {
  it('has at least 300 spellings', () => {
    expect(new Set(forbiddenHosts).size).toBeGreaterThanOrEqual(300);
  });

  it.each(['', ':443', ':8443'])('refuses every one of them over https with port "%s"', (port) => {
    expect(forbiddenHosts.filter((host) => isAccepted(`https://${host}${port}/hook`))).toEqual([]);
    expect(forbiddenHosts.filter((host) => isAccepted(`https://${host}${port}/hook`, LOCAL))).toEqual([]);
  });

  it('accepts public addresses in every spelling', () => {
    const hosts = [
      ...PUBLIC_IPV4.flatMap(ipv4Spellings),
      ...PUBLIC_IPV6.map((ip) => `[${ip}]`),
      ...PUBLIC_IPV4.flatMap(isatapHolding).map((ip) => `[${ip}]`),
    ];
    expect(hosts.filter((host) => !isAccepted(`https://${host}/hook`))).toEqual([]);
  });

  it('validates what a resolver answers by the same ranges', () => {
    const forbidden = [
      ...FORBIDDEN_IPV4,
      ...FORBIDDEN_IPV4.flatMap((ip) => [...ipv6Holding(ip), ...isatapHolding(ip)]),
      ...FORBIDDEN_IPV6,
      ...['2606:4700:4700::1111%eth0', 'example.com', '', '127.1', '0x7f.0.0.1'],
    ];
    expect(forbidden.filter(isPublicAddress)).toEqual([]);
    expect([...PUBLIC_IPV4, ...PUBLIC_IPV6].filter((ip) => !isPublicAddress(ip))).toEqual([]);
  });

  it('never takes an address of any private block for public', () => {
    const octet = fc.nat(255);
    const blocks = fc.oneof(
      fc.tuple(fc.constant(10), octet, octet, octet),
      fc.tuple(fc.constant(127), octet, octet, octet),
      fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), octet, octet),
      fc.tuple(fc.constant(192), fc.constant(168), octet, octet),
      fc.tuple(fc.constant(169), fc.constant(254), octet, octet),
      fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), octet, octet),
      fc.tuple(fc.integer({ min: 224, max: 255 }), octet, octet, octet),
    );
    fc.assert(
      fc.property(blocks, (parts) => {
        const ip = parts.join('.');
        expect([ip, ...ipv6Holding(ip), ...isatapHolding(ip)].filter(isPublicAddress)).toEqual([]);
        expect(ipv4Spellings(ip).filter((host) => isAccepted(`https://${host}/`))).toEqual([]);
      }),
    );
  });
});

describe('the form of a URL', () => {
  it.each([
    'https://example.com',
    'https://example.com/',
    'HTTPS://EXAMPLE.com/Hook?a=1&b=%20',
    'https://example.com:8443/hook',
    'https://ñandú.cl/aviso',
    'https://does-not-resolve.invalid/x',
    `https://example.com/${'a'.repeat(2_028)}`,
  ])('accepts %s', (text) => {
    expect(isAccepted(text)).toBe(true);
  });

  it.each([
    'http://example.com',
    'ftp://example.com',
    'example.com',
    '//example.com',
    '',
    'https://',
    'https:example.com',
    'https:/example.com',
    'https:\\\\example.com',
    'https://example.com\\@127.0.0.1',
    'https://user@example.com',
    'https://user:password@example.com',
    'https://@example.com',
    'https://example.com/#fragment',
    'https://example.com/#',
    'https://exa\nmple.com',
    ' https://example.com',
    'https://example.com/ x',
    'https://example.com:99999',
    'https://exa mple.com',
    'https://%00.com',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'data:text/plain,x',
    `https://example.com/${'a'.repeat(2_029)}`,
  ])('refuses %j', (text) => {
    expect(isAccepted(text)).toBe(false);
    expect(isAccepted(text, LOCAL)).toBe(false);
  });

  it('accepts literal loopback http with a port only on the local stage', () => {
    const accepted = [
      'http://127.0.0.1:8080/inbox',
      'http://[::1]:8080/',
      'http://127.9.9.9:1/',
      'http://2130706433:8080/',
    ];
    const refused = [
      'http://127.0.0.1/inbox',
      'http://127.0.0.1:80/inbox',
      'http://localhost:8080/',
      'http://0.0.0.0:8080/',
      'http://10.0.0.1:8080/',
      'http://[::ffff:127.0.0.1]:8080/',
      'http://user@127.0.0.1:8080/',
      'http://example.com:8080/',
    ];
    expect(accepted.filter((text) => !isAccepted(text, LOCAL))).toEqual([]);
    expect(refused.filter((text) => isAccepted(text, LOCAL))).toEqual([]);
    expect([...accepted, ...refused].filter((text) => isAccepted(text))).toEqual([]);
  });
});

const answering = (...answers: string[][]): { lookup: LookupFunction; calls: () => number } => {
  let calls = 0;
  const lookup = ((_: string, __: object, callback: (error: null, found: object[]) => void) => {
    const addresses = answers[Math.min(calls++, answers.length - 1)]!;
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  }) as unknown as LookupFunction;
  return { lookup, calls: () => calls };
};

const failing = ((_: string, __: object, callback: (error: Error, found: object[]) => void) =>
  callback(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), [])) as unknown as LookupFunction;

const resolved = (lookup: LookupFunction, options: object): Promise<unknown> =>
  new Promise((resolve) => {
    safeLookup(lookup)('name.example', options, (error, address) => resolve(error ?? address));
  });

describe('names', () => {
  it('are refused when any of their addresses is not public', async () => {
    for (const ip of [...FORBIDDEN_IPV4, ...FORBIDDEN_IPV6]) {
      const { lookup } = answering(['8.8.8.8', ip]);
      expect(await resolved(lookup, { all: true })).toBeInstanceOf(DestinationBlocked);
      expect(await resolved(lookup, {})).toBeInstanceOf(DestinationBlocked);
    }
  });

  it('are refused when the answer is empty', async () => {
    expect(await resolved(answering([]).lookup, {})).toBeInstanceOf(DestinationBlocked);
  });

  it('keep the validated addresses of a single lookup', async () => {
    const { lookup, calls } = answering(['8.8.8.8', '2606:4700:4700::1111'], ['127.0.0.1']);
    expect(await resolved(lookup, { all: true })).toEqual([
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700:4700::1111', family: 6 },
    ]);
    expect(calls()).toBe(1);
    expect(await resolved(lookup, {})).toBeInstanceOf(DestinationBlocked);
  });

  it('that resolve to another address between creation and attempt are refused at any new address', async () => {
    const url = new URL('https://name.example/');
    const embedded = FORBIDDEN_IPV4.flatMap((ip) => [...ipv6Holding(ip), ...isatapHolding(ip)]);
    for (const ip of [...FORBIDDEN_IPV4, ...FORBIDDEN_IPV6, ...embedded]) {
      const { lookup } = answering(['8.8.8.8'], [ip]);
      expect(await resolvesToForbidden(url, lookup), ip).toBe(false);
      expect(await resolved(lookup, { all: true }), ip).toBeInstanceOf(DestinationBlocked);
    }
  });

  it('at creation: refused when they resolve to a forbidden address, accepted when they do not resolve', async () => {
    const url = new URL('https://name.example/');
    expect(await resolvesToForbidden(url, answering(['10.0.0.1']).lookup)).toBe(true);
    expect(await resolvesToForbidden(url, answering(['8.8.8.8']).lookup)).toBe(false);
    expect(await resolvesToForbidden(url, failing)).toBe(false);
    expect(await resolvesToForbidden(new URL('https://8.8.8.8/'), failing)).toBe(false);
  });
});

describe('the peer of a connection', () => {
  it('must be public for https, and loopback for the local inbox', () => {
    const https = new URL('https://name.example/');
    const inbox = new URL('http://127.0.0.1:8080/');
    expect(isAllowedPeer(https, '8.8.8.8')).toBe(true);
    expect([...FORBIDDEN_IPV4, ...FORBIDDEN_IPV6].filter((ip) => isAllowedPeer(https, ip))).toEqual([]);
    expect(isAllowedPeer(https, undefined)).toBe(false);
    expect(isAllowedPeer(inbox, '127.0.0.1')).toBe(true);
    expect(isAllowedPeer(inbox, '8.8.8.8')).toBe(false);
  });
});
