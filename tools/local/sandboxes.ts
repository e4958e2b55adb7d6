/**
 * Starts the simulated institutions, each as an HTTP server. All of them run in one separate thread, so that they do
 * not delay the stack's other servers.
 */
import { existsSync, globSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { pascal } from '#infra/names.ts';
import { sourceBaseUrlVariable } from '#shared/platform/needs.ts';
import type { VirtualClock } from './clock.ts';
import type { OnLost } from './processes.ts';

export interface RunningSandbox {
  url: string;
  /** The module's export `SANDBOX_CREDENTIALS`. */
  credentials: unknown;
}

export interface SandboxModule {
  /** Code of the source. */
  code: string;
  /** URL of the module that exports `factory`. */
  server: string;
  factory: string;
  /** URL of the module that exports `SANDBOX_CREDENTIALS`; undefined if no module does. */
  credentials: string | undefined;
}

export interface SandboxThreadData {
  clock: SharedArrayBuffer;
  modules: SandboxModule[];
}

export interface Sandboxes {
  running: Readonly<Record<string, RunningSandbox>>;
  close(): Promise<void>;
}

/**
 * Returns a sandbox for every source folder with a `sandbox/server.ts`, which exports `create<Code>Sandbox`; a new
 * source therefore needs no registration. A source for which the operator names another server gets no sandbox.
 */
export const findSandboxes = (
  sourcesFolder: string,
  operator: Readonly<Record<string, string | undefined>>,
): SandboxModule[] =>
  globSync('*/sandbox/server.ts', { cwd: sourcesFolder })
    .sort()
    .map((file) => {
      const code = basename(dirname(dirname(file)));
      const credentials = join(sourcesFolder, dirname(file), 'credentials.ts');
      return {
        code,
        server: pathToFileURL(join(sourcesFolder, file)).href,
        factory: `create${pascal(code)}Sandbox`,
        credentials: existsSync(credentials) ? pathToFileURL(credentials).href : undefined,
      };
    })
    .filter(({ code }) => !operator[sourceBaseUrlVariable(code)]);

/** Starts all sandboxes. Rejects when one of them does not start. */
export const startSandboxes = async (
  modules: readonly SandboxModule[],
  clock: VirtualClock,
  onLost: OnLost = console.error,
): Promise<Sandboxes> => {
  if (modules.length === 0) return { running: {}, close: async () => {} };
  const workerData: SandboxThreadData = { clock: clock.shared, modules: [...modules] };
  const thread = new Worker(new URL('./sandbox-thread.ts', import.meta.url), { workerData });
  const running = await new Promise<Record<string, RunningSandbox>>((resolve, reject) => {
    thread.once('error', reject);
    thread.once('message', resolve);
  });
  thread.removeAllListeners('error');
  let isClosing = false;
  let cause = 'it exited';
  thread.on('error', (error) => {
    cause = error.message;
  });
  thread.once('exit', () => {
    if (!isClosing) onLost(`the thread of the simulated institutions ended: ${cause}`);
  });
  return {
    running,
    async close() {
      isClosing = true;
      await thread.terminate();
    },
  };
};
