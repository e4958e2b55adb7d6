/** Another server that follows tax.md where it leaves freedom: the adapter was not written against it. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RcvRow } from '#shared/scopes/tax-rcv.ts';
import { source } from '#shared/sources/tax/source.ts';
import {
  OTHER_CREDENTIALS,
  OTHER_PERIOD,
  type OtherTaxServer,
  startOtherTaxServer,
} from '#test/fakes/other-tax-server.ts';
import { createAsk, createClock, createIo } from './ask.ts';

const CREDENTIALS = OTHER_CREDENTIALS;
const REQUEST = { scope: 'rcv', period: OTHER_PERIOD, credentials: CREDENTIALS, metadata: {}, input: {} };

let server: OtherTaxServer;

beforeEach(async () => {
  server = await startOtherTaxServer();
});
afterEach(() => server.close());

/** A load balancer that sends 100 before each answer to a POST. */
const startContinuingProxy = async (target: string): Promise<{ url: string; continued: string[]; close(): void }> => {
  const continued: string[] = [];
  const proxy = createServer((caller) => {
    const origin = connect(Number(new URL(target).port), '127.0.0.1');
    origin.on('error', () => caller.destroy()).pipe(caller);
    caller.on('error', () => origin.destroy()).on('close', () => origin.destroy());
    caller.on('data', (request: Buffer) => {
      const [, path] = /^POST (\S+)/.exec(request.toString('latin1')) ?? [];
      if (path !== undefined) {
        continued.push(path);
        caller.write('HTTP/1.1 100 Continue\r\n\r\n');
      }
      origin.write(request);
    });
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, continued, close: () => proxy.close() };
};

test('a proxy that sends 100 before each answer to a POST changes nothing', async () => {
  const proxy = await startContinuingProxy(server.url);
  const io = createIo(proxy.url, createClock());
  const session = await source.connect({ credentials: CREDENTIALS, metadata: {} }, io);
  const { ask, kept } = createAsk();
  await source.pull(REQUEST, { session, ask, io, progress: () => {} });
  await source.disconnect(session, io);
  proxy.close();
  expect(proxy.continued).toContain('/cgi_AUT2000/CAutInicio.cgi');
  expect(kept.size).toBeGreaterThanOrEqual(4);
});

test('login, details and file of another server are read as well', async () => {
  const { url, calls } = server;
  const io = createIo(url, createClock());
  const session = await source.connect({ credentials: CREDENTIALS, metadata: {} }, io);
  expect(server.form).toMatchObject({ rut: '11111111', dv: '1', clave: CREDENTIALS.password, '411': '' });
  const { ask, kept, fetched } = createAsk();
  await source.pull(REQUEST, { session, ask, io, progress: () => {} });
  await source.disconnect(session, io);
  expect(calls.at(-1)).toBe('/cgi_AUT2000/autTermino.cgi');
  expect(calls.filter((path) => path.endsWith('CAutInicio.cgi'))).toHaveLength(1);
  expect(fetched.slice(-4)).toEqual([
    'sales/REGISTRO/summary',
    'sales/REGISTRO/33',
    'sales/REGISTRO/34',
    'sales/REGISTRO/34/file',
  ]);
  const parsed = [
    ...source.parse({ scope: 'rcv', period: OTHER_PERIOD, credentials: CREDENTIALS }, [...kept.values()]),
  ];
  const rows = parsed.flatMap((item) => ('row' in item ? [item.row.row as RcvRow] : []));
  // Its rows have the keys that two or more clients saw, and only some of the others.
  expect(parsed.flatMap((item) => ('notice' in item ? [item.notice.code] : []))).toEqual(['tax.rcv.columns_missing']);
  expect(rows.map((row) => [row.document_type, row.folio, row.net_amount])).toEqual([
    ['33', '1', '100'],
    ['33', '2', '100'],
    ['34', '11', '1000'],
    ['34', '12', '1000'],
    ['34', '13', '1000'],
  ]);
  expect(rows.at(-1)).toMatchObject({ receiver_name: 'CLIENTE ÑUÑOA', received_at: undefined, exempt_amount: '0' });
});

test('a login whose app does not start is left again', async () => {
  server.appStatus = 503;
  const failure = await source.connect({ credentials: CREDENTIALS, metadata: {} }, createIo(server.url)).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({ code: 'source.unavailable' });
  expect(server.calls.at(-1)).toBe('/cgi_AUT2000/autTermino.cgi');
});
