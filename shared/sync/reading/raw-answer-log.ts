/**
 * Implements `ask`. Raw answers are stored before they are parsed, in packs whose names follow from the task. So the
 * stored answers are the checkpoint: a worker that resumes reads the packs back by name and asks the institution only
 * the remaining questions. Secrets are removed before an answer is stored, and the stored text is parsed, so the rows
 * are the same whether a worker died or not.
 */
import { v5 as uuidv5 } from 'uuid';
import { nowIso } from '#shared/platform/clock.ts';
import { describeError, log } from '#shared/platform/logger.ts';
import {
  type AskSource,
  type RawAnswer,
  type Redactor,
  SourceError,
  type UnparsedAnswer,
} from '#shared/sources/source.ts';
import { readEpoch, type SyncTask } from '#shared/sync/task/task.rules.ts';
import {
  type AnswerPacks,
  type CollectedAnswer,
  NOTHING_STORED,
  openPacks,
  readPacks,
  type StoredPacks,
} from './answer-packs.ts';
import * as rawAnswers from './raw-answer.store.ts';

export interface AnswerBook {
  /**
   * Runs `pull`, which asks by `ask`, and returns the answers in the order of their questions. They are stored then, and
   * also if `pull` fails, so that a later attempt does not ask again.
   */
  collect(pull: (ask: AskSource) => Promise<void>): Promise<CollectedAnswer[]>;
}

interface LogOptions {
  /** Period, tender code or another name; null for a point-in-time scope. */
  unit: string | null;
  /**
   * True if earlier attempts of this reading may have stored answers of the unit. In this case stored answers are
   * looked up.
   */
  isResumed: boolean;
  /** The current task. */
  task(): SyncTask;
  /** Called with the bytes of all answers so far, after each of them. */
  onBytes(bytes: number): void;
  /** Called after each answer that was fetched. */
  onKept(): Promise<void>;
  signal: AbortSignal;
  redactor: Redactor;
}

/**
 * Returns the name of an answer that is never read back. Such an answer is stored only for people who investigate a
 * fault.
 */
const nameOfUnread = (task: SyncTask, unit: string | null, key: string): string =>
  uuidv5(JSON.stringify(['unread', task.scope, unit, key, readEpoch(task), task.attempts]), task.runId);

export const rawAnswerLog = ({
  unit,
  isResumed,
  task: current,
  onBytes,
  onKept,
  signal,
  redactor,
}: LogOptions): AnswerBook => {
  const collected = new Map<string, CollectedAnswer>();
  let bytes = 0;
  const hold = (key: string, answer: CollectedAnswer): void => {
    if (!collected.has(key)) bytes += answer.answer.body.length;
    collected.set(key, answer);
    onBytes(bytes);
  };
  /**
   * Answers before secrets are removed. They are needed because a page that must be sent back to the institution may
   * contain a token.
   */
  const fresh = new Map<string, RawAnswer>();
  const clean = ({ contentType, body, ...rest }: UnparsedAnswer): UnparsedAnswer => ({
    ...rest,
    contentType: contentType === null ? null : redactor.text(contentType),
    body: redactor.withoutSecrets(body),
  });
  const keepUnread = async (key: string, unread: UnparsedAnswer): Promise<void> => {
    const task = current();
    const { organizationId, connectionId, runId, scope } = task;
    const id = nameOfUnread(task, unit, key);
    await rawAnswers.put(organizationId, connectionId, id, [{ answer: { key, ...clean(unread) }, at: nowIso() }]);
    log.warn('an unreadable answer was stored', {
      connection_id: connectionId,
      run_id: runId,
      scope,
      raw_payload_id: id,
    });
  };
  const fetchAnswer = async (key: string, fetch: () => Promise<UnparsedAnswer>): Promise<RawAnswer> => {
    signal.throwIfAborted();
    try {
      return { key, ...(await fetch()) };
    } catch (error) {
      if (error instanceof SourceError && error.unread) await keepUnread(key, error.unread);
      throw error;
    }
  };
  const askWith =
    (stored: StoredPacks, packs: AnswerPacks): AskSource =>
    async (key, fetch) => {
      const here = collected.get(key) ?? stored.answers.get(key);
      if (here) {
        hold(key, here);
        return fresh.get(key) ?? here.answer;
      }
      const answer = await fetchAnswer(key, fetch);
      const kept = { answer: { key, ...clean(answer) }, at: nowIso() };
      hold(key, { ...kept, id: await packs.add(kept) });
      if (kept.answer.body !== answer.body) fresh.set(key, answer);
      await onKept();
      return answer;
    };
  const collect: AnswerBook['collect'] = async (pull) => {
    const stored = isResumed ? await readPacks(current(), unit) : NOTHING_STORED;
    const packs = openPacks(current, unit, stored.count);
    try {
      await pull(askWith(stored, packs));
    } catch (error) {
      await packs.flush().catch((fault: unknown) => log.warn('raw answers were not stored', describeError(fault)));
      throw error;
    }
    await packs.flush();
    signal.throwIfAborted();
    return [...collected.values()];
  };
  return { collect };
};
