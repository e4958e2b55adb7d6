/** The attempts of a delivery, as they are shown. Pure. */
import * as z from 'zod';

/**
 * The step at which an attempt failed. `interrupted`: the worker of the attempt died. `stopped`: no attempt was made.
 */
export const FailureSchema = z.enum(['dns', 'tls', 'connect', 'timeout', 'http', 'blocked', 'interrupted', 'stopped']);
export type Failure = z.infer<typeof FailureSchema>;

export const AttemptSchema = z.object({
  /** From 1. */
  number: z.number(),
  /** ISO 8601 UTC with milliseconds. */
  startedAt: z.string(),
  /** Milliseconds until its end. Null while the attempt is under way, and if its worker died. */
  tookMs: z.number().nullable(),
  responseStatus: z.number().nullable(),
  /** Null while the attempt is under way, and after an answer of 2xx. */
  failure: FailureSchema.nullable(),
  error: z.string().nullable(),
});
export interface AttemptRecord extends z.infer<typeof AttemptSchema> {}

/** The fields of a delivery that describe its last attempt. */
interface LastAttempt extends Pick<AttemptRecord, 'tookMs' | 'responseStatus' | 'failure' | 'error'> {
  attempts: number;
  lastAttemptAt: string | null;
}

/**
 * Returns the last attempt. Undefined before the first, and for a delivery that was stopped: its last attempt was
 * stored when it was stopped.
 */
export const readLastAttempt = (delivery: LastAttempt): AttemptRecord | undefined => {
  const { attempts: number, lastAttemptAt: startedAt, tookMs, responseStatus, failure, error } = delivery;
  if (startedAt === null || failure === 'stopped') return undefined;
  return { number, startedAt, tookMs, responseStatus, failure, error };
};

/**
 * Returns all attempts, oldest first.
 * @param earlier attempts that were stored before the next one began, oldest first
 */
export const joinAttempts = (earlier: readonly AttemptRecord[], delivery: LastAttempt): AttemptRecord[] => {
  const last = readLastAttempt(delivery);
  // A claim that failed has stored the last attempt already.
  return last === undefined ? [...earlier] : [...earlier.filter(({ number }) => number < last.number), last];
};
