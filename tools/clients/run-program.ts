/** Runs a program. If the program fails, the error contains the end of its output. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const TIMEOUT_MS = 300_000;
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;
const TOLD_CHARS = 4_000;

/** Thrown when a program or package is neither installed on this machine nor available at a reachable registry. */
export class CannotHave extends Error {
  constructor(what: string) {
    super(what);
    this.name = 'CannotHave';
  }
}

export interface Program {
  program: string;
  args: string[];
  cwd?: string;
  /** Folder in which the operating system searches programs first. */
  path?: string;
  environment?: Record<string, string>;
}

const environmentOf = ({ path, environment }: Program): NodeJS.ProcessEnv => ({
  ...process.env,
  ...(path === undefined ? {} : { PATH: `${path}:${process.env.PATH}` }),
  ...environment,
});

/** Resolves with the program's output. Throws `CannotHave` when the program does not exist. */
export const runProgram = async (program: Program): Promise<string> => {
  try {
    const { stdout } = await promisify(execFile)(program.program, program.args, {
      timeout: TIMEOUT_MS,
      maxBuffer: OUTPUT_BYTES_MAX,
      env: environmentOf(program),
      ...(program.cwd === undefined ? {} : { cwd: program.cwd }),
    });
    return stdout;
  } catch (error) {
    const { code, stdout = '', stderr = '', message } = error as Error & Record<'code' | 'stdout' | 'stderr', string>;
    if (code === 'ENOENT') throw new CannotHave(`${program.program} is not installed`);
    throw new Error(`${program.program}: ${`${stdout}\n${stderr}`.trim().slice(-TOLD_CHARS) || message}`);
  }
};
