/**
 * Makes the process a function of a seed: timers, sleeps, randomness, ids and compression no longer reach the system.
 * Load it before the code under test, because imports of built-in modules are bound when a module is loaded.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { registerHooks, syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';
import zlib from 'node:zlib';

/** Owner of the code that runs now; when it dies, its timers die with it. */
export interface Owner {
  isDead: boolean;
  /** How far its clock is ahead of the true time; negative when behind. */
  skewMs: number;
  /** Answers the owner's calls; if absent, the machine does. */
  answer?: <T>(apply: () => T) => Promise<T>;
}

export const owners = new AsyncLocalStorage<Owner>();

export interface Timer {
  owner: Owner | undefined;
  dueMs: number;
  everyMs: number | null;
  /** The owner waits for this timer; other timers only watch over working owners. */
  isSleep: boolean;
  fire: () => void;
}

interface Process {
  nowMs: number;
  timers: Set<Timer>;
  /** Returns a number from 0 to 1. */
  random: () => number;
}

export const virtual: Process = { nowMs: 0, timers: new Set(), random: Math.random };

/** The time on the clock of the running worker, in milliseconds since the epoch. */
export const clockMs = (): number => virtual.nowMs + (owners.getStore()?.skewMs ?? 0);

const realSetImmediate = globalThis.setImmediate;

/** One round of the event loop: promises, streams, callbacks. */
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

/** The thread pool would answer at an unpredictable time. */
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
  // Makes ids predictable. Keys and nonces stay random, because nothing is ordered by them.
  globalThis.crypto.getRandomValues = <T extends ArrayBufferView | null>(bytes: T): T => {
    if (bytes instanceof Uint8Array)
      for (let n = 0; n < bytes.length; n++) bytes[n] = Math.floor(virtual.random() * 256);
    return bytes;
  };
};
