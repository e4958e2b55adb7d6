/**
 * Makes the process a function of a seed: timers, sleeps, randomness, ids and compression no longer reach the system.
 * Must be loaded before the code under test, whose imports of built-in modules are bound when it is loaded.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { registerHooks, syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';
import zlib from 'node:zlib';

/** Whatever runs now belongs to one of these; when it dies, its timers die with it. */
export interface Owner {
  isDead: boolean;
  /** How far its clock goes before the true time; negative: behind. */
  skewMs: number;
  /** Answers its calls in its own time; absent: the machine does. */
  answer?: <T>(apply: () => T) => Promise<T>;
}

export const owners = new AsyncLocalStorage<Owner>();

export interface Timer {
  owner: Owner | undefined;
  dueMs: number;
  everyMs: number | null;
  /** Somebody waits for it; other timers only look after those who work. */
  isSleep: boolean;
  fire: () => void;
}

interface Process {
  nowMs: number;
  timers: Set<Timer>;
  /** From 0 to 1. */
  random: () => number;
}

export const virtual: Process = { nowMs: 0, timers: new Set(), random: Math.random };

/** The time as the machine of the running worker tells it, in milliseconds since the epoch. */
export const clockMs = (): number => virtual.nowMs + (owners.getStore()?.skewMs ?? 0);

const realSetImmediate = globalThis.setImmediate;

/** One round of whatever goes on by itself: promises, streams, callbacks. */
export const settle = (): Promise<void> => new Promise((resolve) => realSetImmediate(resolve));

class Handle {
  readonly timer: Timer;
  constructor(timer: Timer) {
    this.timer = timer;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  hasRef(): boolean {
    return true;
  }
}

const start = (fire: () => void, ms: number, everyMs: number | null, isSleep = false): Handle => {
  const timer: Timer = { owner: owners.getStore(), dueMs: virtual.nowMs + Math.max(0, ms), everyMs, isSleep, fire };
  virtual.timers.add(timer);
  return new Handle(timer);
};

const clear = (handle: unknown): void => {
  if (handle instanceof Handle) virtual.timers.delete(handle.timer);
};

const sleep = <T>(ms = 0, value?: T, options: { signal?: AbortSignal } = {}): Promise<T> => {
  const { signal } = options;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const handle = start(
      () => {
        signal?.removeEventListener('abort', stop);
        resolve(value as T);
      },
      ms,
      null,
      true,
    );
    const stop = (): void => {
      clear(handle);
      reject(new DOMException('The operation was aborted', { name: 'AbortError', cause: signal?.reason }));
    };
    signal?.addEventListener('abort', stop, { once: true });
  });
};

type Callback = (error: Error | null, result?: Buffer) => void;

/** The thread pool answers when it likes. */
const atOnce =
  (task: (bytes: Uint8Array, options?: object) => Buffer) =>
  (bytes: Uint8Array, ...rest: [Callback] | [object, Callback]): void => {
    const callback = rest.at(-1) as Callback;
    try {
      callback(null, task(bytes, rest.length === 2 ? (rest[0] as object) : undefined));
    } catch (error) {
      callback(error as Error);
    }
  };

const quickSecrets = new URL('quick-secrets.ts', import.meta.url).href;

export const makeVirtual = (): void => {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier.endsWith('/platform/crypto.ts') ? { url: quickSecrets, shortCircuit: true } : next(specifier, context),
  });
  Object.assign(zlib, {
    gzip: atOnce(zlib.gzipSync),
    gunzip: atOnce(zlib.gunzipSync),
    deflate: atOnce(zlib.deflateSync),
    inflate: atOnce(zlib.inflateSync),
  });
  Object.assign(timersPromises, { setTimeout: sleep, setImmediate: async (value: unknown) => value });
  syncBuiltinESMExports();
  Object.assign(globalThis, {
    setTimeout: (fire: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) =>
      start(() => fire(...given), ms, null),
    setInterval: (fire: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) =>
      start(() => fire(...given), ms, ms),
    clearTimeout: clear,
    clearInterval: clear,
  });
  AbortSignal.timeout = (ms) => {
    const controller = new AbortController();
    start(() => controller.abort(new DOMException('signal timed out', 'TimeoutError')), ms, null);
    return controller.signal;
  };
  Math.random = () => virtual.random();
  performance.now = () => virtual.nowMs;
  // Ids; keys and nonces stay random, nothing is ordered by them.
  globalThis.crypto.getRandomValues = <T extends ArrayBufferView | null>(bytes: T): T => {
    if (bytes instanceof Uint8Array)
      for (let n = 0; n < bytes.length; n++) bytes[n] = Math.floor(virtual.random() * 256);
    return bytes;
  };
};
