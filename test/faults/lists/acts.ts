/** Acts of people and workers on the connections of an organization; each runs as its own invocation. */
import { BY_SERVICE } from '#shared/audit/audit.rules.ts';
import { changeConnection } from '#shared/connections/change-connection.ts';
import { type Connection, type ConnectionChange, newConnection } from '#shared/connections/connection.rules.ts';
import * as connections from '#shared/connections/connection.store.ts';
import { nowIso, nowMs } from '#shared/platform/clock.ts';
import { newId } from '#shared/platform/ids.ts';
import { closeOnConnection } from '#shared/sync/end/connection-end.ts';
import * as runs from '#shared/sync/run/run.store.ts';
import { queuedRun } from '#shared/sync/start-run.ts';
import * as table from '#shared/table/table.ts';
import { retryOnConflict } from '#shared/values/retry-on-conflict.ts';
import type { Random } from '#test/helpers/random.ts';

const ACCOUNTS = ['a', 'b', 'c'].map((letter) => letter.repeat(32));
const NAMES = ['uno', 'dos', 'tres'];
const SOURCES = ['tax', 'bankone'];
const APPROVAL_MS = [5_000, 60_000, 300_000];

/** What an act needs, drawn before it begins, so that its calls draw nothing. */
export interface Drawn {
  organizationId: string;
  /** An existing connection, or one that existed. */
  id: string;
  account: string | undefined;
  name: string;
  source: string;
  code: 'source.unavailable' | 'source.password_expired' | null;
  approvalMs: number;
  version: number;
  field: 'name' | 'metadata' | 'status' | 'credentials' | 'schedule';
}

export const draw = (random: Random, organizationId: string, ids: readonly string[]): Drawn => ({
  organizationId,
  id: ids.length === 0 ? '' : random.pick(ids),
  account: random.pick([...ACCOUNTS, undefined]),
  name: random.pick(NAMES),
  source: random.pick(SOURCES),
  code: random.pick(['source.unavailable', 'source.password_expired', null]),
  approvalMs: random.pick(APPROVAL_MS),
  version: random.int(1, 3),
  field: random.pick(['name', 'metadata', 'status', 'credentials', 'schedule']),
});

type Doing = (drawn: Drawn) => Promise<unknown>;

const create: Doing = ({ organizationId, account, name, source }) => {
  const fields = { organizationId, source, name, accountKey: account, enabledScopes: ['rcv'], createdAt: nowIso() };
  const connection = newConnection({ ...fields, id: newId(), metadata: { reference: name } });
  return connections.create(connection, new Uint8Array([1]), BY_SERVICE);
};

const changesOf = (drawn: Drawn, { status, metadata, schedule, credentialsVersion }: Connection): ConnectionChange => {
  const { field, name, account } = drawn;
  switch (field) {
    case 'name':
      return { name };
    case 'metadata':
      return { metadata: { ...metadata, reference: name, company_name: `${name} SpA` } };
    case 'status':
      return { status: status === 'disabled' ? 'pending' : 'disabled' };
    case 'schedule':
      return { schedule: { ...schedule, revision: schedule.revision + 1 } };
    default:
      return {
        credentials: {
          ciphertext: new Uint8Array([2]),
          expectedVersion: credentialsVersion,
          accountKey: account,
        },
      };
  }
};

const change: Doing = (drawn) =>
  changeConnection(drawn.organizationId, drawn.id, async (before) => changesOf(drawn, before), BY_SERVICE);

const storeAccount: Doing = async ({ organizationId, id, account }) => {
  const connection = await connections.find(organizationId, id);
  if (connection) await connections.storeAccount(connection, connection.credentialsVersion, account);
};

const remove: Doing = ({ organizationId, id }) => connections.remove(organizationId, id, BY_SERVICE);

const newRun = (connection: Connection, runId: string) =>
  queuedRun(connection, { runId, scopes: ['rcv'], inputMetadata: {}, trigger: 'manual' });

const startRun: Doing = async ({ organizationId, id }) => {
  const connection = await connections.find(organizationId, id);
  if (!connection) return;
  await runs.create(newRun(connection, newId()));
};

const waitForPerson: Doing = async ({ organizationId, id: connectionId, approvalMs, version }) => {
  const connection = await connections.find(organizationId, connectionId);
  const [runId] = connection?.openRuns ?? [];
  if (runId === undefined) return;
  const until = version === 1 ? null : new Date(nowMs() + approvalMs).toISOString();
  await connections.noteApproval({ organizationId, connectionId, runId }, until);
};

/** Ends the oldest open run as `finish-run.ts` does, for its connection only. */
const endRun: Doing = ({ organizationId, id, code }) =>
  retryOnConflict([runs.RunConflict], 5, async () => {
    const connection = await connections.find(organizationId, id);
    const [runId] = connection?.openRuns ?? [];
    if (connection === undefined || runId === undefined) return;
    const run = { ...newRun(connection, runId), status: code ? 'failed' : 'succeeded' } as const;
    const end = { gravest: code && { code }, finishedAt: nowIso(), lastComplete: undefined };
    await table.transact(closeOnConnection(connection, run, end).items);
  });

export const DOINGS = { create, change, storeAccount, remove, startRun, waitForPerson, endRun } satisfies Record<
  string,
  Doing
>;
