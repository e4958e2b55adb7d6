/** The simulated institutions, each an HTTP server, all in one thread of their own: they keep no other server waiting. */
import { Worker } from 'node:worker_threads';
import type { VirtualClock } from './clock.ts';

export interface RunningSandbox {
  url: string;
  /** What the module exports as `SANDBOX_CREDENTIALS`. */
  credentials: unknown;
}

export interface SandboxModule {
  code: string;
  /** URL of the module. */
  module: string;
  /** Name of the function that makes the server. */
  factory: string;
}

export interface SandboxThreadData {
  clock: SharedArrayBuffer;
  modules: SandboxModule[];
}

export interface Sandboxes {
  running: Readonly<Record<string, RunningSandbox>>;
  close(): Promise<void>;
}

/** Rejects when a sandbox does not start. */
export const startSandboxes = async (modules: readonly SandboxModule[], clock: VirtualClock): Promise<Sandboxes> => {
  if (modules.length === 0) return { running: {}, close: async () => {} };
  const workerData: SandboxThreadData = { clock: clock.shared, modules: [...modules] };
  const thread = new Worker(new URL('./sandbox-thread.ts', import.meta.url), { workerData });
  const running = await new Promise<Record<string, RunningSandbox>>((resolve, reject) => {
    thread.once('error', reject);
    thread.once('message', resolve);
  });
  thread.on('error', (error) => console.error('sandbox thread:', error));
  return {
    running,
    async close() {
      await thread.terminate();
    },
  };
};
