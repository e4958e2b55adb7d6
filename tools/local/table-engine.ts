/**
 * Chooses the table engine: dynoxide, which is fast and exists for Linux x64, else the table of the emulator that
 * `verify:deploy` uses, which comes from PyPI and runs on every platform with Python. `LOCAL_TABLE` selects one.
 */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { installed } from '#tools/python/venv.ts';

export interface TableEngine {
  /** Name; together with the path of the data, it also identifies the engine's command line. */
  name: 'dynoxide' | 'ministack';
  program: string;
  /** @param data path of the engine's data */
  args(port: number, data: string): string[];
  environment(port: number, data: string): Record<string, string>;
  startTimeoutMs: number;
  /** Time for the engine to write its data. */
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

/** The emulator never sees the data path among its arguments; it only identifies a left-over process. */
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
    // The data is written when the emulator ends: a killed one loses everything since its start.
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
    // On another platform, uses the program in the PATH.
  }
  return spawnSync('dynoxide', ['--version']).status === 0 ? 'dynoxide' : undefined;
};

/**
 * @param choice `dynoxide`, `emulator`, or undefined for the faster available one. Throws a one-line error when none is
 * available.
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
