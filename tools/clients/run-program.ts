/** A program with its last words when it fails. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const TIMEOUT_MS = 300_000;
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;
const TOLD_CHARS = 4_000;

/** Something that this machine has not: neither installed, nor at a registry within reach. */
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
  /** Folder that is looked in first for programs. */
  path?: string;
  environment?: Record<string, string>;
}

const environmentOf = ({ path, environment }: Program): NodeJS.ProcessEnv => ({
  ...process.env,
  ...(path === undefined ? {} : { PATH: `${path}:${process.env.PATH}` }),
  ...environment,
});

/** Resolves with what it wrote to its output. Throws `CannotHave` where there is no such program. */
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
