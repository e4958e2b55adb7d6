/**
 * What a second sync writes into the table, in virtual time at each institution's own pace: every source against its
 * sandbox, over the real handlers. Prints its figures as JSON, which test/integration/faults/write-units.test.ts judges, or
 * with `--list` for people.
 */
import { BY_SERVICE } from '#shared/audit/audit.rules.ts';
import { useWire, wire } from './world/connections.ts';

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
const runs = await import('#shared/sync/run/run.store.ts');
const { loadSources } = await import('#test/helpers/source-folders.ts');

import { type Connection, newConnection } from '#shared/connections/connection.rules.ts';
import type { SyncRun } from '#shared/sync/run.rules.ts';
import type { SourceFolder } from '#test/helpers/source-folders.ts';
import { type SourceFigures, tellUnits } from './reported-units.ts';

const STARTS_AT = '2026-11-21T12:00:00.000Z';
const MINUTE_MS = 60_000;
const MINUTES_MAX = 24 * 60;
/** Time from the end of a sync until all its work is done, and time to the next sync. */
const AFTERWARDS_MS = 5 * MINUTE_MS;

const connect = async ({ code, manifest, credentials }: SourceFolder): Promise<Connection> => {
  const entry = credentials.find(({ outcomes }) => Object.keys(outcomes).length === 0)!;
  const connection = newConnection({
    id: newId(),
    organizationId: newId(),
    source: code,
    name: entry.label,
    enabledScopes: [...manifest.scopes],
    metadata: manifest.metadataSchema.parse(entry.metadata),
    createdAt: nowIso(),
  });
  const secret = JSON.stringify(manifest.credentialsSchema.parse(entry.credentials));
  await connections.create(
    connection,
    await encryptSecret(connection.organizationId, secretResource.credentials(connection), secret),
    BY_SERVICE,
  );
  return connection;
};

/** Items of the service itself, not of an organization: a sweep per day. */
const isOfNobody = ({ pk }: { pk: string }): boolean => pk.startsWith('ORG#-#');

const live = async (folder: SourceFolder): Promise<SourceFigures> => {
  const { code, manifest } = folder;
  process.env[sourceBaseUrlVariable(code)] = 'http://sandbox.example';
  const { machine, table, objects } = startStory(folder.source, STARTS_AT);
  wire.server = folder.createSandbox({ now: nowMs });
  await wire.server.app.ready();
  const { id, organizationId, enabledScopes: scopes } = await connect(folder);
  const pass = async (ms: number): Promise<void> => {
    const untilMs = virtual.nowMs + ms;
    while (virtual.nowMs < untilMs && (await machine.step(untilMs)));
    virtual.nowMs = Math.max(virtual.nowMs, untilMs);
  };
  /** Waits also for work after the end of the run, such as a logout that waited for its slot. */
  const sync = async (): Promise<SyncRun> => {
    const connection = await connections.find(organizationId, id);
    const request = { runId: newId(), scopes, inputMetadata: {}, trigger: 'manual' } as const;
    const started = await startRun(connection!, request);
    const find = () => runs.find(organizationId, id, started.id);
    for (let minutes = 0; minutes < MINUTES_MAX && (await find())!.finishedAt === null; minutes++)
      await pass(MINUTE_MS);
    await pass(AFTERWARDS_MS);
    return (await find())!;
  };
  const { callDelayMs, callsMax, windowMs } = manifest.pace;
  process.env[sourcePaceVariable(code)] = '0,0,0';
  const first = await sync();

  process.env[sourcePaceVariable(code)] = `${callDelayMs},${callsMax},${windowMs}`;
  const byWrite: SourceFigures['byWrite'] = {};
  let counted = 0;
  countWrites(table, ({ key, call, units, indexUnits, bytes }) => {
    if (isOfNobody(key)) return;
    const what = `${key.sk.split('#')[0]} ${call}`;
    const before = byWrite[what] ?? { times: 0, units: 0, bytesMax: 0 };
    byWrite[what] = {
      times: before.times + 1,
      units: before.units + units + indexUnits,
      bytesMax: Math.max(before.bytesMax, bytes),
    };
    counted += units + indexUnits;
  });
  const kept = objects.size;
  const second = await sync();
  const outcomes = Object.values(second.outcomes);
  const rows = outcomes.map(({ recordsCreated, recordsUpdated }) => (recordsCreated ?? 0) + (recordsUpdated ?? 0));
  const answers = objects.size - kept;
  return {
    source: code,
    statuses: [first.status, second.status],
    scopes: outcomes.length,
    written: rows.reduce((sum, each) => sum + each, 0),
    answers,
    wallMs: Date.parse(second.finishedAt ?? '') - Date.parse(second.createdAt),
    paceMs: answers * callDelayMs,
    units: counted,
    byWrite,
  };
};

wire.answerMs = 400;
const folders = await loadSources();
const tell = quietly();
const told: SourceFigures[] = [];
for (const folder of folders) told.push(await live(folder));
tell(process.argv.includes('--list') ? tellUnits(told) : told);
