/** Installs a program of others into a folder of its own, once for each set of versions. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CannotHave, runProgram } from '#tools/clients/run-program.ts';
import { installed } from '#tools/python/venv.ts';
import type { ForeignProgram } from './programs.ts';

const ROOT = join(import.meta.dirname, '../..');
const PYTHON = join(import.meta.dirname, 'python');
const NPM = join(import.meta.dirname, 'npm');

export interface Startable {
  program: string;
  args: string[];
}

const requirementsOf = ({ script }: ForeignProgram): string => join(PYTHON, `${script}.txt`);

/** Returns the pinned version. */
export const readVersion = (program: ForeignProgram): string => {
  const { name, packages } = program;
  const pins = packages === undefined ? readFileSync(requirementsOf(program), 'utf8') : `${name}==${packages[name]}`;
  const line = pins.split('\n').find((each) => each.startsWith(`${name}==`));
  if (line === undefined) throw new Error(`${name} is not pinned`);
  return line.slice(`${name}==`.length);
};

const installPython = async (program: ForeignProgram): Promise<Startable> => {
  const { programs, reason } = await installed(`.venv-programs/${program.script}`, requirementsOf(program));
  if (programs === undefined) throw new CannotHave(reason);
  return { program: join(programs, 'python'), args: [join(PYTHON, `${program.script}.py`)] };
};

/** Node looks for packages in the script's folder, so the script is copied there. */
const installNpm = async ({ script, packages }: ForeignProgram): Promise<Startable> => {
  const folder = join(ROOT, '.venv-programs', script);
  const pinned = `${JSON.stringify({ private: true, dependencies: packages }, null, 2)}\n`;
  const held = join(folder, 'installed.json');
  if (!existsSync(held) || readFileSync(held, 'utf8') !== pinned) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), pinned);
    const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
    await runProgram({ program: 'npm', args, cwd: folder }).catch((error: Error) => {
      throw new CannotHave(`npm cannot install it: ${error.message}`);
    });
    writeFileSync(held, pinned);
  }
  const copy = join(folder, `${script}.mjs`);
  copyFileSync(join(NPM, `${script}.mjs`), copy);
  return { program: process.execPath, args: [copy] };
};

/** @throws CannotHave if the registry or the language is missing on this machine */
export const installProgram = (program: ForeignProgram): Promise<Startable> =>
  program.from === 'PyPI' ? installPython(program) : installNpm(program);
