/**
 * `npm run bench:months`: months of growing size through the worker of a scope, each in a process of its own, with its
 * peak memory and time. `--scope tax.rcv --sizes 1000,10000,100000`. Starts a stack of its own.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { connect } from '#infra/local/demo/steps.ts';
import { withStack } from '#infra/local/demo/with-stack.ts';
import type { StackFile } from '#infra/local/seed.ts';

const run = promisify(execFile);
/** As the function has it (functions/workers/sync-scope/contract.ts), less what the process has beside the heap. */
const HEAP_MIB = 400;
const MEMORY_MIB = 512;

interface Measured {
  status: string;
  errorCode: string | null;
  errorMessage: string | null;
  found: number;
  created: number;
  updated: number;
  invocations: number;
  seconds: number;
  peakMiB: number;
}

const { values } = parseArgs({
  options: {
    scope: { type: 'string', default: 'tax.rcv' },
    sizes: { type: 'string', default: '1000,10000,100000' },
    period: { type: 'string', default: new Date(Date.now() - 40 * 86_400_000).toISOString().slice(0, 7) },
  },
});

const [source, scope] = values.scope.split('.') as [string, string];

/** The sandbox's first login gets a month of that size. */
const setSize = async (stack: StackFile, documents: number): Promise<void> => {
  const { base_url, credentials } = stack.sandbox[source]!;
  const [login] = Object.entries(credentials)[0]! as [string, string];
  const body = JSON.stringify({ [login]: credentials[login], period: values.period, documents });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${base_url}/_sandbox/knobs`, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(`the sandbox refuses the size: ${await answer.text()}`);
};

const measure = async (stack: StackFile, dataFolder: string, connectionId: string): Promise<Measured> => {
  const job = {
    environmentFile: join(dataFolder, 'environment.json'),
    organizationId: stack.organization_id,
    connectionId,
    runId: randomUUID(),
    source,
    scope,
  };
  const { stdout } = await run(
    process.execPath,
    [
      `--max-old-space-size=${HEAP_MIB}`,
      join(import.meta.dirname, 'month-worker.ts'),
      JSON.stringify(job),
      values.period,
    ],
    { maxBuffer: 64 * 1024 * 1024 },
  );
  return JSON.parse(stdout.trim().split('\n').at(-1)!) as Measured;
};

const line = (what: string, measured: Measured): string => {
  const { status, errorCode, errorMessage, found, created, updated, invocations, seconds, peakMiB } = measured;
  const rows = `${found} found, ${created} created, ${updated} updated`;
  const cost = `${seconds.toFixed(1)} s in ${invocations} invocations, peak ${peakMiB.toFixed(0)} MiB`;
  return `${what.padEnd(22)} ${status}${errorCode ? ` ${errorCode}: ${errorMessage}` : ''}  ${rows}  ${cost}`;
};

const dataFolder = mkdtempSync(join(tmpdir(), 'bench-months-'));
try {
  process.env.PORT = '0';
  await withStack(dataFolder, async (stack) => {
    for (const documents of values.sizes.split(',').map(Number)) {
      await setSize(stack, documents);
      const connectionId = await connect(stack, source);
      const first = await measure(stack, dataFolder, connectionId);
      console.log(line(`${documents} rows`, first));
      const again = await measure(stack, dataFolder, connectionId);
      console.log(line('  again', again));
      if (first.status !== 'ok' || first.peakMiB > MEMORY_MIB || again.created > 0) process.exitCode = 1;
    }
  });
} finally {
  rmSync(dataFolder, { recursive: true, force: true });
}
