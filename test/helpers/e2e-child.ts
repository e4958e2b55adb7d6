/** `npm start` as a process of its own, so that it can be killed as nobody should. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { readStackFile, type StackFile } from '#infra/local/stack-file.ts';
import { createDoors, type Doors } from './e2e-doors.ts';
import { createIntegrator, type Integrator, until } from './e2e-integrator.ts';
import { leaveEvening } from './e2e-stack.ts';

const START = join(import.meta.dirname, '../../infra/local/start.ts');

export interface ChildStack {
  file: StackFile;
  api: Integrator;
  doors: Doors;
  /** `kill -9`: nothing is closed, nothing is written. */
  kill(): Promise<void>;
  /** As Ctrl-C does. */
  end(): Promise<void>;
}

const answers = async (file: StackFile): Promise<boolean> => {
  try {
    return (await fetch(`${file.api}/external-sources`)).ok;
  } catch {
    return false; // The file is of the one that was killed.
  }
};

export const startChild = async (dataFolder: string): Promise<ChildStack> => {
  const child = spawn(process.execPath, [START], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DATA_DIR: dataFolder, PORT: '0' },
  });
  const exited = once(child, 'exit');
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await exited;
  };
  try {
    const file = await until('the stack', async () => {
      if (child.exitCode !== null) throw new Error(`the stack ended with ${child.exitCode}`);
      const found = readStackFile(dataFolder);
      return found && (await answers(found)) && found;
    });
    const doors = createDoors(file);
    await leaveEvening(doors);
    return {
      file,
      api: createIntegrator(file),
      doors,
      kill: () => stop('SIGKILL'),
      end: () => stop('SIGTERM'),
    };
  } catch (error) {
    await stop('SIGKILL');
    throw error;
  }
};
