/**
 * Reads the tenders of a scope one after the other: download → store raw → parse → write → fetch files → checkpoint.
 * Each step may be repeated after a crash: stored answers are read back, rows contain the id of the run that wrote
 * them, and stored files are not fetched again.
 */

import { ROW_LIMITS } from '#shared/rows/limits.ts';
import { checkLease } from '#shared/rows/write/row.store.ts';
import type { Row } from '#shared/scopes/scope.ts';
import {
  type JsonObject,
  LoginPostponed,
  LoginRefused,
  type PullRequest,
  SourceError,
  type TenderSide,
} from '#shared/sources/source.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import type { SessionHolder } from '#shared/sync/login/source-session.ts';
import type { ReportProgress } from '#shared/sync/progress.ts';
import type { OutcomeNotice } from '#shared/sync/run.rules.ts';
import { addNotices, mayAskAgain } from '#shared/sync/task/task.rules.ts';
import { isKnown } from '#shared/tenders/read-tender.store.ts';
import { isOpen } from '#shared/tenders/tender.rules.ts';
import { writeTender } from '#shared/tenders/tender.store.ts';
import { findOwnFile, storeFile } from '#shared/tenders/tender-file.store.ts';
import { type NamedDocument, namedDocuments } from '#shared/tenders/tender-items.ts';
import { type TenderCounts, tenderDone, tenderGivenUp } from '#shared/tenders/tender-task.rules.ts';
import type { NoticeWord } from '#shared/values/notice-catalogue.ts';
import { noticeCode } from '#shared/values/notice-code.ts';
import { type Beside, isAsStored, keptInWords } from '#shared/values/tender-beside.ts';
import { type CheckedRow, parseAnswers } from './parse-answers.ts';
import {
  AskAgain,
  buildRequest,
  leaveIfLarge,
  openAnswerLog,
  type Synchronization,
  skipUnitOrThrow,
} from './sync-context.ts';
import { planTenderWork } from './tender-plan.ts';

export const synchronizeTenders = async (
  sync: Synchronization,
  tenders: TenderSide,
  session: SessionHolder,
  report: ReportProgress,
): Promise<void> => {
  await planTenderWork(sync, tenders, session);
  const { left, total } = sync.task().tenders!;
  for (const [at, codigo] of left.entries()) {
    sync.signal.throwIfAborted();
    report(
      'downloading',
      `${sync.scope.name}: ${total - left.length + at} of ${total.toLocaleString('en-US')} tenders`,
    );
    const changes = await oneTender(sync, tenders, session, codigo).then(
      ({ counts, notices, unreadable }) => ({
        tenders: tenderDone(sync.task().tenders!, codigo, counts, unreadable),
        notices: addNotices(sync.task().notices, notices, SYNC_LIMITS.noticesPerScopeMax),
      }),
      (error: unknown) => {
        const { code, message } = skipUnitOrThrow(sync, codigo, error);
        return { tenders: tenderGivenUp(sync.task().tenders!, codigo, code, message) };
      },
    );
    await sync.move(changes);
  }
};

/** Stores the notices at once, because reading the tender again would not produce them again. */
const tellNow = async (sync: Synchronization, notices: readonly OutcomeNotice[]): Promise<void> => {
  if (notices.length === 0) return;
  await sync.move({ notices: addNotices(sync.task().notices, notices, SYNC_LIMITS.noticesPerScopeMax) });
};

/**
 * Stores the notices early, because the second reading that would produce them again may never happen. Notices beyond
 * the limit are counted once, at the end of the tender.
 */
const tellEarly = async (sync: Synchronization, notices: readonly OutcomeNotice[]): Promise<void> => {
  const all = addNotices(sync.task().notices, notices, SYNC_LIMITS.noticesPerScopeMax);
  if (notices.length > 0 && all.length < SYNC_LIMITS.noticesPerScopeMax) await sync.move({ notices: all });
};

const NOTHING: TenderCounts = { found: 0, created: 0, updated: 0 };

const oneTender = async (
  sync: Synchronization,
  tenders: TenderSide,
  session: SessionHolder,
  codigo: string,
): Promise<{ counts: TenderCounts; notices: OutcomeNotice[]; unreadable: string | null }> => {
  const { source, scope, run, lease, io } = sync;
  const book = openAnswerLog(sync, session, codigo);
  const request = { ...buildRequest(sync, null), tender: codigo };
  // Progress of single answers is not reported. The run's progress shows only the number of tenders.
  const progress = () => undefined;
  const collected = await book.collect((ask) =>
    session.use((open) => source.pull(request, { session: open, ask, io, progress })),
  );
  const read: CheckedRow[] = [];
  const parsed = await parseAnswers(sync, request, collected, (row) => read.push(row));
  const { notices, unlessKnown, whereKept, unreadable, isAbsent } = parsed;
  // Nothing is written, so that the API continues to report the tender's code as unknown.
  if (isAbsent) {
    await refuseForgotten(sync, codigo);
    return { counts: NOTHING, notices, unreadable };
  }
  const showsRaw = scope.fullRow !== null;
  const [first] = read;
  const { counts, beside, rows } = await writeTender(
    addressOf(sync, codigo),
    scope,
    {
      rows: read.map(({ row, raw }) => ({ row, raw: showsRaw ? raw : undefined })),
      observedAt: collected
        .map(({ at }) => at)
        .sort()
        .at(-1)!,
      runId: run.id,
      recognizes: true,
      isWhole: unreadable === null && notices.length + unlessKnown.length === 0,
      isOpen: showsRaw && first ? isOpen(first.row) : undefined,
    },
    {
      checkLease: () => checkLease(lease),
      fence: lease.fence,
      beforeWriting: async (found) => {
        askAgainIfDoubted(sync, codigo, found);
        await tellNow(sync, [...changeNotices(sync, codigo, found), ...(isAsStored(found) ? [] : unlessKnown)]);
      },
    },
  );
  const told = [...keptNotices(sync, codigo, beside), ...notices, ...(beside.filled > 0 ? whereKept : [])];
  await tellEarly(sync, told);
  const files = await fetchFiles(sync, session, { tenders, request, rows });
  return { counts, notices: [...told, ...files], unreadable };
};

/** Refuses the answer if the tender was read before. A known tender cannot become unknown, so the answer is wrong. */
const refuseForgotten = async ({ run }: Synchronization, codigo: string): Promise<void> => {
  if (!(await isKnown(run.organizationId, codigo))) return;
  const message = `${codigo}: the portal reports that this tender does not exist, but it is stored`;
  throw new SourceError('source.unexpected_response', message);
};

const noticeOf = (
  { source, scope }: Synchronization,
  word: NoticeWord,
  told: Omit<OutcomeNotice, 'code'>,
): OutcomeNotice => ({
  code: noticeCode(`${source.manifest.code}.${scope.name}`, word),
  ...told,
});

/**
 * Requests the tender once more if the reading replaces stored data that does not change. The second reading of a run
 * is compared with the stored data and does not lead to a third reading.
 *
 * @throws AskAgain
 */
const askAgainIfDoubted = (sync: Synchronization, codigo: string, { replaced, contradicted }: Beside): void => {
  if (replaced + contradicted === 0 || !mayAskAgain(sync.task(), codigo, SYNC_LIMITS.scopeAttemptsMax)) return;
  const message = `${codigo}: the answer contradicts ${replaced + contradicted} stored rows`;
  throw new AskAgain(codigo, new SourceError('source.unexpected_response', message));
};

const BELIEVED = `a sync ${ROW_LIMITS.rewrittenRowsStandHours} hours later shows the same`;

/** Returns notices of data that the write will remove or replace, and of data that the write leaves out. */
const changeNotices = (sync: Synchronization, codigo: string, beside: Beside): OutcomeNotice[] => {
  const { copies, replaced, contradicted, corrected, reversed } = beside;
  const texts: [NoticeWord, number, string][] = [
    ['rows_replaced', copies, `${copies} stored copies of items that the source shows were removed.`],
    [
      'rows_doubted',
      replaced,
      `the source shows other rows instead of all ${replaced} stored rows of a list. The stored rows stay; the other rows are stored if ${BELIEVED}.`,
    ],
    [
      'facts_changed',
      contradicted,
      `the source shows other values in ${contradicted} rows whose values do not change. The stored values stay; the other values are stored if ${BELIEVED}.`,
    ],
    ['facts_corrected', corrected, `${corrected} stored rows have other values now.`],
  ];
  if (reversed > 0)
    texts.push(['state_reversed', reversed, 'the source shows an earlier state than the stored final state.']);
  return texts.flatMap(([word, count, text]) =>
    count === 0 ? [] : [noticeOf(sync, word, { message: `${codigo}: ${text}`, params: { tender: codigo, count } })],
  );
};

const keptNotices = (sync: Synchronization, codigo: string, beside: Beside): OutcomeNotice[] => {
  const kept = keptInWords(beside);
  if (kept === undefined) return [];
  const message = `${codigo}: the source no longer shows ${kept}; they were kept.`;
  return [noticeOf(sync, 'rows_kept', { message, params: { tender: codigo } })];
};

const ownerOf = ({ run, connection }: Synchronization) => ({
  organizationId: run.organizationId,
  connectionId: connection.id,
});

const addressOf = (sync: Synchronization, codigo: string) => ({ ...ownerOf(sync), codigo });

interface TenderFiles {
  tenders: TenderSide;
  request: PullRequest;
  rows: readonly Row[];
}

/** Returns the documents of the rows whose file is not stored yet, or whose stored file no longer matches its row. */
const missingFiles = async (sync: Synchronization, { tenders, rows }: TenderFiles): Promise<NamedDocument[]> => {
  const { organizationId } = sync.run;
  const named = rows.flatMap((row) => namedDocuments(organizationId, sync.scope, row));
  const missing: NamedDocument[] = [];
  for (const document of new Map(named.map((each) => [each.id, each])).values()) {
    const stored = await findOwnFile(ownerOf(sync), document.id);
    const isStored = stored && tenders.isStillProven(document.locator as JsonObject, stored);
    if (!isStored) missing.push(document);
  }
  return missing;
};

/** True if the next sync may succeed despite this fault. The rows are already stored. */
const mayComeLater = (error: unknown): error is SourceError =>
  error instanceof SourceError &&
  !(error instanceof LoginRefused || error instanceof LoginPostponed) &&
  !['source.rate_limited', 'source.maintenance'].includes(error.code);

/** Fetches missing files of the rows' documents and stores each file as soon as it arrives. */
const fetchFiles = async (
  sync: Synchronization,
  session: SessionHolder,
  files: TenderFiles,
): Promise<OutcomeNotice[]> => {
  const { signal, io, lease } = sync;
  const { tenders, request } = files;
  const owner = ownerOf(sync);
  const notices: OutcomeNotice[] = [];
  const fetchAll = async (open: JsonObject): Promise<void> => {
    const wanted = await missingFiles(sync, files);
    if (wanted.length === 0) return;
    const names = new Map(wanted.map(({ id, name }) => [id, name]));
    const asked = wanted.map(({ id, name, locator }) => ({ id, name, locator: locator as JsonObject }));
    for await (const file of tenders.files(request, asked, open, io)) {
      signal.throwIfAborted();
      checkLease(lease);
      // The notice is reported only when the tender is done, because another attempt may get the file.
      if ('notice' in file) notices.push(file.notice);
      else {
        if (file.warning) await tellNow(sync, [file.warning]);
        await storeFile(owner, file.id, {
          name: names.get(file.id) ?? null,
          body: io.redactor.withoutSecrets(file.body),
          bytes: file.body.length,
          proof: file.proof,
        });
        leaveIfLarge(sync, file.body.length);
      }
      await session.keepNowAndThen();
    }
  };
  try {
    await session.use(fetchAll);
  } catch (error) {
    if (!mayComeLater(error) || signal.aborted) throw error;
    const message = `${request.tender}: its other files could not be fetched: ${error.message}.`;
    notices.push(noticeOf(sync, 'file_unavailable', { message, params: { tender: request.tender } }));
  }
  return notices;
};
