/**
 * Ends child processes that continued to run after their runner was killed. The next start finds each such process by
 * its pid, and ends it only if it is certainly ours.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Called once if a process or thread that the stack needs ends before the stack closes it. */
export type OnLost = (reason: string) => void;

const END_GRACE_MS = 5_000;
const POLL_MS = 20;

/**
 * Returns the command line of a running process, with its arguments joined by blanks; undefined when the process does
 * not exist.
 */
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

/**
 * Sends SIGTERM to a process, and kills it after `graceMs` if it still runs. The caller must have checked that the
 * process is ours.
 */
export const endProcess = async (pid: number, isStillOurs: () => boolean, graceMs = END_GRACE_MS): Promise<void> => {
  const deadline = Date.now() + graceMs;
  for (let signal: NodeJS.Signals | 0 = 'SIGTERM'; isStillOurs(); signal = Date.now() > deadline ? 'SIGKILL' : 0) {
    try {
      process.kill(pid, signal);
    } catch {
      return; // The process ended before the signal.
    }
    await sleep(POLL_MS);
  }
};
