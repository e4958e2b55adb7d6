/**
 * The remaining work of a scope that is read by tender. Finished tenders are stored only as sums, because a run may
 * have 1,000 tenders. Pure.
 */
import * as z from 'zod';
import { DAY_MS } from '#shared/values/dates.ts';
import { type SyncErrorCode, storedErrorCode } from '#shared/values/sync-errors.ts';

export const TenderTaskSchema = z.object({
  /** Codes that are not done yet, in the order in which they are read. */
  left: z.array(z.string()),
  total: z.number(),
  found: z.number(),
  created: z.number(),
  updated: z.number(),
  /** Number of tenders whose rows are stored. Includes tenders that the institution does not know. */
  clean: z.number(),
  /** The first tender that was given up or that has unreadable lines. */
  fault: z.object({ codigo: z.string(), errorCode: storedErrorCode(), errorMessage: z.string() }).nullable(),
});
export interface TenderTask extends z.infer<typeof TenderTaskSchema> {}

export interface TenderCounts {
  found: number;
  created: number;
  updated: number;
}

export const plannedTenders = (codigos: readonly string[]): TenderTask => ({
  left: [...codigos],
  total: codigos.length,
  found: 0,
  created: 0,
  updated: 0,
  clean: 0,
  fault: null,
});

const without = (task: TenderTask, codigo: string): string[] => task.left.filter((other) => other !== codigo);

/**
 * Returns the remaining work after the rows of a tender were stored.
 * @param unreadable error message that names the unreadable lines of the tender's answers; all other lines are stored
 */
export const tenderDone = (
  task: TenderTask,
  codigo: string,
  counts: TenderCounts,
  unreadable: string | null = null,
): TenderTask => ({
  ...task,
  left: without(task, codigo),
  found: task.found + counts.found,
  created: task.created + counts.created,
  updated: task.updated + counts.updated,
  clean: task.clean + 1,
  fault:
    task.fault ??
    (unreadable === null ? null : { codigo, errorCode: 'source.unexpected_response', errorMessage: unreadable }),
});

export const tenderGivenUp = (
  task: TenderTask,
  codigo: string,
  errorCode: SyncErrorCode,
  errorMessage: string,
): TenderTask => ({
  ...task,
  left: without(task, codigo),
  fault: task.fault ?? { codigo, errorCode, errorMessage },
});

export interface TenderPlan {
  /** Codes to read, without duplicates, at most `max`. */
  codigos: string[];
  /** Number of codes beyond `max`. */
  more: number;
  /** Requested texts that are not codes. */
  invalid: string[];
}

/** @param normalize returns null for a text that cannot be a code */
export const planTenders = (
  asked: readonly string[],
  max: number,
  normalize: (asked: string) => string | null,
): TenderPlan => {
  const codigos = new Set<string>();
  const invalid = new Set<string>();
  for (const spelling of asked) {
    const codigo = normalize(spelling);
    if (codigo === null) invalid.add(spelling);
    else codigos.add(codigo);
  }
  const all = [...codigos];
  return { codigos: all.slice(0, max), more: Math.max(0, all.length - max), invalid: [...invalid] };
};

/** Returns every day from `from` to `to`, both included, as YYYY-MM-DD. */
export const daysBetween = (from: string, to: string): string[] => {
  const days: string[] = [];
  for (let ms = Date.parse(from); ms <= Date.parse(to); ms += DAY_MS)
    days.push(new Date(ms).toISOString().slice(0, 10));
  return days;
};
