/**
 * One scope of one run in a process of its own, as a function has it: started by `months.ts`, which reads the line of
 * JSON it prints. Memory is that of the process, so that whatever else runs on the machine does not count.
 */
import { readFileSync } from 'node:fs';

interface Job {
  environmentFile: string;
  organizationId: string;
  connectionId: string;
  runId: string;
  source: string;
  scope: string;
}

const INVOCATION_MS = 300_000;
const job = JSON.parse(process.argv[2]!) as Job;
Object.assign(process.env, JSON.parse(readFileSync(job.environmentFile, 'utf8')));

const works = await import('#shared/data/works.ts');
const { startRun, dispatchRun } = await import('#shared/engine/start-run.ts');
const { workOnScope } = await import('#shared/engine/scope-worker.ts');
const connections = await import('#shared/data/connections.ts');
const runs = await import('#shared/data/runs.ts');
const { SCOPES } = await import('#shared/scopes/scopes.gen.ts');
const { source } = (await import(`#shared/sources/${job.source}/source.ts`)) as {
  source: import('#shared/sources/source.ts').SourceAdapter;
};

const { organizationId, connectionId, runId } = job;
const scope = SCOPES.find((one) => one.source === job.source && one.name === job.scope)!;
const period = process.argv[3]!;
const connection = (await connections.find(organizationId, connectionId))!;

// The stack's own worker must not take it: no message is sent, and the sweeper waits a minute.
process.env.AWS_ENDPOINT_URL_SQS = 'http://127.0.0.1:9';
await startRun(connection, { runId, scopes: [job.scope], inputMetadata: { periods: [period] }, trigger: 'manual' });
await dispatchRun(organizationId, connectionId, runId);

const startedMs = performance.now();
let invocations = 0;
for (;;) {
  const work = await works.find(organizationId, connectionId, runId, job.scope);
  if (!work || work.state === 'ended') break;
  const endsMs = performance.now() + INVOCATION_MS;
  invocations++;
  await workOnScope(
    { kind: 'work', organizationId, connectionId, runId, scope: job.scope, hop: work.hop },
    { remainingMs: () => endsMs - performance.now() },
    source,
    scope,
  );
}
const run = await runs.find(organizationId, connectionId, runId);
const outcome = run?.outcomes[job.scope];
console.log(
  JSON.stringify({
    status: outcome?.status,
    errorCode: outcome?.errorCode,
    errorMessage: outcome?.errorMessage,
    found: outcome?.recordsFound,
    created: outcome?.recordsCreated,
    updated: outcome?.recordsUpdated,
    invocations,
    seconds: (performance.now() - startedMs) / 1000,
    peakMiB: process.resourceUsage().maxRSS / 1024,
  }),
);
process.exit(0);
