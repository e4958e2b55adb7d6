/**
 * What a second sync writes into the table, in virtual time at each institution's own pace: every source against its
 * sandbox, over the real handlers. Prints its figures as JSON; test/integration/faults/write-units.test.ts judges them.
 */
import { useWire, wire } from './world/sandbox-wire.ts';

useWire();
const { quietly, startStory } = await import('./story.ts');
const { virtual } = await import('./machine/virtual-process.ts');
const { countWrites } = await import('./table/write-units.ts');
const { newId } = await import('#shared/platform/ids.ts');
const { nowIso, nowMs } = await import('#shared/platform/clock.ts');
const { sourcePaceVariable, sourceBaseUrlVariable } = await import('#shared/platform/needs.ts');
const { encryptSecret, secretResource } = await import('#shared/platform/crypto.ts');
const connections = await import('#shared/connections/connection.store.ts');
const { startRun } = await import('#shared/sync/start-run.ts');
const runs = await import('#shared/sync/run.store.ts');
const { loadSources } = await import('#test/helpers/source-folders.ts');

import type { Connection } from '#shared/connections/connection.rules.ts';
import type { SyncRun } from '#shared/sync/run.rules.ts';
import type { SourceFolder } from '#test/helpers/source-folders.ts';

export interface SourceFigures {
  source: string;
  statuses: string[];
  scopes: number;
  /** Rows that the second sync created or changed. */
  written: number;
  calls: number;
  /** Kept raw answers. */
  answers: number;
  wallMs: number;
  units: number;
  /** Units by kind of item and call: `WORK Update`. */
  byWrite: Record<string, { times: number; units: number; bytesMax: number }>;
}

const STARTS_AT = '2026-11-21T12:00:00.000Z';
const ANSWER_MS = 400;
const MINUTE_MS = 60_000;
const UNTIL_MS = 24 * 60 * MINUTE_MS;

const connect = async ({ code, manifest, credentials }: SourceFolder): Promise<Connection> => {
  const entry = credentials.find(({ outcomes }) => Object.keys(outcomes).length === 0)!;
  const connection: Connection = {
    id: newId(),
    organizationId: newId(),
    source: code,
    name: entry.label,
    enabledScopes: [...manifest.scopes],
    metadata: manifest.metadataSchema.parse(entry.metadata),
    status: 'pending',
    schedule: { enabled: false, frequencyMinutes: null, startsAt: null, revision: 0 },
    credentialsVersion: 1,
    openRuns: [],
    syncedScopes: [],
    lastSyncStatus: null,
    lastSuccessfulSyncAt: null,
    createdAt: nowIso(),
  };
  const secret = JSON.stringify(manifest.credentialsSchema.parse(entry.credentials));
  await connections.create(
    connection,
    await encryptSecret(connection.organizationId, secretResource.credentials(connection), secret),
  );
  return connection;
};

const live = async (folder: SourceFolder): Promise<SourceFigures> => {
  const { code, manifest } = folder;
  process.env[sourceBaseUrlVariable(code)] = 'http://sandbox.example';
  const { machine, table, queues: _ } = startStory(folder.source, STARTS_AT);
  wire.server = folder.createSandbox({ now: nowMs });
  wire.answerMs = ANSWER_MS;
  await wire.server.app.ready();
  const { callDelayMs, callsMax, windowMs } = manifest.pace;
  const connection = await connect(folder);
  const sync = async (pace: string): Promise<SyncRun> => {
    process.env[sourcePaceVariable(code)] = pace;
    const beganMs = virtual.nowMs;
    const now = await connections.find(connection.organizationId, connection.id);
    const started = await startRun(now!, {
      runId: newId(),
      scopes: connection.enabledScopes,
      inputMetadata: {},
      trigger: 'manual',
    });
    for (;;) {
      const run = await runs.find(connection.organizationId, connection.id, started.id);
      if (run!.finishedAt !== null && machine.invocations.size === 0) return run!;
      if (!(await machine.step(beganMs + UNTIL_MS))) throw new Error(`${code} does not end`);
    }
  };
  const first = await sync('0,0,0');
  virtual.nowMs += 5 * MINUTE_MS;
  const byWrite: SourceFigures['byWrite'] = {};
  let units = 0;
  countWrites(table, ({ key, call, units: own, indexUnits, bytes }) => {
    const what = `${key.sk.split('#')[0]} ${call}`;
    const each = byWrite[what] ?? { times: 0, units: 0, bytesMax: 0 };
    byWrite[what] = each;
    each.times++;
    each.units += own + indexUnits;
    each.bytesMax = Math.max(each.bytesMax, bytes);
    units += own + indexUnits;
  });
  const callsBefore = wire.answered;
  const beganMs = virtual.nowMs;
  const second = await sync(`${callDelayMs},${callsMax},${windowMs}`);
  const outcomes = Object.values(second.outcomes);
  const written = outcomes.reduce(
    (sum, { recordsCreated, recordsUpdated }) => sum + (recordsCreated ?? 0) + (recordsUpdated ?? 0),
    0,
  );
  return {
    source: code,
    statuses: [first.status, second.status],
    scopes: outcomes.length,
    written,
    calls: wire.answered - callsBefore,
    answers: 0,
    wallMs: virtual.nowMs - beganMs,
    units,
    byWrite,
  };
};

const folders = await loadSources();
const tell = quietly();
const told: SourceFigures[] = [];
for (const folder of folders) told.push(await live(folder));
tell(told);
