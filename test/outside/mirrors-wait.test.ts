/** A mirror above the limit of reads waits as the answer says, and then reads on. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#test/helpers/e2e-child.ts';
import { countOf, EXAMPLES, RECIPES, run } from '#test/helpers/example-programs.ts';

const WAIT_SECONDS = 1;
const PAGE = JSON.stringify({ data: [], feed: { next_cursor: 'c', has_more: false } });

test.each(Object.entries(RECIPES))('mirror.%s', async (language, program) => {
  const askedAtMs: number[] = [];
  const server = createServer((_, response) => {
    askedAtMs.push(performance.now());
    if (askedAtMs.length === 1) response.writeHead(429, { 'retry-after': String(WAIT_SECONDS) }).end('{}');
    else response.writeHead(200, { 'content-type': 'application/json' }).end(PAGE);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    const environment = { API: `http://127.0.0.1:${port}`, KEY: 'k', MIRROR: `${temporaryFolder()}/mirror.sqlite` };
    expect(countOf(await run(program, [`${EXAMPLES}/guides/mirror.${language}`], environment))).toBe(0);
  } finally {
    server.close();
  }
  expect(askedAtMs).toHaveLength(2);
  expect(askedAtMs[1]! - askedAtMs[0]!).toBeGreaterThanOrEqual(1_000 * WAIT_SECONDS - 50);
});
