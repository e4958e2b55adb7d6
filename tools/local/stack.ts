/**
 * Starts the local stack, which consists of all resources of the template on servers of 127.0.0.1, with one data folder
 * and one virtual clock.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { plantClock } from '#shared/platform/clock.ts';
import { createAgentFront } from './agent-front.ts';
import { LOCAL_REGION, readAssembly } from './assembly.ts';
import type { Bundler } from './bundler.ts';
import { createClock, type VirtualClock } from './clock.ts';
import { createJumps, type Jumps } from './clock-jumps.ts';
import { createCloser } from './closer.ts';
import { holdDataFolder, KEY_FILE, keptSecret, requireFormat } from './data-folder.ts';
import { startDynamo } from './dynamo.ts';
import { startEventSources } from './event-sources.ts';
import { openFunctionLogs } from './function-logs.ts';
import { createFunctions, type FunctionPool } from './functions.ts';
import { listenHttpApi } from './http-api.ts';
import { createInbox, type Inbox } from './inbox.ts';
import { createLocalApi } from './local-api.ts';
import type { LocalModel } from './model.ts';
import {
  type DevelopmentIssuer,
  developmentIssuer,
  type Endpoints,
  LOCAL_CREDENTIALS,
  type OverlayInput,
  overlaid,
} from './overlay.ts';
import type { OnLost } from './processes.ts';
import { type QueueServer, startQueues } from './queues.ts';
import { type RunningSandbox, type SandboxModule, startSandboxes } from './sandboxes.ts';
import { openScheduleStore } from './schedule-store.ts';
import { type ScheduleTarget, startScheduler } from './scheduler.ts';
import { listenScheduler } from './scheduler-api.ts';
import { plantSharedClock } from './shared-clock.ts';
import { createMissingTables } from './tables.ts';
import { createWebPage, WEB_FOLDER } from './web-page.ts';
import { createWebSession, type WebSession } from './web-session.ts';

/** File that `seed` writes after the stack is up. */
export const STACK_FILE = 'stack.json';

export interface StackOptions {
  /** Folder of the cloud assembly. It may be a promise, because the synthesis may still run while the servers start. */
  assemblyFolder: string | Promise<string>;
  dataFolder: string;
  /**
   * Bundles functions and the dashboard when they are requested; the stack closes it. If no bundler is given, functions
   * and dashboard must already be bundled.
   */
  bundler?: Bundler;
  /** Called with the name of each step that the stack begins. */
  onStep?: (step: string) => void;
  /** Port of the API; 0 for any free port. */
  port: number;
  sandboxes?: readonly SandboxModule[];
  /** The operator's environment, limited to the variables that `start.ts` lists. */
  environment?: Readonly<Record<string, string | undefined>>;
  /** Called when the stack no longer works and must be closed; the stack has already removed `stack.json`. */
  onLost?: OnLost;
}

export interface LocalStack {
  /** Origin of the HTTP API, without trailing slash. */
  apiUrl: string;
  inboxUrl: string;
  inbox: Inbox;
  session: WebSession;
  region: string;
  credentials: typeof LOCAL_CREDENTIALS;
  endpoints: Endpoints;
  model: LocalModel;
  clock: VirtualClock;
  jumps: Jumps;
  functions: FunctionPool;
  queues: QueueServer;
  sandboxes: Readonly<Record<string, RunningSandbox>>;
  issuer: DevelopmentIssuer;
  encryptionKeyFile: string;
  dataFolder: string;
  /** The environment variables of all functions in one object, for a script that acts as a function. */
  environment: Readonly<Record<string, string>>;
  dynamoPid: number | undefined;
  close(): Promise<void>;
}

const share = (value: string | undefined): number => {
  const parsed = Number(value || '0');
  if (!(parsed >= 0 && parsed <= 1)) throw new Error('LOCAL_AT_LEAST_ONCE must be between 0 and 1');
  return parsed;
};

/**
 * Returns the number of functions that may stay warm; undefined for no limit. With `MALLOC_ARENA_MAX=1`, which `npm
 * start` sets, an idle function takes about 15 MB, so a small machine may need a limit.
 */
const warmFunctions = (value: string | undefined): number | undefined => {
  if (!value) return undefined;
  const parsed = Number(value);
  if (!Number.isInteger(parsed) || parsed < 0)
    throw new Error(`LOCAL_WARM_FUNCTIONS must be a whole number, not "${value}"`);
  return parsed;
};

const fireWith =
  (model: LocalModel, functions: FunctionPool, client: SQSClient, queueUrl: (arn: string) => string) =>
  async ({ targetArn, input }: ScheduleTarget): Promise<void> => {
    if (model.queues.some(({ arn }) => arn === targetArn))
      await client.send(new SendMessageCommand({ QueueUrl: queueUrl(targetArn), MessageBody: input }));
    else await functions.invoke(targetArn, JSON.parse(input), 'background');
  };

/**
 * Starts the stack. If a part does not start or the template is refused, rejects after it has closed every open part.
 */
export const startStack = async (options: StackOptions): Promise<LocalStack> => {
  const closer = createCloser();
  try {
    return await compose(options, closer);
  } catch (error) {
    await closer.close();
    throw error;
  }
};

const compose = async (options: StackOptions, closer: ReturnType<typeof createCloser>): Promise<LocalStack> => {
  const operator = options.environment ?? process.env;
  const dataFolder = resolve(options.dataFolder);
  const atLeastOnce = share(operator.LOCAL_AT_LEAST_ONCE);
  const warmMax = warmFunctions(operator.LOCAL_WARM_FUNCTIONS);
  const { bundler } = options;
  if (bundler) closer.add(() => bundler.close());
  mkdirSync(dataFolder, { recursive: true });
  closer.add(holdDataFolder(dataFolder));
  requireFormat(dataFolder);
  // Removes the file of an earlier start, because scripts take the file as the sign that the stack is ready.
  const unannounce = () => rmSync(join(dataFolder, STACK_FILE), { force: true });
  unannounce();
  closer.add(unannounce);
  const onLost: OnLost = (reason) => {
    unannounce();
    (options.onLost ?? console.error)(reason);
  };

  const clock = createClock(join(dataFolder, 'clock.json'));
  closer.add(() => clock.close());
  plantSharedClock(clock.shared);
  closer.add(() => plantClock(undefined));

  // Registers the close function of each part as soon as the part is up, so that all open parts are closed when another
  // part fails.
  const opened = async <T extends { close(): Promise<void> }>(starting: Promise<T>): Promise<T> => {
    const part = await starting;
    closer.add(() => part.close());
    return part;
  };
  options.onStep?.('starting the table, the queues and the simulated institutions');
  const parts = await Promise.allSettled([
    opened(startDynamo(dataFolder, { endpoint: operator.DYNAMODB_ENDPOINT, engine: operator.LOCAL_TABLE }, onLost)),
    opened(startQueues({ clock, storageFolder: join(dataFolder, 's3'), region: LOCAL_REGION, onLost })),
    opened(listenScheduler()),
    opened(startSandboxes(options.sandboxes ?? [], clock, onLost)),
    opened(listenHttpApi(options.port)),
    options.assemblyFolder,
  ]);
  const failed = parts.find((part) => part.status === 'rejected');
  if (failed) throw failed.reason;
  const [dynamo, queues, schedulerServer, sandboxes, http, assemblyFolder] = parts.map(
    (part) => (part as PromiseFulfilledResult<unknown>).value,
  ) as [
    Awaited<ReturnType<typeof startDynamo>>,
    QueueServer,
    Awaited<ReturnType<typeof listenScheduler>>,
    Awaited<ReturnType<typeof startSandboxes>>,
    Awaited<ReturnType<typeof listenHttpApi>>,
    string,
  ];

  options.onStep?.('creating the table, the queues and the routes of the templates');
  const model = readAssembly(assemblyFolder, { queueUrl: queues.url, apiUrl: http.url });
  const endpoints: Endpoints = {
    dynamodb: dynamo.endpoint,
    sqs: queues.endpoint,
    s3: queues.endpoint,
    scheduler: schedulerServer.url,
  };
  await Promise.all([
    createMissingTables(model.tables, {
      endpoint: dynamo.endpoint,
      region: LOCAL_REGION,
      credentials: LOCAL_CREDENTIALS,
    }),
    queues.create(model.queues, model.buckets),
  ]);

  const encryptionKeyFile = keptSecret(dataFolder, KEY_FILE).file;
  const issuer = developmentIssuer(keptSecret(dataFolder, 'session.secret').value);
  const overlay: OverlayInput = {
    region: LOCAL_REGION,
    endpoints,
    apiUrl: http.url,
    encryptionKeyFile,
    issuer,
    sandboxes: sandboxes.running,
    operator,
  };
  const models = model.functions.map((each) => ({ ...each, environment: overlaid(each.environment, overlay) }));
  const functions = createFunctions(models, {
    clock,
    region: LOCAL_REGION,
    logs: openFunctionLogs(join(dataFolder, 'logs')),
    ...(warmMax === undefined ? {} : { warmMax }),
    ...(bundler === undefined ? {} : { prepare: ({ id }) => bundler.function(id) }),
    onFailure: ({ id }, result) => {
      if ('error' in result) console.error(`${id}: ${result.error.errorType}: ${result.error.errorMessage}`);
    },
  });
  closer.add(() => functions.close());

  const queueUrl = (arn: string): string => queues.url(arn.split(':').at(-1) ?? '');
  const client = new SQSClient({
    endpoint: queues.endpoint,
    region: LOCAL_REGION,
    credentials: LOCAL_CREDENTIALS,
    useQueueUrlAsEndpoint: false,
  });
  closer.add(() => client.destroy());
  const sources = startEventSources(model.mappings, {
    endpoint: queues.endpoint,
    region: LOCAL_REGION,
    credentials: LOCAL_CREDENTIALS,
    queueUrl,
    functions,
    atLeastOnce,
  });
  // The functions are closed before the pollers, because the pollers would otherwise wait for their batches up to the
  // functions' timeouts.
  closer.add(async () => {
    await functions.close();
    await sources.close();
  });

  const store = openScheduleStore(join(dataFolder, 'schedules'));
  const fire = fireWith(model, functions, client, queueUrl);
  const scheduler = startScheduler({ clock, store, schedules: model.schedules, fire });
  closer.add(() => scheduler.close());
  schedulerServer.serve({ store, scheduler, clock, groups: model.scheduleGroups });

  const consumed = new Set(model.mappings.map(({ queueArn }) => queueArn.split(':').at(-1)));
  const jumps = createJumps({
    clock,
    busy: () => ({ invocations: functions.busy(), batches: sources.busy(), firings: scheduler.busy() }),
    queueStates: async () =>
      Object.fromEntries(Object.entries(await queues.states()).filter(([name]) => consumed.has(name))),
    scheduleDueMs: () => scheduler.nextDueMs(),
  });
  const inbox = createInbox(clock);
  const session = createWebSession(issuer, clock.nowMs);
  http.serve(model.api, {
    clock,
    functions,
    local: createLocalApi({ clock, jumps, inbox, session }),
    page: createWebPage(WEB_FOLDER, bundler && (() => bundler.dashboard())),
    front: createAgentFront(http.url),
  });

  return {
    apiUrl: http.url,
    inboxUrl: `${http.url}/_local/inbox`,
    inbox,
    session,
    region: LOCAL_REGION,
    credentials: LOCAL_CREDENTIALS,
    endpoints,
    model,
    clock,
    jumps,
    functions,
    queues,
    sandboxes: sandboxes.running,
    issuer,
    encryptionKeyFile,
    dataFolder,
    environment: Object.assign({}, ...models.map(({ environment }) => environment)),
    dynamoPid: dynamo.pid,
    close: closer.close,
  };
};
