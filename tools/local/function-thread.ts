/**
 * One execution environment: a worker thread that loads the bundle once, is reused while warm, and handles one event at
 * a time. Between events the thread blocks in `Atomics.wait`, so it is frozen as on Lambda: no timer fires and no
 * socket is read until the next event. Unfinished work of a handler therefore behaves as on Lambda.
 */
import { flushCompileCache, setSourceMapsSupport } from 'node:module';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { getHeapStatistics } from 'node:v8';
import { type MessagePort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { plantSharedClock } from './shared-clock.ts';

/**
 * Time without an event after which an environment returns unused memory to the system. It does so only if its memory
 * has grown by at least `GROWN_BYTES_MIN` since the last return.
 */
const IDLE_MS = 1_000;
const GROWN_BYTES_MIN = 4 * 1024 * 1024;
/** Lambda's limit for a synchronous response. */
const RESPONSE_BYTES_MAX = 6 * 1024 * 1024;

export interface FunctionThreadData {
  port: MessagePort;
  /** Shared number that is 1 while an event waits at the port. */
  signal: SharedArrayBuffer;
  clock: SharedArrayBuffer;
  codeFolder: string;
  name: string;
  arn: string;
  memoryMb: number;
}

/** `eventJson` is text, so that a handler cannot share an object with the runner. */
export interface Invocation {
  requestId: string;
  eventJson: string;
  /** Deadline in milliseconds since the epoch by the machine's clock, because a timeout is real time. */
  deadlineMs: number;
}

export interface FunctionFailure {
  errorType: string;
  errorMessage: string;
  trace?: string[];
}

export type FunctionThreadMessage =
  | { kind: 'ready' }
  | { kind: 'init-failed'; error: FunctionFailure }
  | { kind: 'answered'; json: string }
  | { kind: 'failed'; error: FunctionFailure };

type LambdaHandler = (event: unknown, context: Record<string, unknown>) => unknown;

const data = workerData as FunctionThreadData;
const signal = new Int32Array(data.signal);

// `gc` is set to undefined because a function on Lambda has no `gc`; V8 does not allow to delete it.
const { gc } = globalThis;
globalThis.gc = undefined;

/**
 * Returns a function that collects garbage. A frozen thread never collects garbage by itself, and would use a third
 * more memory without this call.
 */
const createShrink = (): (() => void) => {
  let keptBytes = 0;
  return () => {
    if (!gc || getHeapStatistics().total_heap_size < keptBytes + GROWN_BYTES_MIN) return;
    gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    keptBytes = getHeapStatistics().total_heap_size;
  };
};

const failure = (error: unknown): FunctionFailure => {
  if (!(error instanceof Error)) return { errorType: typeof error, errorMessage: String(error) };
  return { errorType: error.name, errorMessage: error.message, trace: (error.stack ?? '').split('\n') };
};

const post = (message: FunctionThreadMessage): void => data.port.postMessage(message);

const load = async (): Promise<LambdaHandler> => {
  const { href } = pathToFileURL(join(data.codeFolder, 'index.mjs'));
  const { handler } = (await import(href)) as { handler?: unknown };
  if (typeof handler !== 'function') throw new Error('index.handler is undefined or not exported');
  return handler as LambdaHandler;
};

const contextOf = ({ requestId, deadlineMs }: Invocation): Record<string, unknown> => ({
  awsRequestId: requestId,
  callbackWaitsForEmptyEventLoop: true,
  functionName: data.name,
  functionVersion: '$LATEST',
  invokedFunctionArn: data.arn,
  memoryLimitInMB: String(data.memoryMb),
  logGroupName: process.env.AWS_LAMBDA_LOG_GROUP_NAME,
  logStreamName: process.env.AWS_LAMBDA_LOG_STREAM_NAME,
  getRemainingTimeInMillis: () => Math.max(0, deadlineMs - Date.now()),
});

const run = async (handler: LambdaHandler, invocation: Invocation): Promise<FunctionThreadMessage> => {
  try {
    const answer = await handler(JSON.parse(invocation.eventJson), contextOf(invocation));
    const json = JSON.stringify(answer) ?? 'null';
    if (Buffer.byteLength(json) <= RESPONSE_BYTES_MAX) return { kind: 'answered', json };
    const errorMessage = `Response payload size exceeded maximum allowed payload size (${RESPONSE_BYTES_MAX} bytes).`;
    return { kind: 'failed', error: { errorType: 'Function.ResponseSizeTooLarge', errorMessage } };
  } catch (error) {
    return { kind: 'failed', error: failure(error) };
  }
};

/**
 * Output reaches the runner only while this thread's event loop runs, so all output must be written before the freeze.
 */
const flushed = (stream: NodeJS.WriteStream): Promise<void> => new Promise((done) => stream.write('', () => done()));

const serve = async (handler: LambdaHandler): Promise<never> => {
  const shrink = createShrink();
  for (;;) {
    if (Atomics.wait(signal, 0, 0, IDLE_MS) === 'timed-out') {
      shrink();
      Atomics.wait(signal, 0, 0);
    }
    Atomics.store(signal, 0, 0);
    const received = receiveMessageOnPort(data.port);
    if (!received) continue;
    // During these turns of the event loop the thread detects sockets that the other side closed during the freeze,
    // before a handler uses them.
    await turn();
    await turn();
    const answer = await run(handler, received.message as Invocation);
    await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
    post(answer);
  }
};

plantSharedClock(data.clock);
if (process.env.NODE_OPTIONS?.includes('--enable-source-maps')) setSourceMapsSupport(true);
let handler: LambdaHandler | undefined;
try {
  handler = await load();
  // Without this call the cache is written only at a regular exit, which a thread rarely has.
  flushCompileCache();
  post({ kind: 'ready' });
} catch (error) {
  post({ kind: 'init-failed', error: failure(error) });
}
if (handler) await serve(handler);
