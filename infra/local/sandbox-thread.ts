/** The thread in which the sandboxes run. The clock is planted before their modules are loaded. */
import { parentPort, workerData } from 'node:worker_threads';
import { plantSharedClock } from './clock.ts';
import type { RunningSandbox, SandboxThreadData } from './sandboxes.ts';

const { clock, modules } = workerData as SandboxThreadData;
plantSharedClock(clock);

type Factory = (options: object) => { listen(port: number): Promise<string> };

const start = async (module: string, factory: string): Promise<RunningSandbox> => {
  const exported = (await import(module)) as Record<string, unknown>;
  const create = exported[factory];
  if (typeof create !== 'function') throw new Error(`${module} exports no ${factory}`);
  const url = await (create as Factory)({}).listen(0);
  const credentials: unknown = exported.SANDBOX_CREDENTIALS ?? null;
  return { url, credentials: JSON.parse(JSON.stringify(credentials)) };
};

const running = await Promise.all(
  modules.map(async ({ code, module, factory }) => [code, await start(module, factory)] as const),
);
parentPort?.postMessage(Object.fromEntries(running));
// Servers of the sandboxes keep the thread alive.
