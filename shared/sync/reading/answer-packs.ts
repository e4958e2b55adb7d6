/**
 * Packs of raw answers. A put of an object costs as much as eight write units of the table, so the answers of a unit
 * are stored together (docs/adr/0029).
 */
import { v5 as uuidv5 } from 'uuid';
import { nowMs } from '#shared/platform/clock.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { readEpoch, type SyncTask } from '#shared/sync/task/task.rules.ts';
import * as rawAnswers from './raw-answer.store.ts';

export interface CollectedAnswer extends rawAnswers.StoredAnswer {
  /** Id of the pack that contains the answer, stored with its rows as `raw_payload_id`. */
  id: string;
}

/** Returns the number of the worker's try: attempts, and deaths in shared invocations, which cost no attempt. */
const tryOf = ({ attempts, sharedDeaths = 0 }: SyncTask): number => attempts + sharedDeaths;

/**
 * Returns the name of a pack. The number of the try is part of the name, so that a later pack does not overwrite one
 * that an earlier worker stored, or still stores.
 */
const nameOf = (
  task: Pick<SyncTask, 'scope' | 'runId' | 'reading'>,
  unit: string | null,
  attempt: number,
  n: number,
): string => uuidv5(JSON.stringify([task.scope, unit, readEpoch(task), attempt, n]), task.runId);

export interface StoredPacks {
  answers: ReadonlyMap<string, CollectedAnswer>;
  /** Number of packs of the current attempt, which continues after a handover. */
  count: number;
}
export const NOTHING_STORED: StoredPacks = { answers: new Map(), count: 0 };

/** Reads the packs of one try in order, until one is missing. */
const packsOf = async function* (
  { organizationId, connectionId, ...task }: SyncTask,
  unit: string | null,
  attempt: number,
) {
  for (let n = 0; ; n++) {
    const id = nameOf(task, unit, attempt, n);
    const pack = await rawAnswers.get(organizationId, connectionId, id);
    if (!pack) return;
    yield { id, pack };
  }
};

/** Reads the answers of a unit that attempts of this reading stored. Of two, that of the newer attempt counts. */
export const readPacks = async (task: SyncTask, unit: string | null): Promise<StoredPacks> => {
  const answers = new Map<string, CollectedAnswer>();
  let count = 0;
  for (let attempt = 1; attempt <= tryOf(task); attempt++) {
    count = 0;
    for await (const { id, pack } of packsOf(task, unit, attempt)) {
      count++;
      for (const kept of pack) answers.set(kept.answer.key, { ...kept, id });
    }
  }
  return { answers, count };
};

interface OpenPack {
  id: string;
  answers: rawAnswers.StoredAnswer[];
  bytes: number;
  openedAtMs: number;
}

export interface AnswerPacks {
  /** Adds an answer and returns the id of its pack. Stores the pack if it is full. */
  add(kept: rawAnswers.StoredAnswer): Promise<string>;
  /** Stores the answers that are in no stored pack yet. */
  flush(): Promise<void>;
}

const isFull = ({ answers, bytes, openedAtMs }: OpenPack): boolean =>
  answers.length >= SYNC_LIMITS.answersPerPackMax ||
  bytes >= SYNC_LIMITS.packBytes ||
  nowMs() - openedAtMs >= SYNC_LIMITS.packMs;

/**
 * @param current the current task
 * @param stored number of packs that the attempt has stored so far
 */
export const openPacks = (current: () => SyncTask, unit: string | null, stored: number): AnswerPacks => {
  let next = stored;
  let open: OpenPack | null = null;
  const begin = (): OpenPack => {
    const task = current();
    return { id: nameOf(task, unit, tryOf(task), next++), answers: [], bytes: 0, openedAtMs: nowMs() };
  };
  const flush = async (): Promise<void> => {
    if (open === null) return;
    const { id, answers } = open;
    open = null;
    const { organizationId, connectionId } = current();
    await rawAnswers.put(organizationId, connectionId, id, answers);
  };
  const add = async (kept: rawAnswers.StoredAnswer): Promise<string> => {
    open ??= begin();
    const pack = open;
    pack.answers.push(kept);
    pack.bytes += kept.answer.body.length;
    if (isFull(pack)) await flush();
    return pack.id;
  };
  return { add, flush };
};
