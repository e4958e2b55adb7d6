/** Child processes that outlive a killed runner: found again by pid, and ended only when they are surely ours. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Told once, when a part that the stack cannot do without ended although nobody closed it. */
export type OnLost = (reason: string) => void;

const END_GRACE_MS = 5_000;
const POLL_MS = 20;

/** The command line of a running process, arguments joined by blanks; undefined when there is no such process. */
export const readCommandLine = (pid: number): string | undefined => {
  if (!Number.isInteger(pid) || pid <= 1) return undefined;
  try {
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim() || undefined;
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
};

/** Asks a process once to end, and ends it when it does not. The caller has made sure that it is ours. */
export const endProcess = async (pid: number, isStillOurs: () => boolean, graceMs = END_GRACE_MS): Promise<void> => {
  const deadline = Date.now() + graceMs;
  for (let signal: NodeJS.Signals | 0 = 'SIGTERM'; isStillOurs(); signal = Date.now() > deadline ? 'SIGKILL' : 0) {
    try {
      process.kill(pid, signal);
    } catch {
      return; // Gone in between.
    }
    await sleep(POLL_MS);
  }
};
