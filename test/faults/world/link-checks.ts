/** What holds of connect links after every history: one connection for each customer, complete, and counted. */
import type { Item } from '../table/values.ts';
import type { Check, World } from './world.ts';

const VISIT = /^ORG#[^#]+#LINK#(.+)$/;

interface Links {
  links: Map<string, Item>;
  /** By the id of the connection that they name. */
  visits: Map<string, Item>;
  made: Item[];
  credentials: Set<string>;
  runs: Set<string>;
}

const read = ({ table }: World): Links => {
  const found: Links = { links: new Map(), visits: new Map(), made: [], credentials: new Set(), runs: new Set() };
  for (const item of table.items()) {
    const { pk, sk } = item;
    const of = pk.split('#').at(-1)!;
    if (sk.startsWith('LINK#')) found.links.set(sk.slice('LINK#'.length), item);
    if (VISIT.test(pk) && item.connection_id !== undefined) found.visits.set(String(item.connection_id), item);
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
