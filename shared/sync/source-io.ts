/** What an adapter gets to work with, from the environment that the need `sources` brought. */
import { setTimeout as sleep } from 'node:timers/promises';
import { nowMs } from '#shared/platform/clock.ts';
import { envOptional } from '#shared/platform/env.ts';
import { sourceBaseUrlVariable, sourcePaceVariable } from '#shared/platform/needs.ts';
import { createRedactor } from '#shared/sources/http/redactor.ts';
import type { JsonObject, Pace, SourceIo, SourceManifest } from '#shared/sources/source.ts';
import { hiddenCredentials } from '#shared/values/credential-fields.ts';

/** "callDelayMs,callsMax,windowMs"; the manifest's pace where nothing is set. */
const paceOf = (manifest: SourceManifest): Pace => {
  const text = envOptional(sourcePaceVariable(manifest.code));
  if (text === undefined) return manifest.pace;
  const [callDelayMs = 0, callsMax = 0, windowMs = 0] = text.split(',').map(Number);
  return { callDelayMs, callsMax: callsMax || Number.MAX_SAFE_INTEGER, windowMs };
};

/** For work that only leaves an institution. */
const noLogin: SourceIo['login'] = async () => {
  throw new Error('a login outside a scope');
};

export const makeIo = (
  manifest: SourceManifest,
  signal: AbortSignal,
  credentials: JsonObject,
  login = noLogin,
): SourceIo => ({
  redactor: createRedactor({
    credentials: hiddenCredentials(manifest.credentialsSchema, credentials, manifest.wireNames),
    sessionCookies: manifest.sessionCookies,
  }),
  settings: {
    baseUrl: envOptional(sourceBaseUrlVariable(manifest.code)),
    pace: paceOf(manifest),
    callTimeoutMs: manifest.callTimeoutMs,
    downloadTimeoutMs: manifest.downloadTimeoutMs,
  },
  now: nowMs,
  wait: async (ms) => {
    await sleep(ms, undefined, { signal });
  },
  signal,
  login,
});
