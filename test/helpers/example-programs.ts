/** Programs of docs/examples that mirror data, run as a reader runs them. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

export const EXAMPLES = join(import.meta.dirname, '../../docs/examples');
export const RECIPES = { ts: process.execPath, py: 'python3' } as const;
export type Language = keyof typeof RECIPES;

export type Fields = Readonly<Record<string, unknown>>;

interface Ended {
  status: number | null;
  out: string;
}

/** @param killAfterMs after which it is killed: then status null, unless it ended before */
export const run = async (
  program: string,
  args: string[],
  environment: Record<string, string>,
  killAfterMs?: number,
): Promise<Ended> => {
  const child = spawn(program, args, { env: { PATH: process.env.PATH, HOME: '/nowhere', ...environment } });
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  const [out, told] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  clearTimeout(timer);
  if (child.signalCode === 'SIGKILL' && killAfterMs !== undefined) return { status: null, out };
  if (child.exitCode !== 0)
    throw new Error(`${args[0]} ended with ${child.exitCode ?? child.signalCode}: ${told}${out}`);
  return { status: 0, out };
};

/** The program's last line begins with a number. */
export const countOf = ({ status, out }: Ended): number | null => {
  if (status === null) return null;
  const count = /^(\d+) \w+$/.exec(out.trim().split('\n').at(-1)!)?.[1];
  if (count === undefined) throw new Error(`no count in ${out}`);
  return Number(count);
};
