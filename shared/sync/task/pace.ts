/** Computes the pace of a login's calls, which continues across sessions and workers (docs/adr/0025). */
import { envOptional } from '#shared/platform/env.ts';
import { sourcePaceVariable } from '#shared/platform/needs.ts';
import { requireManifest } from '#shared/sources/find-manifest.ts';
import type { SourceManifest } from '#shared/sources/source.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import type { SourceAccount } from '#shared/table/lease.ts';
import type { LeaseRecord } from '#shared/table/lease-item.ts';
import { LoginTurns, type Pace, paceOfSession } from '#shared/values/login-turns.ts';

/**
 * Returns the pace in the environment, in the form "callDelayMs,callsMax,windowMs". Without such a variable, returns
 * the manifest's pace.
 */
export const readPace = (manifest: Pick<SourceManifest, 'code' | 'pace'>): Pace => {
  const text = envOptional(sourcePaceVariable(manifest.code));
  if (text === undefined) return manifest.pace;
  const [callDelayMs = 0, callsMax = 0, windowMs = 0] = text.split(',').map(Number);
  return { callDelayMs, callsMax, windowMs };
};

/**
 * True if the slot was not released, because its holder died. The holder's calls are known only up to the last renewal
 * of the lease.
 */
const isLeft = ({ holder, expiresAtMs = 0 }: LeaseRecord): boolean => holder !== undefined && expiresAtMs > 0;

/**
 * Returns the calls counted for a slot. If the slot's last holder died, also counts the calls that the holder may have
 * made since its last renewal.
 * @param slot the record before the present worker takes it
 */
export const restoreTurns = ({ source, sessionsMax }: SourceAccount, slot: LeaseRecord): LoginTurns => {
  const turns = new LoginTurns(paceOfSession(readPace(requireManifest(source)), sessionsMax), slot.turns);
  if (isLeft(slot)) turns.countUnknown(slot.expiresAtMs!, SYNC_LIMITS.leaseMs);
  return turns;
};
