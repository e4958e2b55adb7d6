/** The pace of a login, which lasts from session to session and from worker to worker (docs/adr/0025). */
import { envOptional } from '#shared/platform/env.ts';
import { sourcePaceVariable } from '#shared/platform/needs.ts';
import { requireManifest } from '#shared/sources/find-manifest.ts';
import type { SourceManifest } from '#shared/sources/source.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import type { SourceAccount } from '#shared/table/lease.ts';
import type { LeaseRecord } from '#shared/table/lease-item.ts';
import { LoginTurns, type Pace, paceOfSession } from '#shared/values/login-turns.ts';

/** "callDelayMs,callsMax,windowMs"; the manifest's pace where nothing is set. */
export const readPace = (manifest: Pick<SourceManifest, 'code' | 'pace'>): Pace => {
  const text = envOptional(sourcePaceVariable(manifest.code));
  if (text === undefined) return manifest.pace;
  const [callDelayMs = 0, callsMax = 0, windowMs = 0] = text.split(',').map(Number);
  return { callDelayMs, callsMax, windowMs };
};

/** A slot that was not given back: its holder died, and told of its calls when it last renewed the lease. */
const isLeft = ({ holder, expiresAtMs = 0 }: LeaseRecord): boolean => holder !== undefined && expiresAtMs > 0;

/** @param slot as stored, before whoever takes it now */
export const restoreTurns = ({ source, sessionsMax }: SourceAccount, slot: LeaseRecord): LoginTurns => {
  const turns = new LoginTurns(paceOfSession(readPace(requireManifest(source)), sessionsMax), slot.turns);
  if (isLeft(slot)) turns.countUnknown(slot.expiresAtMs!, SYNC_LIMITS.leaseMs);
  return turns;
};
