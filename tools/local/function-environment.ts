/** The runner's side of one execution environment: it starts the thread, sends it one event at a time, and ends it. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { VirtualClock } from './clock.ts';
import type { FunctionFailure, FunctionThreadData, FunctionThreadMessage, Invocation } from './function-thread.ts';
import type { FunctionModel } from './model.ts';

/**
 * Limit of the init phase, which Lambda ends after ten seconds. Lambda then repeats the phase at the first invocation
 * with the function's own timeout, so a slow start fails no request (Lambda developer guide, "Init phase"). The local
 * runner lets the first phase continue instead of repeating it.
 */
const INIT_TIMEOUT_MS = 10_000;

/**
 * Cache of the compiled code of functions and of the thread's own code, by content. Without the cache every thread
 * would load the compiler that removes types (8 MB, 70 ms) and compile its bundle again.
 */
const COMPILED_FOLDER = join(import.meta.dirname, '../../dist/compiled');
/**
 * Limit in MB for V8's young objects, whose default is 48 MB. With 2 MB instead of 8 MB, functions need a third more
 * CPU.
 */
const YOUNG_MB_MAX = 8;

// Makes `gc` available to all threads that start from now on. Each thread hides `gc` from its function.
setFlagsFromString('--expose-gc');

export type InvocationResult = { requestId: string; durationMs: number } & (
  | { json: string }
  | { error: FunctionFailure }
);

export interface Environment {
  /** Never rejects: every failure is a result. After a failure that ended the thread, `isDead` is true. */
  invoke(eventJson: string): Promise<InvocationResult>;
  readonly isDead: boolean;
  end(): Promise<void>;
}

const environmentOf = (model: FunctionModel, region: string): Record<string, string> => ({
  ...model.environment,
  TZ: 'UTC',
  LANG: 'en_US.UTF-8',
  PATH: '/var/lang/bin:/usr/local/bin:/usr/bin:/bin:/opt/bin',
  AWS_EXECUTION_ENV: `AWS_Lambda_nodejs${process.versions.node.split('.')[0]}.x`,
  AWS_DEFAULT_REGION: region,
  AWS_LAMBDA_FUNCTION_NAME: model.name,
  AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(model.memoryMb),
  AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
  AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${model.name}`,
  AWS_LAMBDA_LOG_STREAM_NAME: `local/[$LATEST]${randomUUID().replaceAll('-', '')}`,
  NODE_COMPILE_CACHE: COMPILED_FOLDER,
  LAMBDA_TASK_ROOT: model.codeFolder,
  _HANDLER: 'index.handler',
});

export const startEnvironment = (
  model: FunctionModel,
  options: { clock: VirtualClock; region: string; onOutput(text: Buffer): void },
): Environment => {
  const { port1: ours, port2: theirs } = new MessageChannel();
  const signal = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const workerData: FunctionThreadData = {
    port: theirs,
    signal: signal.buffer as SharedArrayBuffer,
    clock: options.clock.shared,
    codeFolder: model.codeFolder,
    name: model.name,
    arn: model.arn,
    memoryMb: model.memoryMb,
  };
  const thread = new Worker(new URL('./function-thread.ts', import.meta.url), {
    workerData,
    transferList: [theirs],
    env: environmentOf(model, options.region),
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: model.memoryMb, maxYoungGenerationSizeMb: YOUNG_MB_MAX },
  });
  thread.stdout.on('data', options.onOutput);
  thread.stderr.on('data', options.onOutput);

  let dead: FunctionFailure | undefined;
  let settle: ((message: FunctionThreadMessage) => void) | undefined;
  const answer = (message: FunctionThreadMessage) => {
    const waiting = settle;
    settle = undefined;
    waiting?.(message);
  };
  const next = (): Promise<FunctionThreadMessage> => new Promise((resolve) => (settle = resolve));
  const die = (error: FunctionFailure) => {
    dead ??= error;
    answer({ kind: 'failed', error: dead });
  };
  ours.on('message', answer);
  thread.on('error', (error: Error & { code?: string }) =>
    die({
      errorType: error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'Runtime.OutOfMemory' : 'Runtime.UnhandledError',
      errorMessage: error.message,
      trace: (error.stack ?? '').split('\n'),
    }),
  );
  thread.on('exit', (code) => {
    // The port is read again when the thread exits, because the last message and the exit event may arrive in any
    // order.
    for (let last = receiveMessageOnPort(ours); last; last = receiveMessageOnPort(ours)) answer(last.message);
    ours.close();
    die({ errorType: 'Runtime.ExitError', errorMessage: `Runtime exited with code ${code}` });
  });

  /** Resolves with the thread's next message. If none arrives within `limitMs`, kills the thread. */
  const within = async (limitMs: number, timedOut: FunctionFailure): Promise<FunctionThreadMessage> => {
    const said = next();
    if (dead) return { kind: 'failed', error: dead };
    const timer = setTimeout(() => {
      die(timedOut);
      void thread.terminate();
    }, limitMs);
    const message = await said;
    clearTimeout(timer);
    return message;
  };

  const initLimitMs = INIT_TIMEOUT_MS + model.timeoutMs;
  const initialized = within(initLimitMs, {
    errorType: 'Sandbox.Timedout',
    errorMessage: `Init phase timed out after ${initLimitMs} ms`,
  });

  return {
    get isDead() {
      return dead !== undefined;
    },
    async invoke(eventJson) {
      const requestId = randomUUID();
      const init = await initialized;
      const startedMs = Date.now();
      const finish = (result: { json: string } | { error: FunctionFailure }): InvocationResult => ({
        requestId,
        durationMs: Date.now() - startedMs,
        ...result,
      });
      if (init.kind === 'init-failed' || init.kind === 'failed') {
        dead ??= init.error;
        void thread.terminate();
        return finish({ error: init.error });
      }
      const limit = (model.timeoutMs / 1000).toFixed(2);
      const finished = within(model.timeoutMs, {
        errorType: 'Sandbox.Timedout',
        errorMessage: `RequestId: ${requestId} Error: Task timed out after ${limit} seconds`,
      });
      const invocation: Invocation = { requestId, eventJson, deadlineMs: startedMs + model.timeoutMs };
      ours.postMessage(invocation);
      Atomics.store(signal, 0, 1);
      Atomics.notify(signal, 0);
      const message = await finished;
      if (message.kind === 'answered') return finish({ json: message.json });
      if (message.kind === 'ready') throw new Error('a function thread was ready twice');
      return finish({ error: message.error });
    },
    async end() {
      dead ??= { errorType: 'Runtime.ExitError', errorMessage: 'the environment was ended' };
      await thread.terminate();
    },
  };
};
