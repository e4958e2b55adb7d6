/** What another process computed: on a busy machine it says more than the time that passed. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
/** Fields 14 and 15 of proc(5), counted after the name, which may hold blanks and parentheses. */
const USER_TICKS = 11;

/** Seconds since it began; 0 where the system does not tell (it is no Linux, or the process is gone). */
export const processSeconds = (pid: number | undefined): number => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[USER_TICKS]) + Number(fields[USER_TICKS + 1])) / ticksPerSecond;
  } catch {
    return 0;
  }
};

/** Of the processes that this one started and that still run: a table of its own, say. */
export const childrenSeconds = (): number => {
  try {
    const pids = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean);
    return pids.reduce((sum, pid) => sum + processSeconds(Number(pid)), 0);
  } catch {
    return 0;
  }
};
