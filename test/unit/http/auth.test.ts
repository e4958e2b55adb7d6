import { SignJWT } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import { authenticate, bearerToken } from '#shared/http/request/auth.ts';
import { sessionToken, useSharedSecretIssuer } from '#test/helpers/sessions.ts';

const ORGANIZATION = 'AAAAAAAA-1111-4111-8111-111111111111';
const TOKEN = `svc_sk_${'a'.repeat(43)}`;
const GET = { auth: 'read', method: 'GET' } as const;
const POST = { auth: 'session', method: 'POST' } as const;

beforeEach(useSharedSecretIssuer);

const withCookie = async (claims = {}, headers = {}) => ({
  headers,
  cookies: ['theme=dark', `sb-access-token=${await sessionToken({ organizationId: ORGANIZATION, ...claims })}`],
});

test.each([
  [`Bearer ${TOKEN}`, TOKEN],
  [`bearer  ${TOKEN} `, TOKEN],
  [`Bearer svc_at_${'-_'.repeat(21)}x`, `svc_at_${'-_'.repeat(21)}x`],
])('%j holds a token', (header, token) => {
  expect(bearerToken(header)).toBe(token);
});

test.each([
  '',
  'Bearer',
  'Bearer ',
  TOKEN,
  `Basic ${TOKEN}`,
  `Bearer ${TOKEN},Bearer ${TOKEN}`,
  `Bearer ${TOKEN} x`,
  `Bearer ${TOKEN}a`,
  `Bearer ${TOKEN.slice(0, -1)}`,
  `Bearer svc_xx_${'a'.repeat(43)}`,
  `Bearer svc_sk_${'='.repeat(43)}`,
  'Bearer eyJhbGciOiJub25lIn0.e30.',
])('%j has no session: 401, also next to a valid cookie', async (authorization) => {
  expect(bearerToken(authorization)).toBeUndefined();
  await expect(authenticate(GET, await withCookie({}, { authorization }))).rejects.toMatchObject({ status: 401 });
});

test('no credential at all: 401; where anyone may call, nothing is looked at', async () => {
  await expect(authenticate(GET, { headers: {} })).rejects.toMatchObject({ status: 401, code: 'unauthorized' });
  const event = { headers: { authorization: 'nonsense' }, cookies: ['sb-access-token=x'] };
  expect(await authenticate({ auth: 'public', method: 'GET' }, event)).toBeNull();
});

test.each([
  [{}, 'A credential is needed. Send an API key as `Authorization: Bearer svc_sk_…`, or the session in the cookie'],
  [{ authorization: TOKEN }, 'The word Bearer is missing before the key.'],
  [{ authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' }, 'A session token is not an API key: it belongs in the cookie'],
  [{ authorization: 'eyJhbGciOiJub25lIn0.e30.c2ln' }, 'A session token is not an API key'],
  [{ authorization: `Bearer ${TOKEN}a` }, 'The token is invalid, revoked or expired. Send an API key as'],
  [{ authorization: 'Basic eDp5' }, 'The token is invalid, revoked or expired. Send an API key as'],
])('%j learns the way in, and nothing of what was sent', async (headers: Record<string, string>, words) => {
  const refused = authenticate(GET, { headers });
  await expect(refused).rejects.toThrow(words);
  const said = await refused.catch(({ message }) => message);
  for (const sent of Object.values(headers)) expect(said).not.toContain(sent.split(' ').at(-1));
});

test('a session names organization, in lower case, and subject', async () => {
  expect(await authenticate(GET, await withCookie())).toEqual({
    organizationId: ORGANIZATION.toLowerCase(),
    kind: 'session',
    id: 'user-1',
  });
});

const OTHER = 'BBBBBBBB-2222-4222-8222-222222222222';

describe('a cookie that another host of the domain planted', () => {
  const HOST = '__Host-sb-access-token';
  const cookieFor = async (organizationId: string, name = 'sb-access-token') =>
    `${name}=${await sessionToken({ organizationId })}`;

  test('does not decide where the host itself set one, whatever the order', async () => {
    const [own, planted] = [await cookieFor(ORGANIZATION, HOST), await cookieFor(OTHER)];
    for (const cookies of [
      [planted, own],
      [own, planted],
      [`${planted}; ${own}`],
      ['sb-access-token=junk', own, planted],
    ])
      expect(await authenticate(GET, { headers: {}, cookies })).toMatchObject({
        organizationId: ORGANIZATION.toLowerCase(),
      });
  });

  test('does not take the place of a session that is over or closed', async () => {
    const planted = await cookieFor(OTHER);
    for (const own of [`${HOST}=`, `${HOST}=${await sessionToken({ organizationId: ORGANIZATION, expiresIn: -1 })}`])
      await expect(authenticate(GET, { headers: {}, cookies: [planted, own] })).rejects.toThrow('invalid or expired');
  });

  test('next to another one of its name is refused with the reason; an equal one is not', async () => {
    const [own, planted] = [await cookieFor(ORGANIZATION), await cookieFor(OTHER)];
    const sent = (...cookies: string[]) => authenticate(GET, { headers: {}, cookies });
    await expect(sent(planted, own)).rejects.toThrow(
      'The cookie sb-access-token was sent with different values. Sign in again.',
    );
    await expect(sent(planted, own)).rejects.toMatchObject({ code: 'unauthorized' });
    expect(await sent(own, own)).toMatchObject({ organizationId: ORGANIZATION.toLowerCase() });
  });
});

test.each([[7], [{}], [['user-1']], [''], [' '], [null], [undefined]])(
  'a session whose person is %j names none',
  async (subject) => {
    expect(await authenticate(GET, await withCookie({ subject }))).toMatchObject({ kind: 'session', id: null });
  },
);

test.each([
  ['another secret', { secret: 'another-secret-of-at-least-32-bytes!' }],
  ['another issuer', { issuer: 'https://evil.test' }],
  ['another audience', { audience: 'anon' }],
  ['expired', { expiresIn: -1 }],
  ['another algorithm', { algorithm: 'HS512' }],
])('a session with %s: 401', async (_, claims) => {
  await expect(authenticate(GET, await withCookie(claims))).rejects.toMatchObject({ code: 'unauthorized' });
});

test.each(['', 'x', 'a.b.c', 'eyJhbGciOiJub25lIn0.e30.', '..', '%00'])('cookie %j: 401', async (value) => {
  const event = { headers: {}, cookies: [`sb-access-token=${value}`] };
  await expect(authenticate(GET, event)).rejects.toMatchObject({ code: 'unauthorized' });
});

test('a session without expiry: 401', async () => {
  const eternal = await new SignJWT({ app_metadata: { organization_id: ORGANIZATION } })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer('https://issuer.test')
    .setAudience('authenticated')
    .sign(new TextEncoder().encode('a-secret-of-at-least-32-bytes-for-tests'));
  const event = { headers: {}, cookies: [`sb-access-token=${eternal}`] };
  await expect(authenticate(GET, event)).rejects.toMatchObject({ code: 'unauthorized' });
});

test.each([[undefined], ['not-a-uuid']])('a session of organization %j: 403', async (organizationId) => {
  await expect(authenticate(GET, await withCookie({ organizationId }))).rejects.toMatchObject({
    code: 'forbidden',
  });
});

test.each([
  [{ origin: 'https://evil.test' }],
  [{ origin: 'null' }],
  [{ origin: 'https://app.test.evil.test' }],
  [{ 'sec-fetch-site': 'cross-site' }],
  [{ 'sec-fetch-site': 'same-site' }],
  [{ origin: 'https://app.test', 'sec-fetch-site': 'cross-site' }],
  [{ origin: 'https://evil.test', 'sec-fetch-site': 'none' }],
  [{ origin: 'https://evil.test', 'sec-fetch-site': '' }],
  [{ origin: 'https://evil.test', 'sec-fetch-site': 'same-origin, cross-site' }],
  // The stage configures its origins: a page on another origin is foreign, even with a `same-origin` header.
  [{ origin: 'https://d111.cloudfront.test', 'sec-fetch-site': 'same-origin' }],
])('an unsafe method from a foreign page (%j): 403', async (headers) => {
  await expect(authenticate(POST, await withCookie({}, headers))).rejects.toMatchObject({ status: 403 });
  // A foreign page cannot read the answer of a safe one.
  await expect(authenticate(GET, await withCookie({}, headers))).resolves.toMatchObject({ kind: 'session' });
});

test.each([
  [{}],
  [{ origin: 'https://app.test' }],
  [{ 'sec-fetch-site': 'same-origin' }],
  [{ 'sec-fetch-site': 'none' }],
])('an unsafe method from our own page or a script (%j) passes', async (headers) => {
  await expect(authenticate(POST, await withCookie({}, headers))).resolves.toMatchObject({ kind: 'session' });
});

describe('on a stage whose public origin is the page itself, on any address', () => {
  beforeEach(() => {
    process.env.PUBLIC_ORIGINS = 'self';
  });

  test('its unsafe methods pass by the word of the browser', async () => {
    const headers = { origin: 'https://d111.cloudfront.test', 'sec-fetch-site': 'same-origin' };
    await expect(authenticate(POST, await withCookie({}, headers))).resolves.toMatchObject({ kind: 'session' });
  });

  test.each([
    [{ origin: 'https://evil.test' }],
    [{ origin: 'self' }],
    [{ origin: 'https://evil.test', 'sec-fetch-site': 'none' }],
    [{ origin: 'https://evil.test', 'sec-fetch-site': 'same-site' }],
    [{ origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }],
    [{ origin: 'https://evil.test', 'sec-fetch-site': 'same-origin, cross-site' }],
  ])('those of a foreign page (%j) do not: 403', async (headers) => {
    await expect(authenticate(POST, await withCookie({}, headers))).rejects.toMatchObject({ status: 403 });
  });
});

test('a bad session is reported before a foreign page: 401', async () => {
  const event = await withCookie({ expiresIn: -1 }, { origin: 'https://evil.test' });
  await expect(authenticate(POST, event)).rejects.toMatchObject({ code: 'unauthorized' });
});
