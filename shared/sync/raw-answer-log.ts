/**
 * `ask`: every raw answer is kept before anything is made of it, and the scope checkpoints after each one. A worker
 * that comes later reads the kept ones back and asks the institution only for the rest. What is kept is without
 * secrets, and what is kept is parsed: rows are the same whether a worker died or not.
 */
import { v5 as uuidv5 } from 'uuid';
import { nowIso } from '#shared/platform/clock.ts';
import { log } from '#shared/platform/logger.ts';
import { type Ask, type RawAnswer, type Redactor, SourceError, type UnparsedAnswer } from '#shared/sources/source.ts';
import * as rawAnswers from './raw-answer.store.ts';
import type { SyncTask } from './task.rules.ts';

export interface Collected {
  answer: RawAnswer;
  id: string;
  /** When it was answered. */
  at: string;
}

export interface AnswerBook {
  ask: Ask;
  /** In the order in which they were asked. */
  collected(): Collected[];
}

interface LogOptions {
  /** Period or tender code. */
  unit: string | null;
  /** The task as it is now. */
  task(): SyncTask;
  /** Writes the checkpoint. */
  checkpoint(answers: SyncTask['answers']): Promise<void>;
  signal: AbortSignal;
  redactor: Redactor;
}

export const rawAnswerLog = ({ unit, task: current, checkpoint, signal, redactor }: LogOptions): AnswerBook => {
  const collected = new Map<string, Collected>();
  /** As they came: a page that must be sent back may hold a token. */
  const fresh = new Map<string, RawAnswer>();
  const clean = ({ contentType, body, ...rest }: UnparsedAnswer): UnparsedAnswer => ({
    ...rest,
    contentType: contentType === null ? null : redactor.text(contentType),
    body: redactor.withoutSecrets(body),
  });
  const ask: Ask = async (key, fetch) => {
    const here = collected.get(key);
    if (here) return fresh.get(key) ?? here.answer;
    const task = current();
    const { organizationId, connectionId, runId, scope } = task;
    const known = task.answers.find((answer) => answer.key === key);
    const found = known && (await rawAnswers.get(organizationId, connectionId, known.id));
    if (known && found) {
      collected.set(key, { answer: found, id: known.id, at: known.at });
      return found;
    }
    signal.throwIfAborted();
    // The try is part of the id: what a later try is answered must not overwrite what this one could not read.
    const id = uuidv5(JSON.stringify([scope, unit, key, task.attempts]), runId);
    let answer: RawAnswer;
    try {
      answer = { key, ...(await fetch()) };
    } catch (error) {
      if (error instanceof SourceError && error.unread) {
        await rawAnswers.put(organizationId, connectionId, id, { key, ...clean(error.unread) });
        log.warn('an answer that could not be read was kept', {
          connection_id: connectionId,
          run_id: runId,
          scope,
          raw_payload_id: id,
        });
      }
      throw error;
    }
    const at = nowIso();
    const kept = { key, ...clean(answer) };
    await rawAnswers.put(organizationId, connectionId, id, kept);
    await checkpoint([...task.answers.filter((other) => other.key !== key), { key, id, at }]);
    collected.set(key, { answer: kept, id, at });
    if (kept.body !== answer.body) fresh.set(key, answer);
    return answer;
  };
  return { ask, collected: () => [...collected.values()] };
};
