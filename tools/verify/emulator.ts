/**
 * Starts ministack, a process that emulates AWS on one port of this machine, without Docker. A patch makes ministack
 * refuse to delete a bucket with objects, as AWS does.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '#tools/local/loopback-server.ts';

export const REGION = 'us-east-1';
export const ACCOUNT = '000000000000';
const READY_TIMEOUT_MS = 60_000;
const POLL_MS = 200;

export interface Emulator {
  /** Address for all emulated services. */
  endpoint: string;
  /**
   * Environment for programs that call the emulator: endpoint, region and invalid credentials. The programs do not read
   * the operator's own AWS files.
   */
  environment: Record<string, string>;
  close(): Promise<void>;
}

const untilReady = async (endpoint: string, child: ChildProcess): Promise<void> => {
  const deadline = performance.now() + READY_TIMEOUT_MS;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the emulator ended with ${child.exitCode}`);
    const answer = await fetch(`${endpoint}/_ministack/health`).catch(() => undefined);
    if (answer?.ok) return;
    if (performance.now() > deadline) throw new Error('the emulator did not become ready');
    await sleep(POLL_MS);
  }
};

/**
 * Starts the emulator.
 * @param programs folder of the Python environment
 * @param folder folder for the emulator's files
 */
export const startEmulator = async (programs: string, folder: string): Promise<Emulator> => {
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  // Functions would call an emulator of this process that has ended.
  const { AWS_ENDPOINT_URL: _, ...inherited } = process.env;
  const log = openSync(join(folder, 'emulator.log'), 'a');
  const child = spawn(join(programs, 'python3'), [join(import.meta.dirname, 'strict_emulator.py')], {
    cwd: folder,
    stdio: ['ignore', log, log],
    env: {
      ...inherited,
      // The emulator runs functions with the first `node` in the PATH. This must be this project's Node instead of the
      // machine's.
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      BIND_HOST: '127.0.0.1',
      GATEWAY_PORT: String(port),
      IOT_MTLS_ENABLED: '0',
      SFTP_ENABLED: '0',
      LAMBDA_EXECUTOR: 'local',
      // AWS's default concurrency of an account. It is fixed, so that the pre-flight's result does not depend on this
      // machine.
      LAMBDA_ACCOUNT_CONCURRENCY: '1000',
      PERSIST_STATE: '0',
    },
  });
  await untilReady(endpoint, child);
  return {
    endpoint,
    environment: {
      AWS_ENDPOINT_URL: endpoint,
      AWS_REGION: REGION,
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_CONFIG_FILE: '/dev/null',
      AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
      AWS_EC2_METADATA_DISABLED: 'true',
      CDK_DISABLE_CLI_TELEMETRY: 'true',
    },
    close: async () => {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
};
