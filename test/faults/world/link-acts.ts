/**
 * People make links, and customers use them: two sessions of one link, the same reference in two browsers, credentials
 * sent twice, and repairs of the history's own connection, some with another login. Each step runs in a function of the API, which may die or lose its answers.
 */
import { LinkBusy, LinkOver, OtherAccount, submitCredentials } from '#shared/connect-links/connect.ts';
import type { ConnectLink } from '#shared/connect-links/link.rules.ts';
import * as links from '#shared/connect-links/link.store.ts';
import * as visits from '#shared/connect-links/visit.store.ts';
import { identifyAccount } from '#shared/connections/account-key.rules.ts';
import { ConnectionGone } from '#shared/connections/connection.store.ts';
import { nowIso, nowMs } from '#shared/platform/clock.ts';
import { newId } from '#shared/platform/ids.ts';
import { CANARIES } from './institution.ts';
import type { World } from './world.ts';

const DAY_MS = 86_400_000;
const CUSTOMERS_MAX = 3;
const SOURCE = { requestId: 'request', address: null, forwardedAddress: null };
const PERSON = { author: { kind: 'person', id: 'person' }, source: SOURCE } as const;

const makeLink = async ({ organizationId, connection, scopes, random, made }: World): Promise<void> => {
  const kind = random.pick(['standing', 'standing', 'single', 'repair'] as const);
  const isStanding = kind === 'standing';
  const link: ConnectLink = {
    ...{ id: newId(), organizationId, kind, source: connection.source },
    ...{ enabledScopes: scopes.map(({ name }) => name), name: 'linked', askedBy: 'history', metadata: {} },
    ...{
      returnUrl: null,
      connectionId: kind === 'repair' ? connection.id : null,
      runId: null,
      cancelledAt: null,
      createdBy: PERSON.author,
    },
    connectionsMax: isStanding ? random.int(1, 2) : null,
    connectionsMade: 0,
    expiresAt: new Date(nowMs() + DAY_MS).toISOString(),
    createdAt: nowIso(),
  };
  made.links.push(link.id);
  const secret = isStanding ? new Uint8Array([1]) : null;
  await links.create(link, { tokenSha256: newId(), secret }, PERSON);
};

const cancelLink = async ({ organizationId, made, random }: World): Promise<void> => {
  const link = made.links.length > 0 && (await links.find(organizationId, random.pick(made.links)));
  if (link) await links.cancel(link, PERSON);
};

/** The history's connection belongs to `login`, which its first run finds out. */
const loginOf = ({ random }: World, { id, kind }: ConnectLink, reference: string | null): string => {
  if (kind !== 'repair') return `${id} ${reference}`;
  return random.chance(0.2) ? 'another login' : 'login';
};

/** A repair sends the right one: the history ends with a sync that must end well. */
const passwordOf = ({ random }: World, { kind }: ConnectLink): string =>
  kind !== 'repair' && random.chance(0.3) ? 'not the password' : CANARIES.password;

const REFUSALS = [LinkBusy, LinkOver, OtherAccount, ConnectionGone, visits.VisitOver];

/** Sends credentials in the session of this cookie. A refusal is an answer like any other. */
const submit = async (world: World, link: ConnectLink, cookie: string): Promise<void> => {
  const found = await visits.findBySession(cookie);
  if (found === undefined) return;
  world.made.submitted.push(cookie);
  const credentials = { login: loginOf(world, link, found.reference), password: passwordOf(world, link) };
  const accountKey =
    link.kind === 'repair'
      ? identifyAccount(world.institution.adapter.manifest, world.organizationId, credentials)
      : undefined;
  const sent = { credentials, accountKey, connectionId: newId(), runId: newId() };
  const author = { kind: 'connect_link', id: link.id } as const;
  await submitCredentials({ link, visit: found }, sent, { author, source: SOURCE }).catch((error: unknown) => {
    if (!REFUSALS.some((each) => error instanceof each)) throw error;
  });
};

/** One browser: opens a session and sends credentials, perhaps twice, perhaps both at once. */
const visit = async (world: World): Promise<void> => {
  const { organizationId, made, random } = world;
  if (made.links.length === 0) return;
  const link = await links.find(organizationId, random.pick(made.links));
  if (link === undefined || link.cancelledAt !== null) return;
  const reference = link.kind === 'standing' ? `customer ${random.int(1, CUSTOMERS_MAX)}` : null;
  const cookie = newId();
  await visits.openSession(link, reference, cookie);
  if (random.chance(0.4)) await Promise.all([submit(world, link, cookie), submit(world, link, cookie)]);
  else for (let times = random.int(1, 2); times > 0; times--) await submit(world, link, cookie);
};

const STEPS = [makeLink, visit, visit, visit, visit, cancelLink] as const;

/** Usually one step, often two at once. */
export const useLinks = (world: World): void => {
  const { random, machine } = world;
  for (let count = random.chance(0.5) ? 2 : 1; count > 0; count--) {
    const step = random.pick(STEPS);
    void machine.invoke('api link', 29_000, () => step(world));
  }
};
