/**
 * Reads what became of the logins of links and visits. Nothing of it is stored: the verdict derives from the sync that
 * tries the newest credentials, and syncs are stored for longer than links.
 */
import * as runs from '#shared/sync/run/run.store.ts';
import type { ConnectLink } from './link.rules.ts';
import { ASKED, judgeRun, type Verdict } from './verdict.rules.ts';
import type { LinkVisit } from './visit.rules.ts';

type Tried = Pick<LinkVisit, 'organizationId' | 'connectionId' | 'runId'>;

/** Returns undefined if the sync is gone with its deleted connection. */
export const readVerdict = async ({ organizationId, connectionId, runId }: Tried): Promise<Verdict | undefined> => {
  if (connectionId === null || runId === null) return ASKED;
  const known = (await runs.findMany([{ organizationId, connectionId, runId }])).get(runId);
  return known && judgeRun(known.run, known.progress);
};

/**
 * Returns the ids of the links whose customer the institution accepted, or whose connection was deleted since. A standing
 * link, which has many customers, is never among them.
 */
export const listUsed = async (links: readonly ConnectLink[]): Promise<ReadonlySet<string>> => {
  const tried = links.flatMap(({ id, organizationId, connectionId, runId }) =>
    connectionId === null || runId === null ? [] : [{ id, organizationId, connectionId, runId }],
  );
  const found = await runs.findMany(tried);
  const isUsed = ({ runId }: (typeof tried)[number]): boolean => {
    const known = found.get(runId);
    return known === undefined || judgeRun(known.run, known.progress).state === 'accepted';
  };
  return new Set(tried.filter(isUsed).map(({ id }) => id));
};

export const isUsed = async (link: ConnectLink): Promise<boolean> => (await listUsed([link])).has(link.id);
