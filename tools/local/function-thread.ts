/**
 * One execution environment: a worker thread that loads the bundle once, is reused while warm, and handles one event at
 * a time. Between events it blocks in `Atomics.wait`, so that it is truly frozen, as on Lambda: no timer fires and no
 * socket is read until the next event. Work left behind by a handler shows here as it would there.
 */
import { flushCompileCache, setSourceMapsSupport } from 'node:module';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { getHeapStatistics } from 'node:v8';
import { type MessagePort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { plantSharedClock } from './shared-clock.ts';

/** An environment that nobody calls for so long gives back what it does not use, if it took so much since the last time. */
const IDLE_MS = 1_000;
const GROWN_BYTES_MIN = 4 * 1024 * 1024;
/** Lambda's limit on a synchronous answer. */
const RESPONSE_BYTES_MAX = 6 * 1024 * 1024;

export interface FunctionThreadData {
  port: MessagePort;
  /** 1 when an event waits on the port. */
  signal: SharedArrayBuffer;
  clock: SharedArrayBuffer;
  codeFolder: string;
  name: string;
  arn: string;
  memoryMb: number;
}

/** `eventJson` is a text, so that a handler can never share an object with the runner. */
export interface Invocation {
  requestId: string;
  eventJson: string;
  /** Milliseconds since the epoch, the machine's clock: a time-out is real time. */
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

// Ours alone: on Lambda a function has none. V8 does not let it be deleted.
const { gc } = globalThis;
globalThis.gc = undefined;

/** A frozen thread collects nothing by itself: without this it keeps a third more for garbage and empty pages. */
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

/** What is written reaches the runner only while this thread's loop turns: before it freezes, everything must be out. */
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
    // Sockets that the other side closed while we were frozen are noticed before they are used.
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
  // Else written at an orderly end, which a thread seldom has.
  flushCompileCache();
  post({ kind: 'ready' });
} catch (error) {
  post({ kind: 'init-failed', error: failure(error) });
}
if (handler) await serve(handler);
