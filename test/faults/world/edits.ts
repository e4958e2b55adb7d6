/**
 * Changes that people, programs and applications make: keys, connections, webhook endpoints, grants and sessions. Each
 * runs in a function of the API, which may die or fail like any other.
 */
import { createHash } from 'node:crypto';
import { answerQuestion, readQuestion } from '#shared/agents/authorize.ts';
import { judgeRegistration } from '#shared/agents/client-id.rules.ts';
import { revoke as revokeGrant } from '#shared/agents/grant.store.ts';
import { redeemCode } from '#shared/agents/issue-tokens.ts';
import type { Cause } from '#shared/audit/audit.rules.ts';
import * as apiKeys from '#shared/auth/api-key.store.ts';
import { recordSession } from '#shared/auth/session.store.ts';
import { newSecret } from '#shared/auth/token.store.ts';
import { changeConnection } from '#shared/connections/change-connection.ts';
import type { Connection, ConnectionChange } from '#shared/connections/connection.rules.ts';
import * as connections from '#shared/connections/connection.store.ts';
import { send } from '#shared/messaging/send.ts';
import { nowIso } from '#shared/platform/clock.ts';
import { encryptSecret, secretResource } from '#shared/platform/crypto.ts';
import { newId } from '#shared/platform/ids.ts';
import { disable, newEndpoint, reactivate } from '#shared/webhooks/endpoint.rules.ts';
import * as webhooks from '#shared/webhooks/endpoint.store.ts';
import type { World } from './world.ts';

const SOURCE = { requestId: 'request', address: '192.0.2.1', forwardedAddress: '198.51.100.7' };
const PERSON: Cause = { author: { kind: 'person', id: 'person' }, source: SOURCE };
const PROGRAM: Cause = { author: { kind: 'api_key', id: 'key' }, source: SOURCE };

const REDIRECT = 'https://agent.test/callback';
const CLIENT = judgeRegistration(
  { client_name: 'Agent', redirect_uris: [REDIRECT] },
  { appUris: [], isLoopbackAllowed: false },
).client!.id;

type Edit = (world: World) => Promise<unknown>;

const pick = ({ random }: World, ids: readonly string[]): string => (ids.length === 0 ? newId() : random.pick(ids));

/** Two accounts, so that some connections share one, and none, as of a source whose logins are shared normally. */
const ACCOUNTS = ['one', 'other', undefined] as const;

const connect: Edit = async ({ organizationId, connection, made, random }) => {
  const id = newId();
  made.connections.push(id);
  const resource = secretResource.credentials({ source: connection.source, id });
  const secret = await encryptSecret(organizationId, resource, '{}');
  const schedule = { enabled: false, frequencyMinutes: null, startsAt: null, revision: 0 };
  const accountKey = random.pick(ACCOUNTS);
  const fresh = {
    ...connection,
    id,
    name: 'edited',
    schedule,
    status: 'pending',
    accountKey,
    metadata: accountKey === undefined ? {} : { reference: accountKey, company_rut: '76192083-9' },
    createdAt: nowIso(),
  } as const;
  await connections.create(fresh, secret, PERSON);
};

const change = (decide: (found: Connection, world: World) => Promise<ConnectionChange>): Edit => {
  return (world) => {
    const { organizationId, made } = world;
    const id = pick(world, made.connections);
    return changeConnection(organizationId, id, (found) => decide(found, world), PROGRAM);
  };
};

/** One of two names, so that some requests repeat what is already so. The reference follows the name. */
const rename = change(async ({ metadata }, { random }) => {
  const name = random.pick(['one', 'two']);
  return { name, metadata: { ...metadata, reference: name } };
});

const replaceCredentials = change(async (found, { organizationId, random }) => {
  const ciphertext = await encryptSecret(organizationId, secretResource.credentials(found), '{"login":"other"}');
  return { credentials: { ciphertext, expectedVersion: found.credentialsVersion, accountKey: random.pick(ACCOUNTS) } };
});

/** The schedule stays disabled, so that no firing disturbs the history. */
const reschedule = change(async ({ schedule }, { random }) => ({
  schedule: { ...schedule, frequencyMinutes: random.pick([60, 1440]), revision: schedule.revision + 1 },
}));

const switchConnection = change(async ({ status }) => ({ status: status === 'disabled' ? 'pending' : 'disabled' }));

const disconnect: Edit = async (world) => {
  const { organizationId, made } = world;
  const connectionId = pick(world, made.connections);
  await connections.remove(organizationId, connectionId, PERSON);
  await send('purges', { organizationId, connectionId, generation: 1 });
};

const makeKey: Edit = ({ organizationId, made }) => {
  const id = newId();
  made.keys.push(id);
  return apiKeys.create(organizationId, { id, name: 'edited', expiresAt: null, createdAt: nowIso() }, PERSON);
};

/** Two requests at once, as a person who clicks twice sends them. */
const revokeKey: Edit = (world) => {
  const id = pick(world, world.made.keys);
  const revoke = () => apiKeys.revoke(world.organizationId, id, nowIso(), PERSON);
  return Promise.all([revoke(), revoke()]);
};

const subscribe: Edit = ({ organizationId, made }) => {
  const id = newId();
  made.hooks.push(id);
  const endpoint = { organizationId, id, url: `https://receiver.example/${id}`, eventTypes: [], createdAt: nowIso() };
  return webhooks.create(newEndpoint(endpoint), new Uint8Array([1]), PROGRAM);
};

const switchHook: Edit = async (world) => {
  const endpoint = await webhooks.find(world.organizationId, pick(world, world.made.hooks));
  if (!endpoint) return;
  const changes = endpoint.enabled ? disable(endpoint, nowIso(), 'manual') : reactivate(endpoint);
  await webhooks.change(endpoint, changes, PROGRAM);
};

const roll: Edit = (world) =>
  webhooks.replaceSecret(world.organizationId, pick(world, world.made.hooks), Buffer.from(newSecret()), PROGRAM);

const unsubscribe: Edit = (world) => webhooks.remove(world.organizationId, pick(world, world.made.hooks), PROGRAM);

const allow: Edit = async ({ organizationId, made }) => {
  const verifier = newSecret();
  const grantId = newId();
  made.grants.push(grantId);
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: CLIENT,
    redirect_uri: REDIRECT,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString();
  const asked = { organizationId, subject: 'person' };
  const question = await readQuestion(query, asked);
  if (question.kind !== 'consent') throw new Error(JSON.stringify(question));
  const answer = await answerQuestion({ query, digest: question.digest, decision: 'allow', grantId }, asked, PERSON);
  if (answer.kind !== 'redirect') throw new Error(JSON.stringify(answer));
  const code = new URL(answer.to).searchParams.get('code')!;
  made.codes.push({ code, verifier });
  await redeemCode(code, presented(verifier), SOURCE);
};

const presented = (verifier: string) => ({
  clientId: CLIENT,
  assertion: null,
  redirectUri: undefined,
  verifier,
  resource: undefined,
});

/** A code that is used again ends its grant. */
const redeemAgain: Edit = async ({ random, made }) => {
  if (made.codes.length === 0) return;
  const { code, verifier } = random.pick(made.codes);
  await redeemCode(code, presented(verifier), SOURCE);
};

const endGrant: Edit = (world) =>
  revokeGrant(world.organizationId, pick(world, world.made.grants), { at: nowIso(), reason: 'person' }, PERSON);

const session =
  (action: 'session.opened' | 'session.closed'): Edit =>
  ({ organizationId }) =>
    recordSession({ organizationId, kind: 'session', id: 'person' }, action, SOURCE);

const EDITS: readonly Edit[] = [
  ...[connect, connect, rename, rename, replaceCredentials, reschedule, switchConnection, disconnect],
  ...[makeKey, revokeKey, revokeKey, subscribe, switchHook, switchHook, roll, unsubscribe],
  ...[allow, allow, redeemAgain, endGrant, session('session.opened'), session('session.closed')],
];

/** Usually one change, sometimes two or three at once. A refused change, for example of a missing thing, changes nothing. */
export const edit = (world: World): void => {
  const { random, machine } = world;
  for (let count = random.chance(0.3) ? random.int(2, 3) : 1; count > 0; count--) {
    const doing = random.pick(EDITS);
    void machine.invoke('api edit', 29_000, () => doing(world));
  }
};
