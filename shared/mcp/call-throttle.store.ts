/** Counters of calls (docs/adr/0034): one item per organization and minute, one number in it per credential, gone by TTL. */
import { nowMs } from '#shared/platform/clock.ts';
import { LIMITS } from '#shared/platform/limits.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { AppError } from '#shared/values/app-error.ts';
import type { Agent } from './tool.ts';

export class TooManyCalls extends AppError {
  /** Until the minute is over; at least 1. */
  readonly seconds: number;
  constructor(seconds: number) {
    super('too many calls of agents');
    this.seconds = seconds;
  }
}

const MINUTE_MS = 60_000;
const MINUTES_KEPT = 5;

/** Counts a call in the present minute, or throws `TooManyCalls`: then nothing is counted. */
export const countCall = async ({ organizationId, credentialId }: Agent): Promise<void> => {
  const atMs = nowMs();
  const minute = Math.floor(atMs / MINUTE_MS);
  const seconds = Math.max(1, Math.ceil(((minute + 1) * MINUTE_MS - atMs) / 1000));
  const own = `of_${credentialId.replaceAll('-', '')}`;
  await table.update(keys.agentCalls(organizationId, minute), {
    add: { calls: 1, [own]: 1 },
    set: { expires_at_epoch: (minute + MINUTES_KEPT) * 60 },
    if: `(attribute_not_exists(#calls) OR #calls < :all) AND (attribute_not_exists(#${own}) OR #${own} < :each)`,
    values: { all: LIMITS.agentCallsPerOrganizationAndMinute, each: LIMITS.agentCallsPerMinute },
    otherwise: () => new TooManyCalls(seconds),
  });
};
