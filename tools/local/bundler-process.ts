/**
 * Bundles functions in a separate process, because esbuild and Vite would otherwise stay in memory. The parent reports
 * each call of a function, and this process bundles the called function at once. When the parent reports that the stack
 * is up, this process bundles all other functions. It ends when everything is bundled, or when its parent ends.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Bundled, type Bundles, openBundles, variantSource } from '#infra/bundle.ts';
import { buildDashboard } from '#infra/web/build.ts';

export type BundlerRequest =
  /** The message `call` contains the id of a function that was called. */
  { call: string } | { page: true } | { rest: true };
export type BundlerReport =
  /**
   * The first report: functions whose bundles of an earlier start are still valid, and the number of functions without
   * a valid bundle.
   */
  | { valid: string[]; missing: number }
  | { bundled: string[] }
  | { failed: string[]; message: string }
  | { dashboard: true; failure?: string };

/**
 * Number of functions that one esbuild run builds in the background. Four functions share most of the work of a run,
 * and a call that must wait for the end of such a run waits only briefly.
 */
const CHUNK = 4;
/**
 * Time without a call after which the background work starts. During the first calls, the background work would slow
 * them down.
 */
const QUIET_MS = 1_000;

/** Sends a report. If the parent is gone, this process ends, because nobody waits for a bundle. */
const report = (message: BundlerReport): void =>
  void process.send?.(message, undefined, undefined, (error) => {
    if (error !== null) process.exit(0);
  });
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const open = (): Bundles => {
  try {
    return openBundles();
  } catch (error) {
    console.error(messageOf(error));
    process.exit(1);
  }
};

const bundles = open();
const pending = new Map(bundles.stale.map((fn) => [fn.functionId, fn]));
const known = new Set([...bundles.valid, ...pending.keys()]);

/** Returns the function and all pending functions that share its code. */
const withVariants = (fn: Bundled): Bundled[] => {
  const source = variantSource(fn);
  return source === null ? [fn] : [...pending.values()].filter((each) => variantSource(each) === source);
};

const build = async (wanted: Bundled[]): Promise<void> => {
  const ids = wanted.map(({ functionId }) => functionId);
  for (const id of ids) pending.delete(id);
  try {
    await bundles.build(wanted);
    report({ bundled: ids });
  } catch (error) {
    if (wanted.length === 1) report({ failed: ids, message: messageOf(error) });
    // If the build of the group failed, build each function separately, so that one broken function does not block the
    // others.
    else for (const fn of wanted) await build([fn]);
  }
};

const buildRest = async (): Promise<void> => {
  for (let [next] = pending.values(); next !== undefined; [next] = pending.values()) {
    const chunk = variantSource(next) === null ? [...pending.values()].filter((fn) => variantSource(fn) === null) : [];
    await build(chunk.length > 0 ? chunk.slice(0, CHUNK) : withVariants(next));
  }
};

/** Builds that were started by calls. */
const called: Promise<void>[] = [];

let calledMs = 0;
let dashboard: Promise<void> | undefined;

const buildPage = async (): Promise<void> => {
  const failure = await buildDashboard().then(() => undefined, messageOf);
  report({ dashboard: true, ...(failure === undefined ? {} : { failure }) });
};

const page = (): Promise<void> => {
  dashboard ??= buildPage();
  return dashboard;
};

const buildAll = async (): Promise<void> => {
  if (pending.size > 0) while (performance.now() - calledMs < QUIET_MS) await sleep(QUIET_MS / 10);
  await page();
  await buildRest();
  await Promise.all(called);
  process.disconnect();
};

process.on('message', (request: BundlerRequest) => {
  calledMs = performance.now();
  if ('rest' in request) return void buildAll();
  if ('page' in request) return void page();
  const { call } = request;
  const fn = pending.get(call);
  if (!known.has(call)) report({ failed: [call], message: 'there is no such function' });
  else if (fn) called.push(build(withVariants(fn)));
});
// Ctrl-C and a closed terminal also reach the parent. The parent then disconnects, which ends this process, so the
// signals are ignored here.
for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) process.on(signal, () => {});
process.on('disconnect', () => {
  bundles.save();
  process.exit(0);
});

// The parent may have disconnected while this process loaded and did not listen yet.
if (!process.connected) process.exit(0);
report({ valid: bundles.valid, missing: pending.size });
