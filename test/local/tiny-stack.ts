/** Starts the local stack over the tiny app, with a new data folder. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Message, ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { type LocalStack, type StackOptions, startStack } from '#tools/local/stack.ts';

const APP = join(import.meta.dirname, 'tiny-app');

/** Synthesized once per change of the app: synth takes seconds, and several test files need it. */
export const tinyAssembly = (): string => {
  const hash = createHash('sha256');
  for (const file of globSync('**/*.{ts,mjs}', { cwd: APP }).sort()) hash.update(readFileSync(join(APP, file)));
  const folder = join(tmpdir(), `tiny-app-${hash.digest('hex').slice(0, 16)}`);
  if (existsSync(folder)) return folder;
  const fresh = mkdtempSync(`${folder}-`);
  execFileSync(process.execPath, [join(APP, 'app.ts')], { env: { ...process.env, CDK_OUTDIR: fresh } });
  try {
    renameSync(fresh, folder);
  } catch {
    rmSync(fresh, { recursive: true }); // Another test file has already built it.
  }
  return folder;
};

export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'local-stack-'));

export interface TinyStack extends LocalStack {
  /** Parsed JSON lines of a function's log, platform reports left out. */
  lines<T>(functionId: string): T[];
  logText(functionId: string): string;
  send(body: string, delaySeconds?: number): Promise<void>;
  /** Messages in the dead-letter queue now. */
  deadLetters(): Promise<Message[]>;
}

export const startTinyStack = async (options: Partial<StackOptions> = {}): Promise<TinyStack> => {
  const dataFolder = options.dataFolder ?? temporaryFolder();
  const stack = await startStack({ assemblyFolder: tinyAssembly(), port: 0, environment: {}, ...options, dataFolder });
  const client = new SQSClient({
    endpoint: stack.endpoints.sqs,
    region: stack.region,
    credentials: stack.credentials,
    useQueueUrlAsEndpoint: false,
  });
  const url = (part: string): string => {
    const queue = stack.model.queues.find(({ name }) => name.includes(part));
    return stack.queues.url(queue?.name ?? '');
  };
  const logText = (functionId: string): string => {
    const path = join(dataFolder, 'logs', `${functionId}.log`);
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  };
  return {
    ...stack,
    logText,
    lines: <T>(functionId: string) =>
      logText(functionId)
        .split('\n')
        .filter((line) => line.startsWith('{') && !line.includes('"platform.report"'))
        .map((line) => JSON.parse(line) as T),
    async send(body, delaySeconds = 0) {
      await client.send(
        new SendMessageCommand({ QueueUrl: url('Work'), MessageBody: body, DelaySeconds: delaySeconds }),
      );
    },
    async deadLetters() {
      const command = new ReceiveMessageCommand({
        QueueUrl: url('DeadLetters'),
        MaxNumberOfMessages: 10,
        VisibilityTimeout: 0,
      });
      return (await client.send(command)).Messages ?? [];
    },
    async close() {
      client.destroy();
      await stack.close();
    },
  };
};
