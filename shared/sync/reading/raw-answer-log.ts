/**
 * Implements `ask`. Every raw answer is stored before it is parsed, under a name derived from the question. So the
 * stored answers are the checkpoint: a worker that resumes reads them back by name and asks the institution only the
 * remaining questions. Secrets are removed before an answer is stored, and the stored text is parsed, so the rows are
 * the same whether a worker died or not.
 */
import { v5 as uuidv5 } from 'uuid';
import { nowIso } from '#shared/platform/clock.ts';
import { log } from '#shared/platform/logger.ts';
import {
  type AskSource,
  type RawAnswer,
  type Redactor,
  SourceError,
  type UnparsedAnswer,
} from '#shared/sources/source.ts';
import { readEpoch, type SyncTask } from '#shared/sync/task/task.rules.ts';
import * as rawAnswers from './raw-answer.store.ts';

export interface CollectedAnswer extends rawAnswers.StoredAnswer {
  id: string;
}

export interface AnswerBook {
  ask: AskSource;
  /** Returns the answers in the order of their questions. */
  collected(): CollectedAnswer[];
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
  /** Called after each answer that was fetched and stored. */
  onKept(): Promise<void>;
  signal: AbortSignal;
  redactor: Redactor;
}

type TaskReading = Pick<SyncTask, 'runId' | 'scope' | 'reading'>;

/**
 * Returns the name of an answer. The attempt is part of the name, so that a later answer does not overwrite an answer
 * that an earlier attempt stored.
 */
const nameOf = (task: TaskReading, unit: string | null, key: string, attempt: number): string =>
  uuidv5(JSON.stringify([task.scope, unit, key, readEpoch(task), attempt]), task.runId);

/**
 * Returns the name of an answer that is never read back. Such an answer is stored only for people who investigate a
 * fault.
 */
const nameOfUnread = (task: TaskReading, unit: string | null, key: string, attempt: number): string =>
  uuidv5('unread', nameOf(task, unit, key, attempt));

/**
 * Finds an answer that an attempt of this reading stored, newest attempt first. The current attempt is included,
 * because an attempt continues after a handover.
 */
const findKept = async (task: SyncTask, unit: string | null, key: string): Promise<CollectedAnswer | undefined> => {
  for (let attempt = task.attempts; attempt > 0; attempt--) {
    const id = nameOf(task, unit, key, attempt);
    const kept = await rawAnswers.get(task.organizationId, task.connectionId, id);
    if (kept) return { ...kept, id };
  }
  return undefined;
};

export const rawAnswerLog = ({ unit, isResumed, task: current, onKept, signal, redactor }: LogOptions): AnswerBook => {
  const collected = new Map<string, CollectedAnswer>();
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
  const ask: AskSource = async (key, fetch) => {
    const here = collected.get(key);
    if (here) return fresh.get(key) ?? here.answer;
    const task = current();
    const { organizationId, connectionId, runId, scope } = task;
    const found = isResumed ? await findKept(task, unit, key) : undefined;
    if (found) {
      collected.set(key, found);
      return found.answer;
    }
    signal.throwIfAborted();
    let answer: RawAnswer;
    try {
      answer = { key, ...(await fetch()) };
    } catch (error) {
      if (error instanceof SourceError && error.unread) {
        const id = nameOfUnread(task, unit, key, task.attempts);
        const unread = { answer: { key, ...clean(error.unread) }, at: nowIso() };
        await rawAnswers.put(organizationId, connectionId, id, unread);
        log.warn('an unreadable answer was stored', {
          connection_id: connectionId,
          run_id: runId,
          scope,
          raw_payload_id: id,
        });
      }
      throw error;
    }
    const id = nameOf(task, unit, key, task.attempts);
    const kept = { answer: { key, ...clean(answer) }, at: nowIso() };
    await rawAnswers.put(organizationId, connectionId, id, kept);
    collected.set(key, { ...kept, id });
    if (kept.answer.body !== answer.body) fresh.set(key, answer);
    await onKept();
    return answer;
  };
  return { ask, collected: () => [...collected.values()] };
};
