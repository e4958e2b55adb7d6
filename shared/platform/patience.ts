/**
 * Waits for services of AWS that refuse calls because they are too busy. A refused call has no effect, so it is repeated
 * with full jitter while the patience of the present work lasts. The SDK's own attempts end after seconds, because they
 * are meant for services that hang.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { isServerError, isThrottlingError, isTransientError } from '@smithy/core/retry';
import { PLATFORM_LIMITS } from '#shared/platform/limits.ts';
import { AppError } from '#shared/values/app-error.ts';
import { nowMs } from './clock.ts';

/**
 * AWS refused a call as too busy until the patience ended, and the caller may try again. The call had no effect, unless
 * an earlier attempt of the SDK at the same call took effect and only its answer was lost.
 */
export class ServiceBusy extends AppError {}

/** Part of a batch was not processed. */
export class Unprocessed extends AppError {}

/** Returns how long the present work may still wait, in milliseconds. */
export type Patience = () => number;

const contexts = new AsyncLocalStorage<Patience>();

/** Runs `work` with this patience, or with that of the surrounding work if it is shorter. */
export const withPatience = <T>(patience: Patience, work: () => T): T => {
  const outer = contexts.getStore() ?? (() => Number.POSITIVE_INFINITY);
  return contexts.run(() => Math.min(patience(), outer()), work);
};

/** Patience that ends `ms` after now. */
export const waitAtMost = (ms: number): Patience => {
  const untilMs = nowMs() + ms;
  return () => untilMs - nowMs();
};

/** Runs `work` with a patience that leaves at least `ms` of the surrounding patience. */
export const withReserve = <T>(ms: number, work: () => T): T => {
  const outer = contexts.getStore();
  return outer === undefined ? work() : withPatience(() => outer() - ms, work);
};

/** Runs the work of an API function, which must answer soon. */
export const waitBriefly = <T>(work: () => T): T => withPatience(waitAtMost(PLATFORM_LIMITS.busyWaitMs), work);

interface Refusal {
  name?: string;
  CancellationReasons?: { Code?: string }[];
}

/** Names that the SDK does not count as throttling: collisions in the table, and refusals of S3 and SQS (AWS documents). */
const BUSY = new Set(['TransactionConflictException', 'ServiceUnavailable', 'OverLimit', 'KmsThrottled']);
const BUSY_REASONS = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

/** True if every item that stopped the transaction did so because it is busy. */
const isBusyTransaction = ({ CancellationReasons: reasons = [] }: Refusal): boolean => {
  const codes = reasons.map(({ Code = 'None' }) => Code).filter((code) => code !== 'None');
  return codes.length > 0 && codes.every((code) => BUSY_REASONS.has(code));
};

const isBusy = (error: unknown): boolean => {
  if (error instanceof Unprocessed) return true;
  const refusal = error as Refusal;
  if (refusal.name === 'TransactionCanceledException') return isBusyTransaction(refusal);
  return BUSY.has(refusal.name ?? '') || isThrottlingError(error as Parameters<typeof isThrottlingError>[0]);
};

/**
 * True if a service of AWS was too busy, broke down, or did not answer in time or at all. Unlike a call refused as too
 * many, such a call may have had its effect.
 */
export const isUnanswered = (error: unknown): boolean => {
  const failure = error as Parameters<typeof isTransientError>[0];
  return error instanceof ServiceBusy || isTransientError(failure) || isServerError(failure);
};

const pauseMs = (attempt: number): number =>
  Math.random() * Math.min(PLATFORM_LIMITS.busyPauseMaxMs, PLATFORM_LIMITS.busyPauseMs * 2 ** attempt);

/**
 * Sends, and repeats what a busy service refused.
 *
 * @throws ServiceBusy when the patience ends
 */
export const repeatWhileBusy = async <T>(send: () => Promise<T>): Promise<T> => {
  const leftMs = contexts.getStore() ?? waitAtMost(PLATFORM_LIMITS.busyWaitMs);
  for (let attempt = 1; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      if (!isBusy(error)) throw error;
      const ms = leftMs();
      if (ms <= 0) throw new ServiceBusy('a service of AWS is too busy', { cause: error });
      // The last attempt comes at the end of the patience, so that none of it is given away.
      await sleep(Math.min(pauseMs(attempt), ms));
    }
  }
};

export interface SdkClient {
  // biome-ignore lint/suspicious/noExplicitAny: the overloads of the clients have no common type
  send(...given: any[]): any;
}

/** Makes every call of the client wait for a busy service. */
export const makePatient = <C extends SdkClient>(client: C): C => {
  const prototype = Object.getPrototypeOf(client) as SdkClient;
  client.send = (...given: unknown[]) => repeatWhileBusy(() => prototype.send.apply(client, given));
  return client;
};
