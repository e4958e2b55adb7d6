/**
 * Chooses the table engine. dynoxide is fast and exists for Linux x64. On other platforms the engine is the table of
 * ministack, the emulator that `verify:deploy` uses; it comes from PyPI and runs on every platform with Python.
 * `LOCAL_TABLE` selects an engine.
 */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { installed } from '#tools/python/venv.ts';

export interface TableEngine {
  /**
   * Name of the engine. The name and the path of the data occur in the engine's command line, by which a later start
   * recognizes the process.
   */
  name: 'dynoxide' | 'ministack';
  program: string;
  /** Returns the arguments of the program. @param data path of the engine's data */
  args(port: number, data: string): string[];
  environment(port: number, data: string): Record<string, string>;
  startTimeoutMs: number;
  /** Time that the engine gets to write its data when it ends. */
  endTimeoutMs: number;
}

const REQUIREMENTS = join(import.meta.dirname, '../verify/requirements.txt');
const CHOICES = ['dynoxide', 'emulator'];

const dynoxide = (program: string): TableEngine => ({
  name: 'dynoxide',
  program,
  args: (port, data) => ['serve', '--host', '127.0.0.1', '--port', String(port), '--db-path', data],
  environment: () => ({}),
  startTimeoutMs: 10_000,
  endTimeoutMs: 5_000,
});

/**
 * Python code that starts the emulator. It removes the data path from the arguments, because this path is only there to
 * recognize a process that an earlier start left running.
 */
const START_MINISTACK = 'import sys; sys.argv.pop(); from ministack.app import main; sys.exit(main())';

const emulator = (programs: string): TableEngine => ({
  name: 'ministack',
  program: join(programs, 'python'),
  args: (_port, data) => ['-c', START_MINISTACK, data],
  environment: (port, data) => ({
    BIND_HOST: '127.0.0.1',
    GATEWAY_PORT: String(port),
    SERVICES: 'dynamodb',
    IOT_MTLS_ENABLED: '0',
    SFTP_ENABLED: '0',
    // The emulator writes its data only when it ends. If it is killed, all changes since its start are lost.
    PERSIST_STATE: '1',
    STATE_DIR: `${data}.state`,
  }),
  startTimeoutMs: 60_000,
  endTimeoutMs: 60_000,
});

const findDynoxide = (): string | undefined => {
  try {
    return createRequire(import.meta.url).resolve('@dynoxide/linux-x64/dynoxide');
  } catch {
    // If the package does not exist for this platform, the program in the PATH is used.
  }
  return spawnSync('dynoxide', ['--version']).status === 0 ? 'dynoxide' : undefined;
};

/**
 * Returns the chosen engine. Throws a one-line error when no engine is available.
 * @param choice `dynoxide` or `emulator`; undefined for the faster of the available engines
 */
export const chooseTableEngine = async (choice: string | undefined): Promise<TableEngine> => {
  if (choice && !CHOICES.includes(choice)) throw new Error(`LOCAL_TABLE must be ${CHOICES.join(' or ')}`);
  const program = choice === 'emulator' ? undefined : findDynoxide();
  if (program !== undefined) return dynoxide(program);
  if (choice === 'dynoxide')
    throw new Error('dynoxide is not installed: it exists for Linux x64 (github.com/nubo-db/dynoxide)');
  const { programs, reason } = await installed('.venv-emulator', REQUIREMENTS);
  if (programs !== undefined) return emulator(programs);
  throw new Error(
    `no table engine is available: dynoxide exists only for Linux x64, and the emulator cannot be installed (${reason}); ` +
      'install Python 3.10 or later, or set DYNAMODB_ENDPOINT to a DynamoDB Local',
  );
};
