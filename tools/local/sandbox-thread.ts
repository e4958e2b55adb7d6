/** The thread in which the sandboxes run. It sets the virtual clock before it loads the sandboxes' modules. */
import { parentPort, workerData } from 'node:worker_threads';
import type { RunningSandbox, SandboxModule, SandboxThreadData } from './sandboxes.ts';
import { plantSharedClock, sharedNowMs } from './shared-clock.ts';

const { clock, modules } = workerData as SandboxThreadData;
plantSharedClock(clock);

type Factory = (options: { now(): number }) => { listen(port: number): Promise<string> };

const start = async ({ server, factory, credentials }: SandboxModule): Promise<RunningSandbox> => {
  const create = ((await import(server)) as Record<string, unknown>)[factory];
  if (typeof create !== 'function') throw new Error(`${server} exports no ${factory}`);
  const url = await (create as Factory)({ now: () => sharedNowMs(clock) }).listen(0);
  const known = credentials === undefined ? {} : ((await import(credentials)) as Record<string, unknown>);
  return { url, credentials: JSON.parse(JSON.stringify(known.SANDBOX_CREDENTIALS ?? null)) };
};

const running = await Promise.all(modules.map(async (module) => [module.code, await start(module)] as const));
parentPort?.postMessage(Object.fromEntries(running));
// The thread does not end here, because the open servers of the sandboxes keep it alive.
