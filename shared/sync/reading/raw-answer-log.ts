/**
 * `ask`: every raw answer is kept before anything is made of it, under a name that follows from the question. So the kept
 * answer is the checkpoint: a worker that comes later reads it back by its name, and asks the institution only for the
 * rest. What is kept is without secrets, and what is kept is parsed: rows are the same whether a worker died or not.
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
  /** In the order in which they were asked. */
  collected(): CollectedAnswer[];
}

interface LogOptions {
  /** Period or tender code. */
  unit: string | null;
  /** Attempts of this reading may have kept answers of the unit: they are looked for. */
  isResumed: boolean;
  /** The task as it is now. */
  task(): SyncTask;
  /** After each answer that was fetched and kept. */
  onKept(): Promise<void>;
  signal: AbortSignal;
  redactor: Redactor;
}

type TaskReading = Pick<SyncTask, 'runId' | 'scope' | 'reading'>;

/**
 * The attempt is part of the name: what a later one is answered must not overwrite what an earlier one read, or could
 * not read.
 */
const nameOf = (task: TaskReading, unit: string | null, key: string, attempt: number): string =>
  uuidv5(JSON.stringify([task.scope, unit, key, readEpoch(task), attempt]), task.runId);

/** Nobody finds it by its question: it is there for whoever looks into a fault. */
const nameOfUnread = (task: TaskReading, unit: string | null, key: string, attempt: number): string =>
  uuidv5('unread', nameOf(task, unit, key, attempt));

/** What an attempt of this reading kept, the newest first; a handover goes on with the same attempt. */
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
  /** As they came: a page that must be sent back may hold a token. */
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
        log.warn('an answer that could not be read was kept', {
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
