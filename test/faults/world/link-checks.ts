/** What holds of connect links after every history: one connection for each customer, complete, and counted. */
import { identifyAccount } from '#shared/connections/account-key.rules.ts';
import type { Item } from '../table/values.ts';
import type { Check, World } from './world.ts';

const VISIT = /^ORG#[^#]+#LINK#(.+)$/;

interface Links {
  links: Map<string, Item>;
  /** By the id of the connection that they name. */
  visits: Map<string, Item>;
  /** Visits that name the history's own connection. */
  repairs: Item[];
  made: Item[];
  credentials: Set<string>;
  runs: Set<string>;
}

const read = (world: World): Links => {
  const found: Links = {
    ...{ links: new Map(), visits: new Map(), repairs: [], made: [] },
    ...{ credentials: new Set(), runs: new Set() },
  };
  for (const item of world.table.items()) {
    const { pk, sk } = item;
    const of = pk.split('#').at(-1)!;
    if (sk.startsWith('LINK#')) found.links.set(sk.slice('LINK#'.length), item);
    const isVisit = VISIT.test(pk) && item.connection_id !== undefined;
    if (isVisit && item.connection_id === world.connection.id) found.repairs.push(item);
    else if (isVisit) found.visits.set(String(item.connection_id), item);
    if (sk === 'CREDENTIALS') found.credentials.add(of);
    if (sk.startsWith('RUN#')) found.runs.add(sk.slice('RUN#'.length));
    const author = item.created_by as { kind: string } | undefined;
    if (sk.startsWith('CONN#') && author?.kind === 'connect_link') found.made.push(item);
  }
  return found;
};

export const linksMakeOneConnection: Check = (world) => {
  const { links, visits, made, credentials, runs } = read(world);
  const perLink = Map.groupBy(made, ({ created_by }) => (created_by as { id: string }).id);
  return [
    ...made.filter(({ id }) => !visits.has(String(id))).map(({ id }) => `connection ${id} belongs to no visit`),
    ...made.filter(({ id }) => !credentials.has(String(id))).map(({ id }) => `connection ${id} has no credentials`),
    ...[...visits.values()].flatMap(({ connection_id: id, run_id: run, submissions }) => [
      ...(made.some((each) => each.id === id) ? [] : [`a visit names connection ${id}, which no link made`]),
      ...(runs.has(String(run)) ? [] : [`a visit names run ${run}, which is not there`]),
      ...(Number(submissions) <= 5 ? [] : [`${submissions} times credentials by one customer`]),
    ]),
    ...[...links].flatMap(([id, { connections_made, connections_max }]) => {
      const count = perLink.get(id)?.length ?? 0;
      return [
        ...(count === connections_made ? [] : [`link ${id} counts ${connections_made} of ${count} connections`]),
        ...(count <= Number(connections_max ?? 1) ? [] : [`link ${id} made ${count} connections`]),
      ];
    }),
  ];
};

/** Repairs are counted by their visits, and leave the connection with the login and company that it had. */
export const repairsKeepTheAccount: Check = (world) => {
  const { repairs, runs } = read(world);
  const { organizationId, institution, connection } = world;
  const found = [...world.table.items()].find(({ sk }) => sk === `CONN#${connection.id}`);
  if (found === undefined || repairs.length === 0) return [];
  const key = identifyAccount(institution.adapter.manifest, organizationId, { login: 'login' });
  const newest = Math.max(1, ...repairs.map(({ credentials_version: version }) => Number(version ?? 1)));
  return [
    ...(found.account_key === undefined || found.account_key === key ? [] : ['a repair changed the account']),
    ...(newest === found.credentials_version
      ? []
      : [`credentials ${found.credentials_version} of the connection, ${newest} of its repairs`]),
    ...repairs.flatMap(({ run_id: run, submissions }) => [
      ...(run === undefined || runs.has(String(run)) ? [] : [`a repair names run ${run}, which is not there`]),
      ...(Number(submissions) <= 5 ? [] : [`${submissions} times credentials for one repair`]),
    ]),
  ];
};

export const openLinksAreCounted: Check = (world) => {
  const { links } = read(world);
  const open = [...links.values()].filter(({ cancelled_at }) => cancelled_at === undefined).length;
  const count = Number([...world.table.items()].find(({ sk }) => sk === 'OPENLINKS')?.count ?? 0);
  return count >= open ? [] : [`${count} open links are counted, and there are ${open}`];
};

/** The runs of connections that links made end as all others do. */
export const linkedRunsEnd: Check = (world) =>
  [...world.table.items()]
    .filter(({ sk, finished_at }) => sk.startsWith('RUN#') && finished_at === null)
    .map(({ sk }) => `a run has no end: ${sk}`);
