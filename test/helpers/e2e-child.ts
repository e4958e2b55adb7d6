/** `npm start` as a separate process, so that a test can kill it at any moment. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readStackFile, type StackFile } from '#tools/local/stack-file.ts';
import { createDoors, type Doors, leaveEvening } from './e2e-doors.ts';
import { createIntegrator, type Integrator, until } from './e2e-integrator.ts';

const ROOT = join(import.meta.dirname, '../..');
export const START = join(ROOT, 'tools/local/start.ts');

/**
 * Environment variable: the data folder that every stack starts with (e2e-restored.ts); if not set, an empty folder.
 */
export const FILLED_FOLDER = 'E2E_FILLED_FOLDER';

/** A new data folder for one stack. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'e2e-'));
  const filled = process.env[FILLED_FOLDER];
  if (filled !== undefined) cpSync(filled, folder, { recursive: true });
  return folder;
};

/** Environment of the process. With its code compiled before, it starts in two thirds of the time. */
export const startEnvironment = (dataFolder: string): NodeJS.ProcessEnv => ({
  ...process.env,
  DATA_DIR: dataFolder,
  PORT: '0',
  NODE_COMPILE_CACHE: join(ROOT, 'dist/compiled'),
});

export interface ChildStack {
  file: StackFile;
  api: Integrator;
  doors: Doors;
  /** `kill -9`: the process closes and writes nothing. */
  kill(): Promise<void>;
  /** Ends it as Ctrl-C does. */
  end(): Promise<void>;
}

const answers = async (file: StackFile): Promise<boolean> => {
  try {
    return (await fetch(`${file.api}/external-sources`)).ok;
  } catch {
    return false; // The file belongs to the killed process.
  }
};

/** @param environment variables in addition to those of this process */
export const startChild = async (dataFolder: string, environment: Record<string, string> = {}): Promise<ChildStack> => {
  const child = spawn(process.execPath, [START], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...startEnvironment(dataFolder), ...environment },
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
