/**
 * The client reads each raw answer as curl does. The verdicts of curl, Python and Go were recorded by running them
 * (test/outside/raw-answers.test.ts).
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createConnections, type HttpConnections } from '#shared/transport/connections.ts';
import { AnswerUnreadable } from '#shared/transport/faults.ts';
import { attemptWebhook } from '#shared/webhooks/http-attempt.ts';
import { RAW_ANSWERS } from '#test/fixtures/raw-answers/answers.ts';
import { type RawServer, startRawServer } from '#test/helpers/raw-server.ts';

type Verdicts = Readonly<Record<string, string>>;
const FILE = new URL('../../fixtures/raw-answers/verdicts.json', import.meta.url);
const { curl, python, go } = JSON.parse(readFileSync(FILE, 'utf8')) as Record<'curl' | 'python' | 'go', Verdicts>;

/** Go refuses these as well. RFC 9112 §6.3 has no valid length for them, so an institution's answer is not trusted. */
const STRICTER: Verdicts = {
  'a list of two lengths': 'ANSWER_LENGTHS_DIFFER',
  'a length with a plus': 'ANSWER_LENGTH_INVALID',
  'a length in hex': 'ANSWER_LENGTH_INVALID',
  'a length with a word': 'ANSWER_LENGTH_INVALID',
  'a length of 20 digits': 'ANSWER_LENGTH_INVALID',
  'cut inside a header': 'ANSWER_CUT',
};

let server: RawServer;
let connections: HttpConnections;
beforeAll(async () => {
  server = await startRawServer(RAW_ANSWERS);
  connections = createConnections({ timeoutMs: 5_000, isKept: false });
});
afterAll(() => {
  connections.close();
  server.stop();
});

const cases = RAW_ANSWERS.map(({ name }, n) => [name, n] as const);
const urlOf = (n: number): URL => new URL(`/${n}`, server.origin);

const readAll = async (n: number): Promise<string> => {
  const call = { url: urlOf(n), method: 'POST', headers: {}, body: 'x', signal: AbortSignal.timeout(5_000) } as const;
  try {
    return await connections.request(call, async ({ status, body }) => {
      let bytes = 0;
      for await (const chunk of body) bytes += chunk.length;
      return `${status}, ${bytes} bytes`;
    });
  } catch (error) {
    expect(error).toBeInstanceOf(AnswerUnreadable);
    return (error as AnswerUnreadable).code;
  }
};

describe('a complete answer, as an institution is read', () => {
  test.each(cases)('%s', async (name, n) => {
    const verdict = await readAll(n);
    if (name in STRICTER) expect([verdict, go[name]]).toEqual([STRICTER[name], 'refused']);
    else if (name === '101, then 200') expect(verdict).toBe('ANSWER_SWITCHES');
    else if (curl[name]!.endsWith('bytes')) expect(verdict).toBe(curl[name]);
    else expect(verdict).toMatch(/^ANSWER_/);
  });
});

describe('a delivery', () => {
  test.each(cases)('%s', async (name, n) => {
    const options = { policy: { isLoopbackHttpAllowed: true }, attemptMs: 5_000 };
    const result = await attemptWebhook({ url: urlOf(n).href, headers: {}, body: Buffer.from('x') }, options);
    const [, status] = /^(\d+), /.exec(curl[name]!) ?? [];
    expect(result.ok).toBe(status !== undefined && /^2/.test(status));
    if (status !== undefined) expect(result.status).toBe(Number(status));
  });
});

test('the recorded verdicts are of these answers', () => {
  const names = ['version', ...RAW_ANSWERS.map(({ name }) => name)].sort();
  for (const verdicts of [curl, python, go]) expect(Object.keys(verdicts).sort()).toEqual(names);
});
