/**
 * `node test/bench/months.ts`: line 12. Months of growing size through the worker of a scope as deployed, with memory,
 * time and the cost of an additional row. `--scope tax.rcv --sizes 1000,10000,100000`. Starts its own stack; ends with
 * 1 if a month is not synchronized completely within the function's memory.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { connect } from '#tools/local/demo/steps.ts';
import { withStack } from '#tools/local/demo/with-stack.ts';
import type { StackFile } from '#tools/local/stack-file.ts';
import { type MonthRun, runMonth } from './month-runs.ts';
import { processSeconds } from './process-time.ts';
import { atMost, conclude, machine } from './report.ts';

/** The value in functions/workers/sync-scope/contract.ts. */
const MEMORY_MIB = 512;
const GROWTH_MAX = 1.2;

const { values } = parseArgs({
  options: {
    scope: { type: 'string', default: 'tax.rcv' },
    sizes: { type: 'string', default: '1000,10000,100000' },
    period: { type: 'string', default: new Date(Date.now() - 40 * 86_400_000).toISOString().slice(0, 7) },
  },
});
const [source, scope] = values.scope.split('.') as [string, string];
const sizes = values.sizes.split(',').map(Number);

/** The sandbox's first login gets a month of that size. */
const setSize = async (stack: StackFile, documents: number): Promise<void> => {
  const { base_url, credentials } = stack.sandbox[source]!;
  const [login] = Object.entries(credentials)[0]! as [string, string];
  // The time that the institution needs to make a file is not measured.
  const instantly = source === 'tax' ? { asyncDelayMs: 0 } : {};
  const body = JSON.stringify({ [login]: credentials[login], period: values.period, documents, ...instantly });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${base_url}/_sandbox/knobs`, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(`the sandbox refuses the size: ${await answer.text()}`);
};

const line = (what: string, run: MonthRun): string => {
  const { status, errorCode, errorMessage, found, created, updated, invocations, seconds, cpuSeconds } = run;
  const rows = `${found} found, ${created} created, ${updated} updated`;
  const cost = `${seconds.toFixed(1)} s (${cpuSeconds.toFixed(1)} s computing) in ${invocations} invocations`;
  const memory = `peak ${run.peakMiB.toFixed(0)} MiB, ${run.idleMiB.toFixed(0)} when loaded`;
  const fault = errorCode ? ` ${errorCode}: ${errorMessage}` : '';
  return `${what.padEnd(14)} ${status}${fault}  ${rows}  ${cost}, ${memory}`;
};

interface Month {
  documents: number;
  load: number;
  /** CPU time of the table during the first run. */
  tableSeconds: number;
  first: MonthRun;
  again: MonthRun;
}

/** Cost of an additional row between two sizes, in milliseconds. */
const marginal = (from: Month, to: Month) => {
  const rows = (to.documents - from.documents) / 1000;
  return {
    rows: `${from.documents} to ${to.documents}`,
    ms: (to.first.seconds - from.first.seconds) / rows,
    computingMs: (to.first.cpuSeconds - from.first.cpuSeconds) / rows,
    tableMs: (to.tableSeconds - from.tableSeconds) / rows,
  };
};

const dataFolder = mkdtempSync(join(tmpdir(), 'bench-months-'));
const months: Month[] = [];
try {
  process.env.PORT = '0';
  await withStack(dataFolder, async (stack) => {
    const environmentFile = join(dataFolder, 'environment.json');
    Object.assign(process.env, JSON.parse(readFileSync(environmentFile, 'utf8')), {
      AWS_ENDPOINT_URL_SQS: 'http://127.0.0.1:9',
    });
    const table = JSON.parse(readFileSync(join(dataFolder, 'dynamodb', 'dynoxide.json'), 'utf8')) as { pid: number };
    for (const documents of sizes) {
      await setSize(stack, documents);
      const connectionId = await connect(stack, source);
      const organizationId = stack.organization_id;
      const subject = { environmentFile, organizationId, connectionId, source, scope, period: values.period };
      const before = processSeconds(table.pid);
      const first = await runMonth(subject);
      const tableSeconds = processSeconds(table.pid) - before;
      console.log(line(`${documents} rows`, first), machine());
      const again = await runMonth(subject);
      console.log(line('  again', again), machine());
      months.push({ documents, load: machine().load, tableSeconds, first, again });
    }
  });
} finally {
  rmSync(dataFolder, { recursive: true, force: true });
}

const growth = months.slice(1).map((month, n) => marginal(months[n]!, month));
console.table(growth);
const isWhole = ({ first, again, documents }: Month): boolean =>
  first.status === 'ok' && first.found >= documents && again.created === 0;
const [small, large] = growth;
conclude(
  `months-${values.scope}`,
  [
    atMost(12, 'months that do not come in whole', {
      value: months.filter((month) => !isWhole(month)).length,
      limit: 0,
    }),
    atMost(12, 'memory at most, MiB', {
      value: Math.round(Math.max(...months.map(({ first }) => first.peakMiB))),
      limit: MEMORY_MIB,
    }),
    // Worker and table together: the rest of the time is other load on the machine.
    ...(small && large
      ? [
          atMost(12, 'ms a row more, the larger step of the smaller', {
            value: (large.computingMs + large.tableMs) / (small.computingMs + small.tableMs),
            limit: GROWTH_MAX,
            figure: `${(large.computingMs + large.tableMs).toFixed(2)} of ${(small.computingMs + small.tableMs).toFixed(2)} ms`,
          }),
        ]
      : []),
  ],
  { memoryMiB: MEMORY_MIB, months, growth },
);
