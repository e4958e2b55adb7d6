/** What a client may publish about itself, and what its address may do to the service. */
import type { RequestListener } from 'node:http';
import type { LookupFunction } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type DocumentFault, type FetchOptions, fetchDocument } from '#shared/agents/client-document.client.ts';
import { findClient } from '#shared/agents/find-client.ts';
import { AGENT_LIMITS } from '#shared/agents/limits.ts';
import { plantClock } from '#shared/platform/clock.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import type { Credential } from '#test/helpers/callers.ts';
import { type Application, allow, decide, newVerifier, queryOf, review } from '#test/helpers/oauth.ts';
import { sessionCookie, useSharedSecretIssuer } from '#test/helpers/sessions.ts';
import { selfSigned } from '../webhooks/certificate.ts';
import { type Receiver, startRawReceiver, startReceiver } from '../webhooks/receiver.ts';

const AT = Date.parse('2026-11-05T12:00:00.000Z');
const REDIRECT = 'https://agent.test/callback';
const running: Receiver[] = [];
let table: EngineTable;
let organizations = 0;

beforeAll(async () => {
  table = await startEngineTable();
});
beforeEach(() => {
  useSharedSecretIssuer();
  process.env.CLIENT_LOOPBACK_ALLOWED = 'true';
  plantClock(() => AT);
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.stop()));
});
afterAll(async () => {
  plantClock(undefined);
  await table.stop();
});

const later = (ms: number) => plantClock(() => AT + ms);
const started = async (starting: Promise<Receiver>): Promise<Receiver> => {
  const receiver = await starting;
  running.push(receiver);
  return receiver;
};

const idOf = ({ port }: Receiver): string => `http://127.0.0.1:${port}/client.json`;

interface Published {
  receiver: Receiver;
  id: string;
  /** Sets the document that the client publishes from now on. */
  publish(changes: object, headers?: Record<string, string>): void;
}

const published = async (): Promise<Published> => {
  let document: object = {};
  let headers: Record<string, string> = {};
  const receiver = await started(
    startReceiver((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(document));
    }),
  );
  const id = idOf(receiver);
  const publish: Published['publish'] = (changes, given = {}) => {
    document = { client_id: id, client_name: 'Agent', redirect_uris: [REDIRECT], ...changes };
    headers = given;
  };
  publish({});
  return { receiver, id, publish };
};

const aPerson = async (): Promise<Credential> => ({
  cookies: await sessionCookie(`00000000-0000-4000-8000-${String(++organizations).padStart(12, '0')}`),
});
const asking = (clientId: string): Application => ({ clientId, redirectUri: REDIRECT, verifier: newVerifier() });

const faultOf = async (url: string, options: Partial<FetchOptions> = {}): Promise<DocumentFault | 'none'> =>
  fetchDocument(url, { isLoopbackAllowed: false, ...options }).then(
    () => 'none' as const,
    ({ fault }) => fault,
  );

const leadingTo = (address: string, family: 4 | 6 = 4): LookupFunction =>
  ((_: string, __: object, callback: (error: null, found: object[]) => void) =>
    callback(null, [{ address, family }])) as unknown as LookupFunction;

describe('a client that publishes what it is', () => {
  test('is shown with its publisher, requested only by name, and requested again when its answer is old', async () => {
    const { id, receiver, publish } = await published();
    publish({ grant_types: ['authorization_code', 'refresh_token'] });
    const person = await aPerson();
    const query = queryOf(asking(id));
    const { data } = (await review(person, query)).body;
    expect(data.client).toEqual({ id, name: 'Agent', publisher: `127.0.0.1:${receiver.port}` });
    expect((await allow(person, query)).searchParams.get('code')).toMatch(/^[\w-]{43}$/);
    expect(receiver.received).toHaveLength(1);
    expect(receiver.received[0]).toMatchObject({
      method: 'GET',
      path: '/client.json',
      headers: { host: `127.0.0.1:${receiver.port}`, accept: 'application/json' },
    });
    later(AGENT_LIMITS.clientDocumentKeptMinMs);
    await review(await aPerson(), query);
    expect(receiver.received).toHaveLength(2);
  });

  test.each([
    ['', AGENT_LIMITS.clientDocumentKeptMinMs],
    ['max-age=1', AGENT_LIMITS.clientDocumentKeptMinMs],
    ['no-store', AGENT_LIMITS.clientDocumentKeptMinMs],
    ['public, max-age=3600', 3_600_000],
    ['max-age=999999999', AGENT_LIMITS.clientDocumentKeptMaxMs],
  ])('that allows %j is cached for %i ms', async (cacheControl, keptMs) => {
    const { id, receiver, publish } = await published();
    publish({}, { 'cache-control': cacheControl });
    await findClient(id);
    later(keptMs - 1);
    await findClient(id);
    expect(receiver.received).toHaveLength(1);
    later(keptMs);
    await findClient(id);
    expect(receiver.received).toHaveLength(2);
  });

  test('over TLS, with only its trusted certificate', async () => {
    const listener: RequestListener = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":1}');
    };
    const [trusted, stranger] = [selfSigned('localhost'), selfSigned('localhost')];
    setDefaultCACertificates([...getCACertificates('default'), trusted.cert]);
    const receiver = await started(startReceiver(listener, trusted));
    const urlOf = ({ port }: Receiver) => `https://localhost:${port}/client.json`;
    const anywhere = { isLoopbackAllowed: false, isAllowed: () => true };
    expect((await fetchDocument(urlOf(receiver), anywhere)).text).toBe('{"a":1}');
    expect(receiver.received[0]!.headers.host).toBe(`localhost:${receiver.port}`);
    const other = await started(startReceiver(listener, stranger));
    expect(await faultOf(urlOf(other), anywhere)).toBe('unreachable');
    expect(other.received).toEqual([]);
  });
});

test('attack 23: a document that changes between question and answer leads to a new question', async () => {
  const { id, publish } = await published();
  const person = await aPerson();
  const query = queryOf(asking(id));
  const { digest } = (await review(person, query)).body.data;
  publish({ client_name: 'Your bank' });
  later(AGENT_LIMITS.clientDocumentKeptMinMs);
  const again = await aPerson();
  const cookies = person.cookies!;
  const answer = await decide({ cookies }, { query, digest, decision: 'allow' });
  expect([answer.status, answer.body.error.code]).toEqual([409, 'authorization_changed']);
  const { data } = (await review({ cookies }, query)).body;
  expect(data.client.name).toBe('Your bank');
  expect((await decide({ cookies }, { query, digest: data.digest, decision: 'allow' })).status).toBe(200);
  // A consent request of one person is invalid for another person.
  expect((await decide(again, { query, digest: data.digest, decision: 'allow' })).status).toBe(409);
});

describe('attack 25: an address that no outsider may reach', () => {
  test.each([
    'https://127.0.0.1/client.json',
    'https://[::1]/client.json',
    'https://10.0.0.1/client.json',
    'https://169.254.169.254/latest/meta-data',
    'https://[::ffff:169.254.169.254]/client.json',
    'https://[64:ff9b::a9fe:a9fe]/client.json',
    'https://0x7f.1/client.json',
    'https://localhost/client.json',
    'http://example.com/client.json',
  ])('attack 25: %s', async (url) => {
    expect(await faultOf(url)).toBe('blocked');
  });

  test('attack 25: a name that resolves to this machine when it is used', async () => {
    const receiver = await started(startRawReceiver(() => {}));
    const url = `https://rebinding.example:${receiver.port}/client.json`;
    for (const lookup of [leadingTo('127.0.0.1'), leadingTo('::ffff:127.0.0.1', 6), leadingTo('10.0.0.1')])
      expect(await faultOf(url, { lookup })).toBe('blocked');
    expect(receiver.connections()).toBe(0);
  });

  test('attack 25: a redirect is not followed, and nothing else but 200 is a document', async () => {
    const inner = await published();
    const answers: RequestListener[] = [301, 302, 303, 307, 308, 201, 204, 401, 404, 500].map(
      (status) => (_, response) => {
        response.writeHead(status, { location: inner.id, 'content-type': 'application/json' }).end();
      },
    );
    for (const answer of answers) {
      const receiver = await started(startReceiver(answer));
      expect(await faultOf(idOf(receiver), { isLoopbackAllowed: true })).toBe('no_document');
    }
    expect(inner.receiver.received).toHaveLength(0);
  });

  test('attack 25: on a deployed stage no client is published on the machine itself', async () => {
    const { id, receiver } = await published();
    delete process.env.CLIENT_LOOPBACK_ALLOWED;
    const answer = await review(await aPerson(), queryOf(asking(id)));
    expect([answer.status, answer.body.error.code]).toEqual([422, 'validation_error']);
    expect(receiver.connections()).toBe(0);
  });
});

describe('attack 26: a body that is no client document', () => {
  const local = { isLoopbackAllowed: true, timeoutMs: 200 };

  test('attack 26: slow: at the connection, before its head, between its bytes', async () => {
    const silent = await started(startRawReceiver((socket) => socket.resume()));
    expect(await faultOf(idOf(silent), local)).toBe('too_slow');
    const dripping = await started(
      startReceiver((_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).write('{');
        const timer = setInterval(() => response.write(' '), 20);
        response.on('close', () => clearInterval(timer));
      }),
    );
    expect(await faultOf(idOf(dripping), local)).toBe('too_slow');
    const asked: LookupFunction = () => {};
    expect(await faultOf('https://slow.example/client.json', { ...local, lookup: asked })).toBe('too_slow');
  });

  test('attack 26: large, with any content-length', async () => {
    const large = await started(
      startReceiver((_, response) => {
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end('x'.repeat(AGENT_LIMITS.clientDocumentBytesMax + 1));
      }),
    );
    expect(await faultOf(idOf(large), local)).toBe('too_large');
    const endless = await started(
      startReceiver((_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const more = (): void => {
          while (!response.destroyed && response.write('x'.repeat(4_096)));
          response.once('drain', more);
        };
        more();
      }),
    );
    expect(await faultOf(idOf(endless), { ...local, timeoutMs: 2_000 })).toBe('too_large');
  });

  test('attack 26: no JSON, no HTTP, nobody there', async () => {
    const page = await started(
      startReceiver((_, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end('{}');
      }),
    );
    expect(await faultOf(idOf(page), local)).toBe('no_document');
    const nonsense = await started(startRawReceiver((socket) => socket.end('no http\r\n\r\n')));
    expect(await faultOf(idOf(nonsense), local)).toBe('unreachable');
    const hangsUp = await started(startRawReceiver((socket) => socket.destroy()));
    expect(await faultOf(idOf(hangsUp), local)).toBe('unreachable');
    const upgrading = await started(
      startRawReceiver((socket) =>
        socket.once('data', () => socket.end('HTTP/1.1 101 Other\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n')),
      ),
    );
    expect(await faultOf(idOf(upgrading), local)).toBe('no_document');
    const gone = await startReceiver(() => {});
    await gone.stop();
    expect(await faultOf(idOf(gone), local)).toBe('unreachable');
  });

  test('attack 26: of another id: refused on the page, and not requested again for a minute', async () => {
    const { id, receiver, publish } = await published();
    publish({ client_id: 'https://claude.ai/oauth/client.json' });
    const person = await aPerson();
    const query = queryOf(asking(id));
    const answer = await review(person, query);
    expect([answer.status, answer.body.error.code]).toEqual([422, 'validation_error']);
    expect(answer.body.error.message).toBe(
      'query: client_id leads to no document of this client (client_id is not the address of the document)',
    );
    later(AGENT_LIMITS.clientDocumentFailedMs - 1);
    await review(person, query);
    expect(receiver.received).toHaveLength(1);
    publish({});
    later(AGENT_LIMITS.clientDocumentFailedMs);
    expect((await review(person, query)).status).toBe(200);
  });
});
