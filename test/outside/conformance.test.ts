/**
 * The MCP endpoint against the protocol's own conformance suite, in both revisions; docs/mcp-conformance.md is its
 * report.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AGENT_PATHS, buildResourceUrl } from '#shared/agents/addresses.ts';
import type { ProtocolAnswer } from '#shared/http/protocol-endpoint.ts';
import { mcpAdapter } from '#shared/mcp/mcp-adapter.ts';
import { type AdapterServer, serveAdapter } from '#test/helpers/adapter-server.ts';
import { useStack } from '#test/helpers/e2e-stack.ts';
import { freePort } from '#test/helpers/free-port.ts';
import { CHROMIUM } from '../browser/chromium.ts';
import { stories, useBrowser } from '../browser/use-browser.ts';
import { EXCEPTIONS, type Served } from './conformance/exceptions.ts';
import { conformanceFixture } from './conformance/fixture.ts';
import { authorizationPart, partsOf, type Reported, reportPage } from './conformance/report.ts';
import { installSuite, runAuthorizationSuite, runSuite } from './conformance/run-suite.ts';

const PAGE = join(import.meta.dirname, '../../docs/mcp-conformance.md');
const REVISIONS = ['2025-11-25', '2026-07-28'] as const;
const INSTALL_TIMEOUT_MS = 300_000;

let installed: Awaited<ReturnType<typeof installSuite>>;
beforeAll(async () => {
  installed = await installSuite();
}, INSTALL_TIMEOUT_MS);

const stage = useStack({}, async () => {});
const servers: AdapterServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.stop())));

const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1):(?<port>\d+)$/;

/** The stack's own address, with its access token. The proxy's origin counts as one of the stack's. */
const proxied = async (): Promise<AdapterServer> => {
  const { origin } = new URL(stage.api.file.api);
  const server: AdapterServer = await serveAdapter(async ({ headers, body }): Promise<ProtocolAnswer> => {
    const sent = Object.entries(headers).filter(([name]) => !['host', 'connection', 'content-length'].includes(name));
    const page = headers.origin;
    const isOwn = page !== undefined && LOOPBACK.exec(page)?.groups?.port === new URL(server.url).port;
    const answer = await fetch(`${origin}${AGENT_PATHS.mcp}`, {
      method: 'POST',
      headers: {
        ...(Object.fromEntries(sent) as Record<string, string>),
        ...(page === undefined ? {} : { origin: isOwn ? origin : page }),
        authorization: `Bearer ${stage.api.file.access_token}`,
      },
      body: Buffer.from(body),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      headers: { 'content-type': answer.headers.get('content-type') ?? 'text/plain' },
      body: text === '' ? undefined : text,
    };
  });
  return server;
};

const fixture = (): Promise<AdapterServer> => {
  const adapter = mcpAdapter(conformanceFixture);
  return serveAdapter(async (request) => {
    const { origin } = request.headers;
    // Refuses requests from other origins, as the endpoint does before its adapter.
    return origin === undefined || LOOPBACK.test(origin) ? adapter(request) : { status: 403, body: {} };
  });
};

const report = (part: 'protocol' | 'authorization', text: string): void => {
  const parts: ReturnType<typeof partsOf> = { ...partsOf(readFileSync(PAGE, 'utf8')), [part]: text };
  if (process.env.CONFORMANCE === 'write')
    writeFileSync(PAGE, [parts.protocol, parts.authorization, parts.programs].join('\n'));
  expect(partsOf(readFileSync(PAGE, 'utf8'))[part]).toBe(text);
};

const SERVE: Readonly<Record<Served, () => Promise<AdapterServer>>> = { product: proxied, fixture };

test('the proxy reaches the endpoint in the name of the organization', async () => {
  const server = await proxied();
  servers.push(server);
  const answer = await fetch(server.url, {
    method: 'POST',
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'whoami', arguments: {} } }),
  });
  expect(await answer.text()).toContain(stage.api.file.organization_id);
  // The suite's own requests are not recorded: the stage searches this answer for secrets.
  expect(await stage.api.get('/connections')).toEqual([]);
});

test('both revisions hold, but for what is left out by name', async ({ skip }) => {
  const { suite, reason } = installed;
  if (suite === undefined) return skip(reason);
  const reported: Reported[] = [];
  for (const served of ['product', 'fixture'] as const) {
    const server = await SERVE[served]();
    servers.push(server);
    for (const revision of REVISIONS) {
      const exceptions = EXCEPTIONS[served][revision]!;
      const { code, output, scenarios } = await runSuite(suite, server.url, revision, exceptions);
      expect(code, output).toBe(0);
      const ran = new Set(scenarios.map(({ name }) => name));
      // Finds exceptions of scenarios that no longer exist.
      expect(exceptions.filter(({ entry }) => !ran.has(entry.split(':')[0]!))).toEqual([]);
      expect(ran.size).toBeGreaterThan(30);
      reported.push({ served, revision, scenarios, exceptions });
    }
  }
  report('protocol', reportPage(suite.version, reported));
});

stories('the authorization server', () => {
  const web = useBrowser(stage);

  test('holds both scenarios, with the question answered by a person', async ({ skip }) => {
    const { suite, reason } = installed;
    if (suite === undefined) return skip(reason);
    const issuer = new URL(stage.api.file.api).origin;
    const registration = { client_name: 'Conformance suite', redirect_uris: ['http://127.0.0.1/callback'] };
    const registered = await fetch(`${stage.api.file.api}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(registration),
    });
    const { client_id: clientId } = (await registered.json()) as { client_id: string };
    const port = await freePort();
    web.expects(`asks http://127.0.0.1:${port}`);
    // The suite's callback page has no icon.
    web.expects('status of 404');
    const target = { issuer, clientId, resource: buildResourceUrl(issuer), port };
    const { code, output, scenarios } = await runAuthorizationSuite(suite, target, async (address) => {
      const page = await web.signedIn(address);
      await page.getByText(`«${registration.client_name}» pide leer`).waitFor();
      await page.getByRole('button', { name: 'Permitir', exact: true }).click();
      await page.getByText('OK. You can close this page.').waitFor();
    });
    expect(code, output).toBe(0);
    expect(scenarios.map(({ name }) => name)).toEqual([
      'authorization-code-grant',
      'authorization-server-metadata-endpoint',
    ]);
    expect(scenarios.flatMap(({ checks }) => checks).filter(({ status }) => status !== 'SUCCESS')).toEqual([]);
    report('authorization', authorizationPart(scenarios));
  });
});

test('a browser is there in continuous integration', () => {
  expect(process.env.CI !== 'true' || CHROMIUM !== null).toBe(true);
});
