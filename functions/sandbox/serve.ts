/**
 * Serves one request to one institution. Instances of a function share no state, so the state of the request's
 * credential is read before and written after, on the condition that no other instance wrote meanwhile. After a
 * conflict the request is answered again with the new state; since a request changes only this state, the result is the
 * same as for a later request.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { nowMs } from '#shared/platform/clock.ts';
import { LIMITS } from '#shared/platform/limits.ts';
import { createMemory, type Memory } from '#shared/sources/sandbox-kit/memory.ts';
import type { SandboxServer } from '#shared/sources/sandbox-kit/server.ts';
import { retryOnConflict } from '#shared/values/retry-on-conflict.ts';
import { type Asked, answerOf, gatewayAnswer } from './answer.ts';
import { INSTITUTIONS } from './institutions.gen.ts';
import * as memories from './memory.store.ts';

interface Running {
  server: SandboxServer;
  memory: Memory;
}

/** Generated data is cached while the instance lives; the state is read again for each request. */
const running = new Map<string, Running>();

const institution = (code: string): Running | undefined => {
  const known = running.get(code);
  const create = Object.hasOwn(INSTITUTIONS, code) ? INSTITUTIONS[code] : undefined;
  if (create === undefined || known) return known;
  const memory = createMemory();
  // The control endpoints are disabled: knobs would change everybody's data, and ledgers follow from the seed anywhere.
  const made = { memory, server: create({ now: nowMs, memory, hasDoors: false }) };
  running.set(code, made);
  return made;
};

/** Null when the answer takes too long. */
const inTime = async <T>(answer: Promise<T>): Promise<T | null> => {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), LIMITS.sandboxAnswerMs);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
};

/** Truncated answers look the same behind a gateway. */
const answered = (server: SandboxServer, { method, url, headers, payload }: Asked) =>
  server.app
    .inject({ method: method as 'GET', url, headers: headers as Record<string, string>, payload })
    .then(answerOf, () => gatewayAnswer(502, 'Bad Gateway'));

const askOnce = async (asked: Asked): Promise<APIGatewayProxyStructuredResultV2> => {
  const known = institution(asked.institution);
  if (known === undefined) return gatewayAnswer(404, 'Not Found');
  const { server, memory } = known;
  const owner = server.ownerOf(asked);
  const before = owner === undefined ? memories.NONE : await memories.read(asked.institution, owner);
  memory.read(before.text);
  const answer = await inTime(answered(server, asked));
  const after = memory.write();
  // A server that is still busy may change its memory later, so it is not used again.
  if (answer === null) running.delete(asked.institution);
  if (owner !== undefined && after !== before.text) await memories.write(asked.institution, owner, after, before);
  return answer ?? gatewayAnswer(504, 'Endpoint request timed out');
};

/** On AWS an instance has one request at a time; elsewhere requests wait for each other. */
let last: Promise<unknown> = Promise.resolve();
const alone = <T>(work: () => Promise<T>): Promise<T> => {
  const mine = last.then(work, work);
  last = mine.catch(() => {});
  return mine;
};

const jitterMs = (tries: number): number => Math.random() * 20 * 2 ** tries;

export const serve = (asked: Asked): Promise<APIGatewayProxyStructuredResultV2> =>
  retryOnConflict([memories.MemoryConflict], LIMITS.sandboxAttemptsMax, async (n) => {
    if (n > 1) await sleep(jitterMs(n - 1));
    return alone(() => askOnce(asked));
  });
