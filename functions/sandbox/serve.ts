/**
 * Serves one request to one institution. Instances of the function share no memory, so the credential's state is read
 * before the request and written after it, if no other instance wrote the state in between. After a conflict the
 * request is answered again with the new state. The repetition is safe, because a request changes only this state.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { SANDBOX_LIMITS } from '#functions/sandbox/limits.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { createMemory, type Memory } from '#shared/sources/sandbox-kit/memory.ts';
import type { SandboxServer } from '#shared/sources/sandbox-kit/server.ts';
import { retryOnConflict } from '#shared/values/retry-on-conflict.ts';
import { gatewayAnswer, type SandboxCall, toGatewayAnswer } from './answer.ts';
import { INSTITUTIONS } from './institutions.gen.ts';
import * as memories from './memory.store.ts';

interface RunningSandboxServer {
  server: SandboxServer;
  memory: Memory;
}

/**
 * Servers by source. A server caches its generated data as long as the instance lives; the state of a credential is
 * read again for each request.
 */
const running = new Map<string, RunningSandboxServer>();

const institution = (code: string): RunningSandboxServer | undefined => {
  const known = running.get(code);
  const create = Object.hasOwn(INSTITUTIONS, code) ? INSTITUTIONS[code] : undefined;
  if (create === undefined || known) return known;
  const memory = createMemory();
  // The control endpoints are disabled, because a fault that one user sets would change the data for every user. Nobody
  // needs the control endpoints to read ledgers, because any process can compute a ledger from the seed.
  const made = { memory, server: create({ now: nowMs, memory, hasDoors: false }) };
  running.set(code, made);
  return made;
};

/** Resolves with the answer, or with null when the answer takes too long. */
const inTime = async <T>(answer: Promise<T>): Promise<T | null> => {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), SANDBOX_LIMITS.sandboxAnswerMs);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Returns the server's response. If the server closes the connection before the response is complete, returns the 502
 * that a gateway would send.
 */
const answered = (server: SandboxServer, { method, url, headers, payload }: SandboxCall) =>
  server.app
    .inject({ method: method as 'GET', url, headers: headers as Record<string, string>, payload })
    .then(toGatewayAnswer, () => gatewayAnswer(502, 'Bad Gateway'));

const askOnce = async (asked: SandboxCall): Promise<APIGatewayProxyStructuredResultV2> => {
  const known = institution(asked.institution);
  if (known === undefined) return gatewayAnswer(404, 'Not Found');
  const { server, memory } = known;
  const owner = server.ownerOf(asked);
  const before = owner === undefined ? memories.NONE : await memories.read(asked.institution, owner);
  memory.read(before.text);
  const answer = await inTime(answered(server, asked));
  const after = memory.write();
  // A server that took too long is still busy and may change its state later, so it is not used again.
  if (answer === null) running.delete(asked.institution);
  if (owner !== undefined && after !== before.text) await memories.write(asked.institution, owner, after, before);
  return answer ?? gatewayAnswer(504, 'Endpoint request timed out');
};

/**
 * Runs requests one after the other. On AWS an instance handles only one request at a time; other environments need
 * this queue.
 */
let last: Promise<unknown> = Promise.resolve();
const alone = <T>(work: () => Promise<T>): Promise<T> => {
  const mine = last.then(work, work);
  last = mine.catch(() => {});
  return mine;
};

const jitterMs = (tries: number): number => Math.random() * 20 * 2 ** tries;

export const serve = (asked: SandboxCall): Promise<APIGatewayProxyStructuredResultV2> =>
  retryOnConflict([memories.MemoryConflict], SANDBOX_LIMITS.sandboxAttemptsMax, async (n) => {
    if (n > 1) await sleep(jitterMs(n - 1));
    return alone(() => askOnce(asked));
  });
