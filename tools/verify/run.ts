/**
 * `npm run verify:deploy`: bootstraps and deploys the unmodified stacks to an emulator of AWS on loopback, and runs
 * stories over the deployed HTTP API with the sandbox institutions. After the stories it deploys again without a
 * change, deploys a build that does not answer and checks the rollback, restores the table, and destroys everything. A
 * second emulator then rehearses the first deploy of a stage that retains its data.
 * The exit code is 1 when anything failed; it is 0, with a line `skipped: …`, when the emulator cannot be installed.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { bundle } from '#infra/bundle.ts';
import { tableName } from '#infra/names.ts';
import type { Stage } from '#infra/stages.ts';
import { buildDashboard } from '#infra/web/build.ts';
import { createClock } from '#tools/local/clock.ts';
import { developmentIssuer } from '#tools/local/overlay.ts';
import { findSandboxes, type RunningSandbox, startSandboxes } from '#tools/local/sandboxes.ts';
import { seed } from '#tools/local/seed.ts';
import type { StackFile } from '#tools/local/stack-file.ts';
import { checkConcurrency } from '#tools/operations/account-concurrency.ts';
import { destroyStage } from '#tools/operations/destroy-stage.ts';
import { readLastChanges } from '#tools/operations/last-changes.ts';
import { installedOrSkipped } from '#tools/python/venv.ts';
import { plantBrokenBuild } from './broken-build.ts';
import { type Cdk, cdkOn } from './cdk.ts';
import { deployedCode, deployedEnvironment, hasParameter, putSecureString, whatIsLeft } from './deployed.ts';
import { type EmulatedStage, emulatedStage } from './emulated-stage.ts';
import { ACCOUNT, type Emulator, REGION, startEmulator } from './emulator.ts';
import { emulatorStage, SESSION_SECRET_PARAMETER } from './emulator-stage.ts';
import { fillBucket } from './fill-bucket.ts';
import { rehearseFirstDeploy } from './first-deploy.ts';
import { lintTemplates } from './lint.ts';
import { refuseElsewhere } from './loopback.ts';
import { drillRestore } from './restore-drill.ts';

const ROOT = join(import.meta.dirname, '../..');
const SOURCES = join(ROOT, 'shared/sources');
/**
 * The stories run one after the other in this order, because they share one organization and the first story counts the
 * organization's logins.
 */
const STORIES = ['test/stories/an-integrator-', 'test/outside/typed-client', 'test/deployed'];
const PROJECTS = ['stories', 'outside', 'deployed'].flatMap((name) => ['--project', name]);

/** Number of objects in the bucket when the stage is deleted. It is larger than two pages of an S3 list. */
const OBJECTS_LEFT = 2_500;

const seconds = (): number => Math.round(performance.now() / 1000);
const say = (what: string, told: string): void => console.log(`${what.padEnd(14)} ${told} [${seconds()} s]`);

/** Functions that close everything that was started. They also run when the run fails. */
const closers: (() => Promise<unknown>)[] = [];
const opened = <T extends { close(): Promise<unknown> | unknown }>(it: T): T => {
  closers.push(async () => it.close());
  return it;
};

/** Parts of the run: an emulator, institutions, and the stage on the emulator. */
interface VerifyWorld {
  emulator: Emulator;
  sandboxes: Readonly<Record<string, RunningSandbox>>;
  cdk: Cdk;
  stage: EmulatedStage;
  /** Returns the stage's settings with the given generation of the table. */
  settings(tableGeneration: number): Stage;
  /** Secret with which sessions are signed. */
  secret: string;
  folder: string;
}

const program = async (args: string[], environment: Record<string, string>): Promise<void> => {
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...environment } });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`);
};

const startWorld = async (programs: string, folder: string): Promise<VerifyWorld> => {
  const clock = opened(createClock(join(folder, 'clock.json')));
  const { running: sandboxes } = opened(await startSandboxes(findSandboxes(SOURCES, {}), clock));
  const urls = Object.fromEntries(Object.entries(sandboxes).map(([code, { url }]) => [code, url]));
  for (const [code, url] of Object.entries(urls)) refuseElsewhere(code, url);

  const emulator = opened(await startEmulator(programs, folder));
  // This process needs the emulator's environment, because it also runs the operator's commands.
  Object.assign(process.env, emulator.environment);
  const secret = randomBytes(32).toString('base64url');
  await putSecureString(emulator, SESSION_SECRET_PARAMETER, secret);
  const cdk = cdkOn(emulator, urls, folder);
  await cdk.run(['bootstrap', `aws://${ACCOUNT}/${REGION}`]);
  const stage = opened(emulatedStage(cdk, emulator.endpoint, folder));
  return {
    emulator,
    sandboxes,
    cdk,
    stage,
    settings: (tableGeneration) => emulatorStage(urls, { tableGeneration }),
    secret,
    folder,
  };
};

const mustEnd = (told: readonly string[], outcome: string, wanted: string): void => {
  if (outcome !== wanted) throw new Error(`a deploy ended "${outcome}", not "${wanted}":\n${told.join('\n')}`);
};

const deployFirst = async ({ emulator, stage, settings }: VerifyWorld): Promise<void> => {
  const { lack, told: room } = await checkConcurrency(settings(1));
  if (lack !== null) throw new Error(lack);
  say('pre-flight', room);
  const { outcome, told } = await stage.deploy('the first');
  mustEnd(told, outcome, 'deployed');
  if (!told[0]?.includes('NO WAY BACK'))
    throw new Error(`the first deploy did not say that it has no way back: ${told}`);
  say('deployed', `${Object.keys(await deployedCode(emulator)).length} functions; ${told.join('; ')}`);
};

const tellStories = async ({ emulator, stage, sandboxes, secret, folder }: VerifyWorld): Promise<StackFile> => {
  const { front, edge, distribution, addresses } = stage.doors();
  const environment = await deployedEnvironment(emulator);
  const file = await seed({
    dataFolder: folder,
    apiUrl: front.url,
    inbox: front.inbox,
    inboxUrl: `${front.url}/_local/inbox`,
    issuer: developmentIssuer(secret),
    sandboxes,
    environment,
  });
  say('dashboard', `${addresses.dashboard}, here ${edge.url}`);
  say('stories', STORIES.join(' '));
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const told = {
    STACK_FILE: join(folder, 'stack.json'),
    SANDBOX_HOST: new URL(stage.output('SandboxUrl')).host,
    EDGE: edge.url,
    DASHBOARD_HOST: distribution.host,
    DASHBOARD_BUCKET: distribution.bucket,
    GATEWAY: emulator.endpoint,
  };
  for (const story of STORIES) await program([vitest, 'run', '--reporter=default', ...PROJECTS, story], told);
  await program(['tools/local/demo.ts', '--all'], { DATA_DIR: folder });
  await program(['tools/local/demo.ts', '--api', file.api], { DEMO_SESSION: file.session });
  say('stories', `passed over ${file.api}`);
  return file;
};

const deployAgain = async ({ cdk }: VerifyWorld): Promise<void> => {
  const { outputs, unchanged } = await cdk.deploy();
  const stacks = Object.keys(outputs);
  if (unchanged.length === 0 || unchanged.length < stacks.length)
    throw new Error(`a second deploy changed something: without changes are only ${unchanged.join(', ')}`);
  say('again', `${unchanged.length} stacks without changes`);
};

const takeBack = async ({ emulator, stage, folder }: VerifyWorld): Promise<void> => {
  const before = await deployedCode(emulator);
  const { outcome, told } = await stage.deploy('the broken', { VERIFY_BUNDLES: plantBrokenBuild(folder) });
  mustEnd(told, outcome, 'back');
  if (!told.some((line) => /^- \S+\/external-sources: 5\d\d instead of 200/.test(line)))
    throw new Error(`a broken build failed for another reason:\n${told.join('\n')}`);
  if (!isDeepStrictEqual(await deployedCode(emulator), before))
    throw new Error('the stage is not back: functions have other code than before');
  say('taken back', told.at(-1)!);
};

const restore = async ({ emulator, cdk, settings, folder }: VerifyWorld, file: StackFile): Promise<void> => {
  const [former, restored] = [settings(1), settings(2)];
  const line = await drillRestore({ cdk, former, restored, file, folder });
  const { TABLE_NAME: table } = await deployedEnvironment(emulator);
  if (table !== tableName(restored)) throw new Error(`functions still use ${table}`);
  say('restored', line);
};

const tearDown = async ({ emulator, cdk, settings }: VerifyWorld): Promise<void> => {
  const { RAW_BUCKET_NAME: bucket = '' } = await deployedEnvironment(emulator);
  await fillBucket(emulator, bucket, OBJECTS_LEFT);
  let looks = 0;
  const { stacks, others } = await destroyStage(settings(2), {
    cdk: (words) => cdk.run(words, { VERIFY_GENERATION: '2' }),
    readLastChanges,
    hasParameter: (name) => hasParameter(emulator, name),
    hasTable: async () => ++looks > 0,
  });
  // No code may have looked for a former table, because the data stack has released none.
  if (looks > 0) throw new Error('somebody looked for a former table');
  if (stacks.length > 0) throw new Error(`stacks are left: ${stacks.join(', ')}`);
  if (!others.some((line) => line.includes(SESSION_SECRET_PARAMETER)))
    throw new Error(`the teardown did not list the parameter ${SESSION_SECRET_PARAMETER}`);
  const left = await whatIsLeft(emulator);
  if (left.length > 0) throw new Error(`after the stacks were destroyed there are still ${left.join(', ')}`);
  say('destroyed', `with ${OBJECTS_LEFT} objects and more; nothing is left but ${others[0]}`);
};

const verify = async (programs: string, folder: string): Promise<void> => {
  await Promise.all([bundle(), buildDashboard()]);
  // The code waits until both have finished, even if one of them fails, because everything that was started must be
  // closed afterwards.
  const [linted, started] = await Promise.allSettled([lintTemplates(programs, folder), startWorld(programs, folder)]);
  if (linted.status === 'rejected') throw linted.reason;
  if (started.status === 'rejected') throw started.reason;
  say('cfn-lint', `${linted.value} templates without a finding`);
  const world = started.value;
  await deployFirst(world);
  const file = await tellStories(world);
  await deployAgain(world);
  await takeBack(world);
  await restore(world, file);
  await tearDown(world);
  await world.emulator.close();
  say('first deploy', await rehearseFirstDeploy(programs, folder));
};

refuseElsewhere('AWS_ENDPOINT_URL', process.env.AWS_ENDPOINT_URL ?? 'http://127.0.0.1');
const programs = await installedOrSkipped('.venv-emulator', join(import.meta.dirname, 'requirements.txt'));
const folder = mkdtempSync(join(tmpdir(), 'verify-deploy-'));
try {
  await verify(programs, folder);
  say('verify', 'passed');
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  say('verify', 'FAILED');
  process.exitCode = 1;
} finally {
  for (const close of closers.reverse()) await close();
  if (process.exitCode) say('kept', folder);
  else rmSync(folder, { recursive: true, force: true });
}
