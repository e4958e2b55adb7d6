/**
 * Plans which tenders a scope reads (decisions.md §5): the requested codes or days. Without a request, the codes in the
 * connection's metadata and the known tenders that are still open.
 */

import type { Notice, TenderSide } from '#shared/sources/source.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import type { SessionHolder } from '#shared/sync/login/source-session.ts';
import { addNotices } from '#shared/sync/task/task.rules.ts';
import { normalizedCodigo } from '#shared/tenders/tender.store.ts';
import { openTenders } from '#shared/tenders/tender-purge.store.ts';
import { daysBetween, plannedTenders, planTenders, type TenderPlan } from '#shared/tenders/tender-task.rules.ts';
import type { NoticeWord } from '#shared/values/notice-catalogue.ts';
import { noticeCode } from '#shared/values/notice-code.ts';
import { buildRequest, openAnswerLog, type Synchronization } from './sync-context.ts';

interface TenderInput {
  codigos?: string[];
  from?: string;
  to?: string;
}

/** Plans the tenders once per run. */
export const planTenderWork = async (
  sync: Synchronization,
  tenders: TenderSide,
  session: SessionHolder,
): Promise<void> => {
  if (sync.task().tenders !== null) return;
  const asked = await askedFor(sync, tenders, session);
  const plan = planTenders(asked, SYNC_LIMITS.tendersPerRunMax, normalizedCodigo);
  const notices = addNotices(sync.task().notices, noticesOf(sync, plan), SYNC_LIMITS.noticesPerScopeMax);
  await sync.move({ tenders: plannedTenders(plan.codigos), notices });
};

const askedFor = async (sync: Synchronization, tenders: TenderSide, session: SessionHolder): Promise<string[]> => {
  const { connection, run, scope } = sync;
  const { codigos, from, to } = run.inputMetadata as TenderInput;
  if (codigos) return codigos;
  if (from && to) return publishedIn(sync, tenders, session, daysBetween(from, to));
  const owner = { organizationId: run.organizationId, connectionId: connection.id };
  const own = (connection.metadata as TenderInput).codigos ?? [];
  return [...own, ...(await openTenders(owner, scope))];
};

const publishedIn = async (
  sync: Synchronization,
  tenders: TenderSide,
  session: SessionHolder,
  days: string[],
): Promise<string[]> => {
  const book = openAnswerLog(sync, session, 'days');
  const found: string[] = [];
  await book.collect(async (ask) => {
    for (const day of days) {
      sync.signal.throwIfAborted();
      const codigos = await session.use((open) =>
        tenders.publishedOn(day, buildRequest(sync, null), { session: open, ask, io: sync.io }),
      );
      found.push(...codigos);
    }
  });
  return found;
};

const SHOWN_CHARS = 32;

const noticesOf = ({ source, scope }: Synchronization, { codigos, more, invalid }: TenderPlan): Notice[] => {
  const code = (word: NoticeWord) => noticeCode(`${source.manifest.code}.${scope.name}`, word);
  return [
    ...invalid.map((spelling) => ({
      code: code('not_found'),
      message: `"${spelling.slice(0, SHOWN_CHARS)}" is not the code of a tender.`,
      params: { tender: spelling.slice(0, SHOWN_CHARS) },
    })),
    ...(more > 0
      ? [
          {
            code: code('truncated'),
            message: `${more} more tenders; a run reads at most ${codigos.length}.`,
            params: { count: more, total: more + codigos.length },
          },
        ]
      : []),
    ...(codigos.length === 0 && invalid.length === 0
      ? [{ code: code('no_tenders'), message: 'There was no tender to synchronize.' }]
      : []),
  ];
};
