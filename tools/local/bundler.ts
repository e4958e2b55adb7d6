/**
 * The runner's side of the process that bundles functions: a called function is bundled first, and all other functions
 * in the background.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { BundlerReport, BundlerRequest } from './bundler-process.ts';
import type { OnLost } from './processes.ts';

const PROCESS = join(import.meta.dirname, 'bundler-process.ts');
const ENDED = 'the process that bundles functions ended';

export interface Bundler {
  /** Resolves when the function's bundle is valid. @throws Error if it cannot be bundled */
  function(id: string): Promise<void>;
  /** Resolves when the dashboard is built or cannot be built. */
  dashboard(): Promise<void>;
  /** Number of functions that have no valid bundle when the bundler starts. */
  missing: Promise<number>;
  /** Bundles everything that is still missing. */
  rest(): Promise<void>;
  close(): Promise<void>;
}

export const startBundler = (onLost: OnLost): Bundler => {
  const child = fork(PROCESS, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const exited = once(child, 'exit');
  const functions = new Map<string, PromiseWithResolvers<void>>();
  const dashboard = Promise.withResolvers<void>();
  const missing = Promise.withResolvers<number>();
  let isEnded = false;
  let isClosed = false;

  const slotOf = (id: string): PromiseWithResolvers<void> => {
    const known = functions.get(id) ?? Promise.withResolvers<void>();
    // Without this handler, the failure of a function would be an unhandled rejection if no call waits for the
    // function.
    known.promise.catch(() => {});
    functions.set(id, known);
    return known;
  };
  const send = (request: BundlerRequest): void => {
    if (child.connected) child.send(request);
  };
  const resolveAll = (ids: readonly string[]): void => {
    for (const id of ids) slotOf(id).resolve();
  };
  const fail = (ids: Iterable<string>, message: string): void => {
    for (const id of ids) slotOf(id).reject(new Error(message));
  };

  child.on('message', (report: BundlerReport) => {
    if ('valid' in report) {
      resolveAll(report.valid);
      missing.resolve(report.missing);
    } else if ('bundled' in report) resolveAll(report.bundled);
    else if ('failed' in report) {
      console.error(`cannot bundle ${report.failed.join(', ')}: ${report.message}`);
      fail(report.failed, report.message);
    } else if ('dashboard' in report) {
      if (report.failure !== undefined) console.error(`cannot build the dashboard: ${report.failure}`);
      dashboard.resolve();
    }
  });
  child.on('exit', (code) => {
    isEnded = true;
    fail([...functions.keys()], ENDED);
    dashboard.resolve();
    missing.resolve(0);
    if (code !== 0 && !isClosed) onLost(ENDED);
  });

  return {
    function(id) {
      const isNew = !functions.has(id);
      const { promise, reject } = slotOf(id);
      if (isNew && isEnded) reject(new Error(ENDED));
      else if (isNew) send({ call: id });
      return promise;
    },
    dashboard() {
      send({ page: true });
      return dashboard.promise;
    },
    missing: missing.promise,
    async rest() {
      send({ rest: true });
      await exited;
    },
    async close() {
      isClosed = true;
      if (child.connected) child.disconnect();
      await exited;
    },
  };
};
