/** CPU time of another process: on a busy machine it is more meaningful than elapsed time. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
/** Fields 14 and 15 of proc(5), counted after the name, which may contain blanks and parentheses. */
const USER_TICKS = 11;

/** CPU seconds since the process began; 0 if unknown (not Linux, or the process has ended). */
export const processSeconds = (pid: number | undefined): number => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[USER_TICKS]) + Number(fields[USER_TICKS + 1])) / ticksPerSecond;
  } catch {
    return 0;
  }
};

/** CPU seconds of the running child processes, for example a table. */
export const childrenSeconds = (): number => {
  try {
    const pids = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean);
    return pids.reduce((sum, pid) => sum + processSeconds(Number(pid)), 0);
  } catch {
    return 0;
  }
};
