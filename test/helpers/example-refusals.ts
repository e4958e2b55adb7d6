/**
 * How to cause each refusal of the description, by status and code: the error in the call, and the state before it.
 * `gateway` instead of a code means the gateway's own answer.
 */

import { createHash, randomUUID } from 'node:crypto';
import { AGENT_LIMITS } from '#shared/agents/limits.ts';
import { CONNECT_LINK_LIMITS } from '#shared/connect-links/limits.ts';
import * as connections from '#shared/connections/connection.store.ts';
import { markItem } from '#shared/http/idempotency.store.ts';
import { HTTP_LIMITS } from '#shared/http/limits.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { newId } from '#shared/platform/ids.ts';
import { VARIABLES } from '#shared/platform/needs.ts';
import * as runs from '#shared/sync/run/run.store.ts';
import { queuedRun } from '#shared/sync/start-run.ts';
import { keys } from '#shared/table/keys.ts';
import { linkKeys } from '#shared/table/link-keys.ts';
import * as table from '#shared/table/table.ts';
import { WEBHOOK_LIMITS } from '#shared/webhooks/limits.ts';
import { ofAnotherTable } from '#test/helpers/former-cursor.ts';
import type { StackFile } from '#tools/local/stack-file.ts';
import type { Operation } from './description.ts';
import { credential } from './e2e-integrator.ts';
import type { Call, Sent } from './example-calls.ts';
import { grantAccess, type World } from './example-world.ts';
import type { Trouble } from './in-process-api.ts';
import { sessionToken } from './sessions.ts';
import { judged } from './who-may-call.ts';

export interface Setting {
  operation: Operation;
  /** A valid call, with everything that its success needs. */
  call: Call;
  file: StackFile;
  world: World;
  send(call: Call): Promise<Sent>;
  /** Sends the call through an API with this trouble. */
  through(trouble: Trouble): void;
  /** Runs the task after the answer. */
  afterwards(task: () => Promise<unknown>): void;
}

type Recipe = (setting: Setting) => Call | Promise<Call>;

const KEY = 'a-key-of-the-caller';
const GATEWAY_BODY_BYTES = 10 * 1024 * 1024 + 1;
const MINUTE_MS = 60_000;
/** More than any stage allows in a minute. */
const STARTS = 1_000_000;
const GATEWAY_HEADER_BYTES = 12_000;

const json = (call: Call, body: string): Call => ({
  ...call,
  headers: { ...call.headers, 'content-type': 'application/json' },
  body,
});

const without =
  (param: string, value: () => string = randomUUID): Recipe =>
  ({ call }) => ({ ...call, params: { ...call.params, [param]: value() } });

const withBody =
  (body: unknown): Recipe =>
  ({ call }) =>
    json(call, JSON.stringify(body));

const inTrouble =
  (trouble: Trouble): Recipe =>
  ({ call, through }) => {
    through(trouble);
    return call;
  };

/** The first thing that the operation validates before a body: its Idempotency-Key, its parameters or its id. */
const unasked: Recipe = ({ operation: { method }, call }) => {
  if (method === 'POST')
    return {
      ...call,
      headers: { ...call.headers, 'idempotency-key': 'x'.repeat(HTTP_LIMITS.idempotencyKeyCharsMax + 1) },
    };
  if (method !== 'GET') return { ...call, query: 'nobody_knows_this=1' };
  const last = Object.keys(call.params).at(-1);
  const params = last === undefined || last === 'id' ? {} : { [last]: 'no-uuid' };
  return {
    ...call,
    params: { ...call.params, ...params },
    query: 'limit=0&scope=&is_active=perhaps&nobody_knows_this=1',
  };
};

const withCredential = (call: Call, given: Record<string, string>): Call => {
  const { authorization: _, cookie: __, ...headers } = call.headers;
  return { ...call, headers: { ...headers, ...given } };
};

/** A known caller without permission: of the wrong kind, or if every kind is allowed, without an organization. */
const forbidden: Recipe = async ({ operation, call, file }) => {
  const [auth] = judged(operation.id);
  const wrong = { session: 'key', key: 'session', manage: 'token' } as const;
  if (auth in wrong) return withCredential(call, credential(file, wrong[auth as keyof typeof wrong]));
  return withCredential(call, { cookie: `sb-access-token=${await nobodysSession()}` });
};

const nobodysSession = (): Promise<string> =>
  sessionToken({
    issuer: process.env.SESSION_ISSUER!,
    audience: process.env.SESSION_AUDIENCE!,
    secret: process.env.SESSION_SECRET!,
  });

const used: Recipe = async ({ call, send, operation, world, afterwards }) => {
  const first = { ...call, headers: { ...call.headers, 'idempotency-key': KEY } };
  const answer = await send(first);
  afterwards(() => world.undo(operation, answer.body));
  return json(first, `${call.body ?? '{}'} `);
};

/** The state after a function died between its work and its answer. */
const unanswered: Recipe = async (setting) => {
  const { call, send, operation, world, file, afterwards } = setting;
  const again = { ...call, headers: { ...call.headers, 'idempotency-key': `${KEY}-2` } };
  const answer = await send(again);
  afterwards(() => world.undo(operation, answer.body));
  const marks = await table.query(keys.idempotency(file.organization_id, '').pk, {});
  const claimedMs = (mark: table.Item): number => markItem.fromItem(mark).claimedMs;
  const {
    answer: _,
    pk,
    sk,
    ...mark
  } = marks.reduce((one, other) => (claimedMs(one) > claimedMs(other) ? one : other));
  await table.put({ pk, sk, ...mark, ...markItem.toChanges({ claimedMs: nowMs() }) });
  return again;
};

/** Subject of the stack's session. */
const subjectOf = ({ session }: StackFile): string =>
  JSON.parse(Buffer.from(session.split('.')[1]!, 'base64url').toString()).sub;

/** Functions of this process read the limit with each request. */
const tooManyReads: Recipe = ({ call, afterwards }) => {
  const { [VARIABLES.readsPerMinute]: limit } = process.env;
  process.env[VARIABLES.readsPerMinute] = '0';
  afterwards(async () => {
    if (limit === undefined) delete process.env[VARIABLES.readsPerMinute];
    else process.env[VARIABLES.readsPerMinute] = limit;
  });
  return call;
};

const tooOften: Recipe = async (setting) => {
  const { operation, call, file, afterwards } = setting;
  if (operation.method === 'GET') return tooManyReads(setting);
  const subject = createHash('sha256').update(subjectOf(file)).digest('hex');
  const minute = Math.floor(nowMs() / MINUTE_MS);
  // Also the next minute, which may begin before the call is answered.
  const counters = [minute, minute + 1].map((each) => {
    if (operation.id === 'startSync') return keys.syncStarts(file.organization_id, each);
    if (operation.id === 'testWebhook') return keys.webhookTests(file.organization_id, each);
    return keys.consents(file.organization_id, subject, each);
  });
  for (const counter of counters) await table.put({ ...counter, starts: STARTS, tests: STARTS });
  afterwards(() => Promise.all(counters.map((counter) => table.remove(counter))));
  return call;
};

/** A cursor that is older than a restore, so of an earlier epoch. */
const oldCursor: Recipe = async ({ call, send }) => {
  const { feed } = (await send(call)).body as { feed: { next_cursor: string } };
  const cursor = ofAnotherTable(feed.next_cursor);
  return { ...call, query: `cursor=${cursor}` };
};

const repairOf = (connectionId: string): object => ({
  kind: 'repair',
  asked_by: 'Example',
  connection_id: connectionId,
});

const RECIPES: Readonly<Record<string, Recipe>> = {
  '400 validation_error': unasked,
  '400 invalid_json': ({ call }) => json(call, '{'),
  '401 unauthorized': ({ call }) => withCredential(call, {}),
  '403 forbidden': forbidden,
  '404 api_key_not_found': without('id'),
  '404 connect_link_not_found': without('id'),
  '404 connection_not_found': (setting) =>
    setting.operation.id === 'createConnectLink'
      ? json(setting.call, JSON.stringify(repairOf(newId())))
      : without('id')(setting),
  '404 dispatch_guide_not_found': without('guideId'),
  '404 documento_not_found': without('documentoId'),
  '404 coverage_not_found': without('period', () => '1999-01'),
  '404 grant_not_found': without('id'),
  '404 licitacion_not_found': without('codigo', () => '1-1-L199'),
  '404 nomina_not_found': without('nominaId'),
  '404 rcv_document_not_found': without('documentId'),
  '404 scope_not_found': ({ call, operation, world }) => ({
    ...call,
    params: { ...call.params, id: world.otherConnection(operation.path) },
  }),
  '404 sync_run_not_found': without('runId'),
  '404 webhook_delivery_not_found': without('deliveryId'),
  '404 webhook_endpoint_not_found': without('id'),
  '409 authorization_changed': ({ call }) =>
    json(call, JSON.stringify({ ...JSON.parse(call.body!), digest: 'of-another-question' })),
  '409 grant_limit_reached': async ({ call, file, afterwards }) => {
    for (let made = 0; made < AGENT_LIMITS.grantsPerOrganizationMax; made++) {
      const id = await grantAccess(file.organization_id);
      afterwards(() => table.remove(keys.grant(file.organization_id, id)));
    }
    return json(call, JSON.stringify({ ...JSON.parse(call.body!), decision: 'allow' }));
  },
  '409 connect_link_limit_reached': async ({ call, file, send, afterwards }) => {
    const { body } = await send(call);
    const { id } = (body as { data: { id: string } }).data;
    const one = (await table.get(linkKeys.connectLink(file.organization_id, id)))!;
    const copies = Array.from({ length: CONNECT_LINK_LIMITS.openLinksPerOrganizationMax }, () => {
      const copy = newId();
      return { ...one, ...linkKeys.connectLink(file.organization_id, copy), id: copy };
    });
    const count = linkKeys.openLinkCount(file.organization_id);
    await table.batchWrite({ puts: [...copies, { ...count, count: copies.length }] });
    afterwards(() => table.batchWrite({ removes: [...copies, count] }));
    return call;
  },
  '409 connection_disabled': async ({ call, operation, world }) => {
    const id = operation.id === 'createConnectLink' ? world.connectionTo('banktwo') : call.params.id!;
    await world.disableConnection(id);
    return operation.id === 'createConnectLink' ? json(call, JSON.stringify(repairOf(id))) : call;
  },
  '409 connection_sync_in_progress': async ({ call, file }) => {
    const connection = (await connections.find(file.organization_id, call.params.id!))!;
    const request = { runId: newId(), scopes: connection.enabledScopes, inputMetadata: {}, trigger: 'manual' } as const;
    await runs.create(queuedRun(connection, request));
    return call;
  },
  '409 idempotency_key_in_progress': unanswered,
  '409 idempotency_key_reused': used,
  '409 webhook_delivery_not_failed': async ({ call, send }) => {
    await send(call);
    return call;
  },
  '409 webhook_endpoint_disabled': async ({ call, world, afterwards }) => {
    await world.enableWebhook(call.params.id!, false);
    afterwards(() => world.enableWebhook(call.params.id!, true));
    return call;
  },
  '409 webhook_limit_reached': async ({ call, send, operation, world, afterwards }) => {
    for (let made = 0; made < WEBHOOK_LIMITS.webhookEndpointsMax; made++) {
      const { status, body } = await send(call);
      if (status !== 201) break;
      afterwards(() => world.undo(operation, body));
    }
    return call;
  },
  '410 cursor_expired': oldCursor,
  '413 payload_too_large': ({ call }) => json(call, JSON.stringify({ name: 'x'.repeat(HTTP_LIMITS.bodyBytesMax) })),
  '413 gateway': ({ call }) => json(call, 'x'.repeat(GATEWAY_BODY_BYTES)),
  '415 unsupported_media_type': ({ call }) => ({
    ...call,
    headers: { ...call.headers, 'content-type': 'text/plain' },
    body: '{}',
  }),
  '422 validation_error': withBody({ nobody_knows_this: 1 }),
  '422 connection_other_company': withBody({ credentials: { rut: '11111111-1', password: 'p' } }),
  '422 schedule_invalid_frequency': withBody({ enabled: true, frequency_minutes: 7 }),
  '422 sync_invalid_scopes': withBody({ scopes: ['of-another-source'] }),
  '422 sync_invalid_metadata': withBody({ metadata: { periods: ['yesterday'] } }),
  '429 rate_limited': tooOften,
  '429 gateway': inTrouble('busy'),
  '431 gateway': ({ call }) => ({ ...call, headers: { ...call.headers, 'x-long': 'x'.repeat(GATEWAY_HEADER_BYTES) } }),
  '500 internal_error': inTrouble('failing'),
  '503 temporarily_unavailable': inTrouble('throttled'),
  '503 gateway': inTrouble('hanging'),
};

/** Throws for a refusal without a recipe. */
export const recipeOf = (status: string, code: string): Recipe => {
  const recipe = RECIPES[`${status} ${code}`];
  if (!recipe) throw new Error(`${status} ${code} has no entry in test/helpers/example-refusals.ts`);
  return recipe;
};
