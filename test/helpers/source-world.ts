/**
 * The real engine over a table, with real adapters against their sandboxes: it creates connections, starts runs, hands
 * messages to the workers several at a time, and moves time to the next message when all are idle.
 */

import { randomUUID } from 'node:crypto';
import { BY_SERVICE } from '#shared/audit/audit.rules.ts';
import { type Connection, newConnection } from '#shared/connections/connection.rules.ts';
import * as connections from '#shared/connections/connection.store.ts';
import { nowIso, plantClock } from '#shared/platform/clock.ts';
import { encryptSecret, secretResource } from '#shared/platform/crypto.ts';
import { sourcePaceVariable } from '#shared/platform/needs.ts';
import { scopeQueue } from '#shared/platform/queue-names.ts';
import { logOutKept } from '#shared/sync/login/source-logout.ts';
import * as runs from '#shared/sync/run/run.store.ts';
import type { SyncRun } from '#shared/sync/run.rules.ts';
import { runTask } from '#shared/sync/run-task.ts';
import { dispatchRun, startRun } from '#shared/sync/start-run.ts';
import { type CaughtMessage, catchAws } from '#test/fakes/caught-aws.ts';
import { startQuickTable } from '#test/fakes/quick-table.ts';
import { startTable } from './dynamo.ts';
import { useKeyFile } from './key-file.ts';
import type { SourceFolder } from './source-folders.ts';
import type { Story } from './source-story.ts';
import { tableText } from './table-text.ts';

/** 21 November 2026, 09:00 in Santiago: one month is current and one was just closed. */
const STARTS_AT = '2026-11-21T12:00:00.000Z';
/** Messages handled in parallel: some wait for the table while others parse. */
const PARALLEL_MAX = 4;
const INVOCATION_MS = 300_000;

export interface SourceWorld {
  /** Everything put into buckets, by key. */
  objects: ReadonlyMap<string, Buffer>;
  /** Messages that were sent and not yet handled. */
  messages: CaughtMessage[];
  /** Everything stored in the table, as text. */
  tableText(): Promise<string>;
  advance(ms: number): void;
  /** A connection to all scopes of the story's source, in a new organization unless one is named. */
  connect(story: Pick<Story, 'folder' | 'entry' | 'adapter'>, organizationId?: string): Promise<Connection>;
  /** Lets the story's institution answer for connections of the organization that something else makes. */
  answerFor(organizationId: string, story: Pick<Story, 'folder' | 'adapter'>): void;
  /** Starts a run of all its scopes; `drain` executes it. */
  start(
    connection: Connection,
    inputMetadata?: Record<string, unknown>,
    trigger?: SyncRun['trigger'],
  ): Promise<SyncRun>;
  nowMs(): number;
  /** Ends when no message is left. Rethrows a worker's error. */
  drain(): Promise<void>;
  /** Run and connection as they are now. */
  look(run: SyncRun): Promise<{ run: SyncRun; connection: Connection }>;
  stop(): Promise<void>;
}

export interface SourceWorldOptions {
  /** `real`: dynoxide, or the endpoint in `DYNAMODB_ENDPOINT`; `quick`: simulated, for many runs in little time. */
  table: 'real' | 'quick';
  startsAt?: string;
}

export const startSourceWorld = async (
  folders: readonly Pick<SourceFolder, 'scopes'>[],
  options: SourceWorldOptions,
): Promise<SourceWorld> => {
  let clockMs = Date.parse(options.startsAt ?? STARTS_AT);
  plantClock(() => clockMs);
  const table = options.table === 'real' ? { ...(await startTable()), text: tableText } : startQuickTable();
  const key = useKeyFile();
  // Between syncs no time passes.
  process.env.READS_PER_MINUTE = '1000000';
  const scopes = folders.flatMap((folder) => folder.scopes);
  // As on the local stage: the institutions are simulated.
  for (const { source } of scopes) process.env[sourcePaceVariable(source)] = '0,0,0';
  const scopeBy = new Map(scopes.map((scope) => [scopeQueue(scope.source, scope.name), scope]));
  const aws = catchAws(() => clockMs);
  /**
   * By connection; by organization and source for work without a connection, such as the logout of a stored session.
   */
  const storyOf = new Map<string, Pick<Story, 'adapter'>>();

  const handle = async ({ queue, body }: CaughtMessage): Promise<void> => {
    const message = body as Record<string, string>;
    const { organizationId = '', connectionId = '', runId = '' } = message;
    if (queue === 'sync-requests') return dispatchRun(organizationId, connectionId, runId);
    const scope = scopeBy.get(queue);
    if (!scope) return;
    const story = storyOf.get(connectionId) ?? storyOf.get(`${organizationId} ${scope.source}`);
    if (!story) throw new Error(`a message in ${queue} belongs to no story`);
    return message.kind === 'logout'
      ? logOutKept(body as never, story.adapter)
      : runTask(body as never, { remainingMs: () => INVOCATION_MS }, story.adapter, scope);
  };

  const drain = async (): Promise<void> => {
    const { messages } = aws;
    const inFlight = new Set<Promise<void>>();
    const faults: unknown[] = [];
    for (;;) {
      messages.sort((a, b) => a.dueMs - b.dueMs);
      while (inFlight.size < PARALLEL_MAX && messages[0] && messages[0].dueMs <= clockMs) {
        const task = handle(messages.shift()!)
          .catch((error: unknown) => void faults.push(error))
          .finally(() => inFlight.delete(task));
        inFlight.add(task);
      }
      if (inFlight.size > 0) await Promise.race(inFlight);
      else if (messages[0]) clockMs = Math.max(clockMs, messages[0].dueMs);
      else break;
    }
    if (faults.length > 0) throw faults[0];
  };

  return {
    messages: aws.messages,
    objects: aws.objects,
    tableText: async () => table.text(),
    advance: (ms) => {
      clockMs += ms;
    },
    answerFor: (organizationId, story) => void storyOf.set(`${organizationId} ${story.folder.code}`, story),
    connect: async (story, organizationId = randomUUID()) => {
      const { folder, entry } = story;
      const id = randomUUID();
      storyOf.set(id, story);
      const ofSource = `${organizationId} ${folder.code}`;
      if (!storyOf.has(ofSource)) storyOf.set(ofSource, story);
      const connection = newConnection({
        id,
        organizationId,
        source: folder.code,
        name: entry.label,
        enabledScopes: [...folder.manifest.scopes],
        metadata: folder.manifest.metadataSchema.parse(entry.metadata),
        createdAt: nowIso(),
      });
      const credentials = JSON.stringify(folder.manifest.credentialsSchema.parse(entry.credentials));
      await connections.create(
        connection,
        await encryptSecret(organizationId, secretResource.credentials(connection), credentials),
        BY_SERVICE,
      );
      return connection;
    },
    start: (connection, inputMetadata = {}, trigger = 'manual') =>
      startRun(connection, { runId: randomUUID(), scopes: connection.enabledScopes, inputMetadata, trigger }),
    nowMs: () => clockMs,
    drain,
    look: async ({ organizationId, connectionId, id }) => {
      const [run, connection] = await Promise.all([
        runs.find(organizationId, connectionId, id),
        connections.find(organizationId, connectionId),
      ]);
      if (!run || !connection) throw new Error('a run or its connection is gone');
      return { run, connection };
    },
    stop: async () => {
      plantClock(undefined);
      aws.restore();
      key.remove();
      await table.stop();
    },
  };
};
