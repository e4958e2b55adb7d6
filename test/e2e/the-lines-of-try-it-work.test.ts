/** The commands that `npm start` prints, pasted into a shell as a new user does. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { useSharedStack } from '#test/helpers/e2e-stack.ts';
import { tryIt } from '#tools/local/try-it.ts';

const stage = useSharedStack();

test('connect, synchronize, wait for the end, read rows, see the webhook', async () => {
  const { file } = stage.api;
  const text = tryIt(file);
  const lines = text.slice(text.indexOf(`API=${file.api}`));
  const { stdout } = await promisify(execFile)('bash', ['-euc', lines]);
  const [, secret = ''] = /"secret":"(whsec_[^"]+)"/.exec(stdout) ?? [];
  stage.secrets.add(secret);

  // The list of runs is read after the run's end, and so is everything after it.
  const run = /\{"data":\[\{"id":"[^"]+","connection_id".+?"status":"(\w+)".*?\n/.exec(stdout);
  expect(run?.[0]).toContain('"finished_at":"');
  const after = stdout.slice(stdout.indexOf(run![0]) + run![0].length);
  expect(after).toMatch(/"direction":"issued"/);
  expect(after).toMatch(/\{"data":\["\d{4}-\d\d"/);
  expect(secret).not.toBe('');
});
