/**
 * The engine in one process over a table: messages are caught and handed to the real workers, the bucket is a map, the
 * test controls time, and a worker can be made to die at its n-th call to the table or the bucket.
 */

import { randomUUID } from 'node:crypto';
import { GetQueueAttributesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { BY_SERVICE } from '#shared/audit/audit.rules.ts';
import type { Connection } from '#shared/connections/connection.rules.ts';
import * as connections from '#shared/connections/connection.store.ts';
import { nowIso, plantClock } from '#shared/platform/clock.ts';
import { encryptSecret, secretResource } from '#shared/platform/crypto.ts';
import { sourcePaceVariable, VARIABLES } from '#shared/platform/needs.ts';
import { waitAtMost, withPatience } from '#shared/platform/patience.ts';
import { purgeConnection } from '#shared/recovery/purge-connection.ts';
import { sweep } from '#shared/recovery/sweep.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import type { JsonObject, SourceAdapter } from '#shared/sources/source.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { logOutKept } from '#shared/sync/login/source-logout.ts';
import { runTask } from '#shared/sync/run-task.ts';
import { startScheduledRun } from '#shared/sync/scheduled-run.ts';
import { dispatchRun } from '#shared/sync/start-run.ts';
import { mockAwsClient } from '#test/fakes/aws-client.ts';
import { memoryBucket } from '#test/fakes/memory-bucket.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { type FakeScheduler, fakeScheduler } from '#test/fakes/scheduler.ts';
import { useKeyFile } from './key-file.ts';

interface Message {
  queue: string;
  body: Record<string, unknown>;
  dueMs: number;
}

/** As `worker()` does for an invocation of five minutes. */
const INVOCATION_WAIT_MS = 295_000;

/** Error that a dead worker gets: none of its calls has an effect any more. */
export class Died extends Error {}

export interface EngineWorld {
  organizationId: string;
  objects: Map<string, Buffer>;
  /** Number of object reads so far. */
  objectReads(): number;
  messages: Message[];
  scheduler: FakeScheduler;
  logs: string[];
  advance(ms: number): void;
  /** Handles messages until none is due; with `jump`, time moves to delayed messages. */
  drain(options?: { jump?: boolean }): Promise<void>;
  /** The next `invocations` invocations have one second until they must hand over. */
  hurry(invocations: number): void;
  /** The next worker dies at its n-th call. `died` returns whether it did. */
  dieAt(call: number): { died(): boolean };
  /** Asked before each call to the table, the bucket and the queues: an error refuses the call without an effect. */
  refuse(refusal: ((call: string) => Error | undefined) | null): void;
  sweep(): Promise<void>;
  connect(credentials: JsonObject): Promise<Connection>;
  stop(): Promise<void>;
}

export const startEngine = async (
  source: SourceAdapter,
  scope: ScopeDefinition,
  others: readonly ScopeDefinition[] = [],
  start: () => EngineTable | Promise<EngineTable> = startEngineTable,
): Promise<EngineWorld> => {
  const table = await start();
  const scopes = [scope, ...others];
  const scopeQueues = new Map(scopes.map((own) => [`sync-${own.source}-${own.name}`, own]));
  const key = useKeyFile();
  // As on the local stage: the institutions are simulated.
  process.env[sourcePaceVariable(scope.source)] = '0,0,0';
  process.env[VARIABLES.queueUrlPrefix] = 'http://127.0.0.1/';

  let clockMs = Date.parse('2026-11-21T12:00:00.000Z');
  plantClock(() => clockMs);

  const messages: Message[] = [];
  const sqs = mockAwsClient(SQSClient);
  sqs.on(SendMessageCommand).callsFake(async (input) => {
    perish('SendMessageCommand');
    messages.push({
      queue: String(input.QueueUrl).split('/').at(-1)!,
      body: JSON.parse(input.MessageBody),
      dueMs: clockMs + (input.DelaySeconds ?? 0) * 1000,
    });
    return {};
  });

  sqs.on(GetQueueAttributesCommand).callsFake(async ({ QueueUrl }) => {
    const own = messages.filter(({ queue }) => queue === String(QueueUrl).split('/').at(-1));
    return { Attributes: { ApproximateNumberOfMessages: String(own.length) } };
  });

  const scheduler = fakeScheduler();
  const bucket = memoryBucket((call) => perish(call));

  // Counts a worker's calls. From its n-th call on every call fails, because a dead process has no more effects.
  let calls = 0;
  let deadFrom = Number.POSITIVE_INFINITY;
  let isWorking = false;
  let refusal: (call: string) => Error | undefined = () => undefined;
  const perish = (call: string): void => {
    if (isWorking && ++calls >= deadFrom) throw new Died();
    const refused = refusal(call);
    if (refused) throw refused;
  };
  const send = DynamoDBDocumentClient.prototype.send;
  DynamoDBDocumentClient.prototype.send = function (this: DynamoDBDocumentClient, ...args: unknown[]) {
    try {
      perish((args[0] as object).constructor.name);
    } catch (error) {
      return Promise.reject(error);
    }
    return (send as (...given: unknown[]) => Promise<unknown>).apply(this, args);
  } as typeof send;

  let shortInvocations = 0;
  const context = { remainingMs: () => (shortInvocations-- > 0 ? SYNC_LIMITS.invocationMarginMs + 1_000 : 300_000) };
  const handle = async ({ queue, body }: Message): Promise<void> => {
    const message = body as never as Record<string, string>;
    if (message.kind === 'scheduled') return startScheduledRun(body as never);
    if (queue === 'sync-requests') return dispatchRun(message.organizationId!, message.connectionId!, message.runId!);
    if (queue === 'purges') return purgeConnection(body as never, context);
    const own = scopeQueues.get(queue);
    if (own)
      return message.kind === 'logout'
        ? logOutKept(body as never, source)
        : runTask(body as never, context, source, own);
  };

  const organizationId = randomUUID();
  const world: EngineWorld = {
    organizationId,
    objects: bucket.objects,
    objectReads: bucket.reads,
    messages,
    scheduler,
    logs: [],
    advance: (ms) => {
      clockMs += ms;
    },
    drain: async ({ jump = false } = {}) => {
      for (;;) {
        messages.sort((a, b) => a.dueMs - b.dueMs);
        const [next] = messages;
        if (!next || (next.dueMs > clockMs && !jump)) return;
        clockMs = Math.max(clockMs, next.dueMs);
        messages.shift();
        isWorking = true;
        try {
          await withPatience(waitAtMost(INVOCATION_WAIT_MS), () => handle(next));
        } catch (error) {
          if (!(error instanceof Died)) throw error;
        } finally {
          isWorking = false;
          // The worker dies once; the next process lives again.
          if (calls >= deadFrom) deadFrom = Number.POSITIVE_INFINITY;
        }
      }
    },
    hurry: (invocations) => {
      shortInvocations = invocations;
    },
    dieAt: (call) => {
      calls = 0;
      deadFrom = call;
      return { died: () => deadFrom === Number.POSITIVE_INFINITY };
    },
    refuse: (wanted) => {
      refusal = wanted ?? (() => undefined);
    },
    sweep,
    connect: async (credentials) => {
      const id = randomUUID();
      const connection: Connection = {
        id,
        organizationId,
        source: scope.source,
        name: 'test',
        enabledScopes: scopes.map((own) => own.name),
        metadata: {},
        status: 'pending',
        schedule: { enabled: false, frequencyMinutes: null, startsAt: null, revision: 0 },
        credentialsVersion: 1,
        openRuns: [],
        syncedScopes: [],
        lastSyncStatus: null,
        lastSuccessfulSyncAt: null,
        createdAt: nowIso(),
      };
      const ciphertext = await encryptSecret(
        organizationId,
        secretResource.credentials(connection),
        JSON.stringify(credentials),
      );
      await connections.create(connection, ciphertext, BY_SERVICE);
      return connection;
    },
    stop: async () => {
      DynamoDBDocumentClient.prototype.send = send;
      plantClock(undefined);
      sqs.restore();
      bucket.restore();
      scheduler.restore();
      key.remove();
      await table.stop();
    },
  };
  return world;
};
