/**
 * The stack of a file's stories: its own, the one that all files of the project share, or one that is already running.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject } from 'vitest';
import { synthesizeLocalStage } from '#tools/local/build.ts';
import { developmentIssuer, LOCAL_CREDENTIALS } from '#tools/local/overlay.ts';
import { findSandboxes } from '#tools/local/sandboxes.ts';
import { seed } from '#tools/local/seed.ts';
import { type LocalStack, startStack } from '#tools/local/stack.ts';
import { readStackFile, type StackFile } from '#tools/local/stack-file.ts';
import { betrayed, betrayedBy, leaveSecrets } from './e2e-canaries.ts';
import { temporaryFolder } from './e2e-child.ts';
import { createDoors, type Doors, leaveEvening } from './e2e-doors.ts';
import { createIntegrator, type Integrator, until } from './e2e-integrator.ts';
import { NOT_STARTED } from './e2e-shared.ts';

const SOURCES = join(import.meta.dirname, '../../shared/sources');
/** `stack.json` of a running stack, such as a deployed one (tools/verify): its time cannot be moved. */
const ATTACHED = process.env.STACK_FILE;

/** What stories use of a stack in addition to its API. */
export type SharedStack = Pick<
  LocalStack,
  'apiUrl' | 'region' | 'credentials' | 'endpoints' | 'environment' | 'issuer'
>;

export interface Stage<S extends SharedStack = SharedStack> {
  readonly stack: S;
  readonly api: Integrator;
  readonly doors: Doors;
  /** Texts that must not appear in clear text anywhere, in addition to those that the stage knows. */
  readonly secrets: Set<string>;
}

interface Opened<S> {
  file: StackFile;
  /** Undefined for a stack that was already running, of which only the API is known. */
  stack?: S;
  /** Resolves with a line per place and kind of secret found in clear text. */
  close(api: Integrator, secrets: Iterable<string>): Promise<string[]>;
}

const attach = async (path: string): Promise<Opened<never>> => ({
  file: JSON.parse(readFileSync(path, 'utf8')) as StackFile,
  async close(api, secrets) {
    // The next story needs an organization without endpoints.
    for (const { id } of await api.get('/webhooks')) await api.must(200, 'DELETE', `/webhooks/${id}`);
    return betrayedBy(api, secrets);
  },
});

const endOwn = async (stack: LocalStack, api: Integrator, secrets: Iterable<string>): Promise<string[]> => {
  const { dataFolder } = stack;
  try {
    await stack.close();
    return betrayed(dataFolder, api, secrets);
  } finally {
    rmSync(dataFolder, { recursive: true, force: true });
  }
};

/** The table that the machine's environment chooses applies to every stack. */
const CHOSEN = process.env.LOCAL_TABLE === undefined ? {} : { LOCAL_TABLE: process.env.LOCAL_TABLE };

const openOwn = async (settings: Record<string, string>): Promise<Opened<LocalStack>> => {
  const environment = { ...CHOSEN, ...settings };
  const stack = await startStack({
    assemblyFolder: synthesizeLocalStage(),
    dataFolder: temporaryFolder(),
    port: 0,
    sandboxes: findSandboxes(SOURCES, environment),
    environment,
  });
  try {
    return { file: await seed(stack), stack, close: (api, secrets) => endOwn(stack, api, secrets) };
  } catch (error) {
    await stack.close();
    throw error;
  }
};

const startedShared = (dataFolder: string): Promise<StackFile> =>
  until('the stack that files share', async () => {
    const failed = join(dataFolder, NOT_STARTED);
    if (existsSync(failed)) throw new Error(readFileSync(failed, 'utf8'));
    return readStackFile(dataFolder);
  });

const openShared = async (isSeeded: boolean): Promise<Opened<SharedStack>> => {
  const dataFolder = inject('sharedStack');
  const first = await startedShared(dataFolder);
  const environment = JSON.parse(readFileSync(join(dataFolder, 'environment.json'), 'utf8'));
  const stack: SharedStack = {
    apiUrl: new URL(first.api).origin,
    region: environment.AWS_REGION,
    credentials: LOCAL_CREDENTIALS,
    endpoints: {
      dynamodb: environment.AWS_ENDPOINT_URL_DYNAMODB,
      sqs: environment.AWS_ENDPOINT_URL_SQS,
      s3: environment.AWS_ENDPOINT_URL_S3,
      scheduler: environment.AWS_ENDPOINT_URL_SCHEDULER,
    },
    environment,
    issuer: developmentIssuer(environment.SESSION_SECRET),
  };
  const sandboxes = Object.fromEntries(
    Object.entries(first.sandbox).map(([code, { base_url: url, ...works }]) => [code, { url, credentials: [works] }]),
  );
  const organization = { dataFolder: mkdtempSync(join(dataFolder, 'organization-')), inboxUrl: first.inbox, sandboxes };
  return {
    file: isSeeded ? first : await seed({ ...stack, ...organization }),
    stack,
    async close(api, secrets) {
      const doors = createDoors(first);
      await Promise.all([doors.failNext(0), doors.letGo()]);
      leaveSecrets(dataFolder, api, secrets);
      // A story on the dashboard may have sent no request itself.
      return api.answers.length > 0 ? betrayedBy(api, secrets) : [];
    },
  };
};

const useOpened = <S extends SharedStack>(
  open: () => Promise<Opened<S>>,
  beforehand: (doors: Doors) => Promise<unknown>,
): Stage<S> => {
  const secrets = new Set<string>();
  let opened: Opened<S> | undefined;
  let api: Integrator | undefined;
  let doors: Doors | undefined;

  beforeAll(async () => {
    opened = await open();
    api = createIntegrator(opened.file);
    doors = createDoors(opened.file);
    await beforehand(doors);
  });
  afterAll(async () => {
    if (opened && api) expect(await opened.close(api, secrets)).toEqual([]);
  });

  const started = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error('the stack is not up');
    return part;
  };
  return {
    secrets,
    get stack() {
      return started(opened?.stack);
    },
    get api() {
      return started(api);
    },
    get doors() {
      return started(doors);
    },
  };
};

/**
 * One stack for all tests of a file. At its end, no secret may be left anywhere. Pass another `beforehand` for a story
 * that needs the machine's own time.
 */
export const useStack = (
  environment: Record<string, string> = {},
  beforehand: (doors: Doors) => Promise<unknown> = leaveEvening,
): Stage<LocalStack> =>
  ATTACHED
    ? useOpened(
        () => attach(ATTACHED),
        async () => {},
      )
    : useOpened(() => openOwn(environment), beforehand);

/**
 * A new organization for the file on the stack that all files of its project share, one after the other. Only a file
 * whose stories sign in at the stack's own page needs the `seeded` organization.
 */
export const useSharedStack = (organization: 'own' | 'seeded' = 'own'): Stage =>
  useOpened(() => openShared(organization === 'seeded'), leaveEvening);
