/**
 * The CDK app. `npx cdk synth -q` chooses the stage with `-c stage=<name>` (default dev; a stage that infra/stages.ts
 * does not define is like dev). `-c sandbox=true` adds simulated institutions. `-c placeholder=true` replaces the
 * bundles by placeholders, for commands that need only the template. `-c sweeper=off` disables the sweeper's schedule.
 * The local runner calls `createApp({ stage: 'local', outdir }).synth()`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Annotations, App, type AppProps, Tags } from 'aws-cdk-lib';
import { refuseTooManyWorkers } from './concurrency.ts';
import { SET_BY_RUNNER } from './constructs/base-env.ts';
import { BUNDLED_LATER } from './constructs/make-function.ts';
import { EMPTY_FUNCTION, ENDPOINT_STACKS, FUNCTIONS, PUBLISH_FUNCTION, SANDBOX_FUNCTION } from './manifest.ts';
import { AgentsStack } from './stacks/agents-stack.ts';
import { ApiStack } from './stacks/api-stack.ts';
import { DataStack } from './stacks/data-stack.ts';
import { EndpointsStack } from './stacks/endpoints-stack.ts';
import { MonitoringStack } from './stacks/monitoring-stack.ts';
import { SandboxStack } from './stacks/sandbox-stack.ts';
import { SyncStack } from './stacks/sync-stack.ts';
import { WebStack } from './stacks/web-stack.ts';
import {
  hasPlaceholders,
  isKnownStage,
  type Stage,
  servedBySandbox,
  stageNamed,
  unheardAlarms,
  withSandbox,
} from './stages.ts';
import { WEB_BUILD_DIR, WEB_PUBLIC_DIR } from './web/build.ts';

const ROOT = join(import.meta.dirname, '..');
export const BUNDLE_DIR = join(ROOT, 'dist', 'functions');
const SERVICE = 'data-connections';

interface AppOptions {
  /** Stage name or a whole stage; by default the CDK context names the stage. */
  stage?: string | Stage;
  outdir?: string;
  /** Folder with the bundles; null synthesizes placeholders. By default the CDK context decides. */
  bundleDir?: string | null;
  /** The local runner bundles a function at its first call, so the bundles need not exist when the app is synthesized. */
  isBundledLater?: boolean;
  /** True if the stage has simulated institutions; by default the CDK context decides. */
  hasSandbox?: boolean;
  /** True if the sweeper's schedule is disabled; by default the CDK context decides this. */
  isSweeperOff?: boolean;
  /**
   * True if CDK validates the templates against CloudFormation's own schemas, which takes 3 s. By default every stage
   * except `local` is validated.
   */
  isValidated?: boolean;
}

/**
 * Returns the context of cdk.json. Only the CDK CLI reads that file by itself, and the feature flags must be the same
 * in every process that runs the app.
 */
const fileContext = (): Record<string, unknown> =>
  JSON.parse(readFileSync(join(ROOT, 'cdk.json'), 'utf8')).context as Record<string, unknown>;

/**
 * True for every stage except `local`, which has neither the dashboard's stack nor alarms: the local runner serves the
 * page itself.
 */
const isDeployed = ({ name }: Stage): boolean => name !== 'local';

/** Throws if a bundle of one of this stage's functions is missing. */
const requireBundles = (bundleDir: string, stage: Stage, hasSandbox: boolean): void => {
  const deployed = [
    ...FUNCTIONS,
    ...(hasSandbox ? [SANDBOX_FUNCTION] : []),
    ...(isDeployed(stage) ? [PUBLISH_FUNCTION] : []),
    ...(isDeployed(stage) && !stage.retainsData ? [EMPTY_FUNCTION] : []),
  ];
  const missing = deployed
    .map(({ functionId }) => functionId)
    .filter((functionId) => !existsSync(join(bundleDir, functionId, 'index.mjs')));
  if (isDeployed(stage) && !existsSync(join(WEB_BUILD_DIR, 'index.html'))) missing.push('the dashboard');
  if (missing.length > 0) {
    throw new Error(
      `not bundled yet: ${missing.join(', ')}. Run \`npm run bundle\` first, or leave the code out with -c placeholder=true`,
    );
  }
};

type StackId = 'data' | 'sandbox' | 'sync' | 'api' | keyof typeof ENDPOINT_STACKS | 'monitoring' | 'web' | 'agents';

export const stackName = (stage: string, stack: StackId): string => `${SERVICE}-${stage}-${stack}`;

/** Returns the names of all stacks that a stage may have. */
export const stackNames = (stage: string): string[] => {
  const endpoints = Object.keys(ENDPOINT_STACKS) as (keyof typeof ENDPOINT_STACKS)[];
  const stacks: StackId[] = ['data', 'sandbox', 'sync', 'api', ...endpoints, 'monitoring', 'web', 'agents'];
  return stacks.map((stack) => stackName(stage, stack));
};

/**
 * Returns true for `-c <name>=true`; false for `false`, and without the option.
 * @throws Error for a value other than `true` or `false`
 */
const flag = (app: App, name: string): boolean => {
  const said = String(app.node.tryGetContext(name) ?? 'false');
  if (said !== 'true' && said !== 'false') throw new Error(`-c ${name}=${said}: say true or false`);
  return said === 'true';
};

/**
 * Returns true for `-c sweeper=off`; false for `on`, and without the option.
 * @throws Error for a value other than `on` or `off`
 */
const isSweeperOffIn = (app: App): boolean => {
  const said = String(app.node.tryGetContext('sweeper') ?? 'on');
  if (said !== 'on' && said !== 'off') throw new Error(`-c sweeper=${said}: say on or off`);
  return said === 'off';
};

const addSync = (app: App, props: ConstructorParameters<typeof SyncStack>[2]): SyncStack => {
  const { name } = props.service.stage;
  const sync = new SyncStack(app, stackName(name, 'sync'), props);
  if (props.isSweeperOff)
    Annotations.of(sync).addWarningV2(
      'data-connections:sweeper-off',
      `stage ${name} has no sweeper: lost messages are not recovered until it is deployed without -c sweeper=off (deploy:stage: --sweeper-off)`,
    );
  return sync;
};

const addMonitoring = (app: App, props: ConstructorParameters<typeof MonitoringStack>[2]): void => {
  const monitoring = new MonitoringStack(app, stackName(props.stage.name, 'monitoring'), props);
  for (const severity of unheardAlarms(props.stage)) {
    Annotations.of(monitoring).addWarningV2(
      `data-connections:unheard-${severity}`,
      `alarms of severity ${severity} have no recipient: name an address in alarms.emails of infra/stages.ts`,
    );
  }
};

/** Adds the stack of the dashboard, and returns the page's origin. */
const addWeb = (app: App, props: Omit<ConstructorParameters<typeof WebStack>[2], 'webDir'>): string => {
  const webDir = props.bundleDir === null ? WEB_PUBLIC_DIR : WEB_BUILD_DIR;
  return new WebStack(app, stackName(props.stage.name, 'web'), { ...props, webDir }).publicOrigin;
};

/** Warns about settings that may be a mistake of the operator. */
const warnOf = (stage: Stage, data: DataStack): void => {
  const warn = (id: string, text: string): void =>
    Annotations.of(data).addWarningV2(`data-connections:${id}`, `stage ${stage.name} ${text}`);
  if (hasPlaceholders(stage)) warn('placeholder', 'still names example.com in infra/stages.ts: nobody could sign in');
  if (stage.name !== 'emulator' && !isKnownStage(stage.name))
    warn('like-dev', 'is not in infra/stages.ts: it is like dev, and its data is deleted with its stacks');
};

/** Returns the folder of the bundles, from the options or the CDK context; null for placeholders. */
const bundlesOf = (app: App, { bundleDir }: AppOptions): string | null => {
  const isPlaceholder = flag(app, 'placeholder');
  if (bundleDir !== undefined) return bundleDir;
  return isPlaceholder ? null : BUNDLE_DIR;
};

/**
 * Returns the properties of the CDK app. If functions are bundled after the synthesis, the context contains the key
 * `BUNDLED_LATER`.
 */
const appProps = ({ isBundledLater = false, outdir }: AppOptions, isValidated: boolean): AppProps => ({
  analyticsReporting: false,
  treeMetadata: false,
  builtinCloudFormationValidation: isValidated,
  context: { ...fileContext(), ...(isBundledLater ? { [BUNDLED_LATER]: true } : {}) },
  ...(outdir === undefined ? {} : { outdir }),
});

/**
 * @throws Error when the stage is unknown or invalid, has too many concurrent workers, or a function is not bundled.
 */
export const createApp = (options: AppOptions = {}): App => {
  // The stage must be known before the app is created, because the app's properties depend on the stage. A temporary
  // app reads the stage's name from the context.
  const chosen = options.stage ?? new App({ autoSynth: false }).node.tryGetContext('stage') ?? 'dev';
  const app = new App(appProps(options, options.isValidated ?? chosen !== 'local'));
  const named = typeof chosen === 'object' ? (chosen as Stage) : stageNamed(String(chosen));
  const hasSandbox = options.hasSandbox ?? flag(app, 'sandbox');
  const stage = hasSandbox ? withSandbox(named) : named;
  refuseTooManyWorkers(stage);
  const bundleDir = bundlesOf(app, options);
  if (bundleDir !== null && !options.isBundledLater) requireBundles(bundleDir, stage, hasSandbox);

  const data = new DataStack(app, stackName(stage.name, 'data'), { stage, bundleDir });
  const sandbox = hasSandbox ? new SandboxStack(app, stackName(stage.name, 'sandbox'), { stage, bundleDir }) : null;
  const served = sandbox === null ? stage : servedBySandbox(stage, sandbox.url);
  const service = { stage: served, resources: data.resources, bundleDir };
  const sync = addSync(app, { service, isSweeperOff: options.isSweeperOff ?? isSweeperOffIn(app) });
  // The workers refer to queues of the data stack by name, so CloudFormation cannot derive that the data stack must be
  // deployed first.
  sync.addStackDependency(data);
  const api = new ApiStack(app, stackName(stage.name, 'api'), { service });
  const { apiId } = api;
  for (const [id, endpoints] of Object.entries(ENDPOINT_STACKS))
    new EndpointsStack(app, stackName(stage.name, id as keyof typeof ENDPOINT_STACKS), { service, apiId, endpoints });
  if (isDeployed(stage)) {
    addMonitoring(app, { stage, apiId, scheduleGroup: data.resources.schedules.group.ref });
  }
  const publicOrigin = isDeployed(stage) ? addWeb(app, { stage, apiId, bundleDir }) : SET_BY_RUNNER;
  new AgentsStack(app, stackName(stage.name, 'agents'), { service: { ...service, publicOrigin }, apiId });

  Tags.of(app).add('service', SERVICE);
  Tags.of(app).add('stage', stage.name);
  warnOf(stage, data);
  return app;
};

if (import.meta.main) createApp().synth();
