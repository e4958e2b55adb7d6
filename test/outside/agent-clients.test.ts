/** Third-party clients, from only the address to a tool's answer, without configuration: each asks the person. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { buildResourceUrl } from '#shared/agents/addresses.ts';
import { LISTED_TOOLS } from '#shared/mcp/listed-tool.ts';
import { temporaryFolder } from '#test/helpers/e2e-child.ts';
import { useStack } from '#test/helpers/e2e-stack.ts';
import { freePort } from '#test/helpers/free-port.ts';
import { CannotHave, runProgram } from '#tools/clients/run-program.ts';
import { allowWith, connectApplication } from '#tools/local/demo/agent-application.ts';
import { installProgram } from '#tools/programs/install-program.ts';
import { PROGRAMS } from '#tools/programs/programs.ts';
import { runApplication } from '#tools/programs/run-application.ts';
import { installed } from '#tools/python/venv.ts';

const ROOT = join(import.meta.dirname, '../..');
const INSPECTOR = { name: '@modelcontextprotocol/inspector', version: '2.12.0' };
const TOOLS = LISTED_TOOLS.map(({ name }) => name);

const stage = useStack({}, async () => {});
let origin: string;
beforeAll(() => {
  origin = new URL(stage.api.file.api).origin;
});
const person = () => allowWith(stage.api.file);
const grants = async (): Promise<{ client_name: string; status: string; last_used_at: string | null }[]> =>
  (await stage.api.must(200, 'GET', '/oauth/grants', { as: 'session' })).data;

test.each(['auto', 'legacy'] as const)('@modelcontextprotocol/client, %s', async (mode) => {
  const { client, name } = await connectApplication(origin, person(), mode);
  expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(TOOLS);
  const { structuredContent } = await client.callTool({ name: 'whoami', arguments: {} });
  expect(structuredContent).toMatchObject({
    organization_id: stage.api.file.organization_id,
    client: name,
    credential: 'access-token',
    expires_at: expect.any(String),
  });
  await client.close();
  expect(await grants()).toContainEqual(expect.objectContaining({ client_name: name, status: 'active' }));
});

test.for(['auto', 'legacy'])('mcp of PyPI, %s', async (mode, { skip }) => {
  const { programs, reason } = await installed('.venv-agents', join(import.meta.dirname, 'clients/requirements.txt'));
  if (programs === undefined) return skip(reason);
  const printed = await runApplication(
    {
      program: join(programs, 'python'),
      args: [join(import.meta.dirname, 'clients/agent.py'), buildResourceUrl(origin), mode],
      hears: 'stdin',
    },
    person(),
  );
  const answer = JSON.parse(/^answer (.+)$/m.exec(printed)![1]!);
  expect(answer.tools).toEqual(TOOLS);
  expect(answer.whoami).toMatchObject({ organization_id: stage.api.file.organization_id, client: 'Python agent' });
  expect(await grants()).toContainEqual(expect.objectContaining({ client_name: 'Python agent', status: 'active' }));
});

/** Downloaded once, without its native parts, which store secrets in a keychain. */
const inspector = async (): Promise<string> => {
  const folder = join(ROOT, '.venv-inspector', INSPECTOR.version);
  const program = join(folder, 'node_modules', INSPECTOR.name, 'clients/launcher/build/index.js');
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  const dependencies = { [INSPECTOR.name]: INSPECTOR.version };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
  const args = ['install', '--no-audit', '--no-fund', '--omit=optional', '--ignore-scripts', '--loglevel=error'];
  await runProgram({ program: 'npm', args, cwd: folder });
  return program;
};

test.for(['legacy', 'modern'])('the command line of the MCP Inspector, %s', async (era, { skip }) => {
  const program = await inspector().catch((error: Error) =>
    skip(`the npm registry has not what is needed: ${error.message}`),
  );
  const before = await grants();
  const callback = `http://127.0.0.1:${await freePort()}/oauth/callback`;
  const printed = await runApplication(
    {
      program: process.execPath,
      args: [
        program,
        '--cli',
        buildResourceUrl(origin),
        ...['--transport', 'http', '--protocol-era', era, '--format', 'json', '--callback-url', callback],
        ...['--method', 'tools/call', '--tool-name', 'whoami'],
      ],
      // The client reads and writes nothing of the user who runs the test; it prints the address when it finds no
      // browser.
      environment: { HOME: temporaryFolder(), PATH: '/nonexistent', MCP_AUTO_OPEN_ENABLED: 'true', VITEST: '' },
      hears: 'listens',
    },
    person(),
  );
  expect(printed).toContain(stage.api.file.organization_id);
  expect(await grants()).toHaveLength(before.length + 1);
});

test('the AI SDK makes tools of all of ours and calls one; `npm run programs` has the other libraries', async ({
  skip,
}) => {
  const startable = await installProgram(PROGRAMS.find(({ name }) => name === 'ai')!).catch((error: Error) => {
    if (error instanceof CannotHave) return skip(error.message);
    throw error;
  });
  const environment = {
    ADDRESS: buildResourceUrl(origin),
    TOKEN: stage.api.file.access_token,
    CONNECTION: '01890000-0000-7000-8000-000000000001',
  };
  const printed = await runProgram({ ...startable, environment });
  const { tools, called } = JSON.parse(/^answer (.+)$/m.exec(printed)![1]!);
  expect(tools).toEqual(TOOLS.toSorted());
  expect(called).toContain('connection_not_found');
});
