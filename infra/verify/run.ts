/**
 * `npm run verify:deploy`: bootstraps and deploys the stacks, unmodified, to an emulator of AWS on loopback, runs stories
 * over the deployed HTTP API with the sandbox institutions, deploys again without a change, and takes all of it down.
 * A line `skipped: …` and 0 where the emulator cannot be installed; 1 when anything failed.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from '#infra/bundle.ts';
import { createClock } from '#infra/local/clock.ts';
import { developmentIssuer } from '#infra/local/overlay.ts';
import { findSandboxes, startSandboxes } from '#infra/local/sandboxes.ts';
import { seed } from '#infra/local/seed.ts';
import { destroyStage } from '#infra/operations/destroy-stage.ts';
import { installedOrSkipped } from '#infra/python/venv.ts';
import { cdkOn } from './cdk.ts';
import { countFunctions, deployedEnvironment, hasParameter, putSecureString, whatIsLeft } from './deployed.ts';
import { readDistribution } from './distribution.ts';
import { letReadWithoutTls, openEdge } from './edge.ts';
import { startEmulator } from './emulator.ts';
import { emulatorStage, SESSION_SECRET_PARAMETER } from './emulator-stage.ts';
import { fillBucket } from './fill-bucket.ts';
import { openFront } from './front.ts';
import { lintTemplates } from './lint.ts';
import { refuseElsewhere } from './loopback.ts';

const ROOT = join(import.meta.dirname, '../..');
const SOURCES = join(ROOT, 'shared/sources');
/** One after the other, in this order: they share one organization, and the first counts its logins. */
const STORIES = ['test/stories/an-integrator-', 'test/outside/typed-client', 'test/deployed'];
const PROJECTS = ['stories', 'outside', 'deployed'].flatMap((name) => ['--project', name]);

/** More than two lists of S3. */
const OBJECTS_LEFT = 2_500;

const say = (what: string, told: string): void => console.log(`${what.padEnd(14)} ${told}`);

/** Whatever fails ends the run, but never without what was begun being taken down. */
const closers: (() => Promise<unknown>)[] = [];
const opened = <T extends { close(): Promise<unknown> | unknown }>(it: T): T => {
  closers.push(async () => it.close());
  return it;
};

const program = async (args: string[], environment: Record<string, string>): Promise<void> => {
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...environment } });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`);
};

const verify = async (programs: string, folder: string): Promise<void> => {
  await bundle();
  say('cfn-lint', `${await lintTemplates(programs, folder)} templates without a finding`);
  const clock = opened(createClock(join(folder, 'clock.json')));
  const sandboxes = opened(await startSandboxes(findSandboxes(SOURCES, {}), clock));
  const urls = Object.fromEntries(Object.entries(sandboxes.running).map(([code, { url }]) => [code, url]));
  for (const [code, url] of Object.entries(urls)) refuseElsewhere(code, url);

  const emulator = opened(await startEmulator(programs, folder));
  const secret = randomBytes(32).toString('base64url');
  await putSecureString(emulator, SESSION_SECRET_PARAMETER, secret);
  const cdk = cdkOn(emulator, urls, folder);
  await cdk.bootstrap();
  const { outputs } = await cdk.deploy();
  const stacks = Object.keys(outputs);
  say('deployed', `${await countFunctions(emulator)} functions, outputs of ${stacks.join(', ')}`);

  const output = (name: string): string => Object.values(outputs).find((named) => named[name] !== undefined)![name]!;
  const apiUrl = output('ApiUrl');
  const front = opened(await openFront(apiUrl, emulator.endpoint));
  const deployed = await deployedEnvironment(emulator);
  const file = await seed({
    dataFolder: folder,
    apiUrl: front.url,
    inbox: front.inbox,
    inboxUrl: `${front.url}/_local/inbox`,
    issuer: developmentIssuer(secret),
    sandboxes: sandboxes.running,
    environment: deployed,
  });
  const distribution = await readDistribution(emulator.endpoint, output('DashboardUrl'));
  await letReadWithoutTls(emulator.endpoint, distribution);
  const edge = opened(await openEdge(emulator.endpoint, distribution, apiUrl));
  say('dashboard', `${output('DashboardUrl')}, here ${edge.url}`);
  say('stories', STORIES.join(' '));
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const environment = {
    STACK_FILE: join(folder, 'stack.json'),
    SANDBOX_HOST: new URL(output('SandboxUrl')).host,
    EDGE: edge.url,
    DASHBOARD_HOST: distribution.host,
    DASHBOARD_BUCKET: distribution.bucket,
    GATEWAY: emulator.endpoint,
  };
  for (const story of STORIES) await program([vitest, 'run', '--reporter=default', ...PROJECTS, story], environment);
  await program(['infra/local/demo.ts', '--all'], { DATA_DIR: folder });
  await program(['infra/local/demo.ts', '--api', file.api], { DEMO_SESSION: file.session });
  say('stories', `passed over ${file.api}`);

  const again = await cdk.deploy();
  if (again.unchanged.length === 0 || again.unchanged.length < stacks.length)
    throw new Error(`a second deploy changed something: without changes are only ${again.unchanged.join(', ')}`);
  say('again', `${again.unchanged.length} stacks without changes`);
  await fillBucket(emulator, deployed.RAW_BUCKET_NAME!, OBJECTS_LEFT);
  const kept = await destroyStage(emulatorStage(urls), {
    cdk: cdk.run,
    hasParameter: (name) => hasParameter(emulator, name),
  });
  if (!kept.some((line) => line.includes(SESSION_SECRET_PARAMETER)))
    throw new Error(`of what is left nobody named the parameter ${SESSION_SECRET_PARAMETER}`);
  const left = await whatIsLeft(emulator);
  if (left.length > 0) throw new Error(`after the stacks were destroyed there are still ${left.join(', ')}`);
  say('destroyed', `with ${OBJECTS_LEFT} objects and more; nothing is left but ${kept[0]}`);
};

refuseElsewhere('AWS_ENDPOINT_URL', process.env.AWS_ENDPOINT_URL ?? 'http://127.0.0.1');
const programs = await installedOrSkipped('.venv-emulator', join(import.meta.dirname, 'requirements.txt'));
const folder = mkdtempSync(join(tmpdir(), 'verify-deploy-'));
try {
  await verify(programs, folder);
  say('verify', `passed in ${Math.round(performance.now() / 1000)} s`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  say('verify', 'FAILED');
  process.exitCode = 1;
} finally {
  for (const close of closers.reverse()) await close();
  if (process.exitCode) say('kept', folder);
  else rmSync(folder, { recursive: true, force: true });
}
