/** The stored templates of the local stage: they are reused only in the checkout that they were synthesized in. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { synthesizeLocalStage } from '#tools/local/build.ts';

/** Another generation than that of any other test, so that the folder belongs to this file. */
const GENERATION = '7';
const STAMP = 'inputs.json';

let folder = join(import.meta.dirname, `../../.local/cdk.out-table-${GENERATION}`);
const remove = () => rmSync(folder, { recursive: true, force: true });
beforeAll(remove);
afterAll(remove);

/** Whether the templates were synthesized, not taken from the folder. */
const isSynthesized = async (): Promise<boolean> => {
  vi.stubEnv('LOCAL_TABLE_GENERATION', GENERATION);
  const onSynthesis = vi.fn();
  folder = await synthesizeLocalStage(onSynthesis);
  return onSynthesis.mock.calls.length > 0;
};

const changeStamp = (change: (stamp: { root: string; files: Record<string, string> }) => void): void => {
  const path = join(folder, STAMP);
  const stamp = JSON.parse(readFileSync(path, 'utf8'));
  change(stamp);
  writeFileSync(path, JSON.stringify(stamp));
};

test('are synthesized again in a copied checkout and after a change, and otherwise reused', async () => {
  expect(await isSynthesized()).toBe(true);
  expect(await isSynthesized()).toBe(false);
  expect(readFileSync(join(folder, 'manifest.json'), 'utf8')).not.toBe('');

  // A copied folder names the functions of the first checkout, which may not have bundled them.
  changeStamp((stamp) => {
    stamp.root = dirname(stamp.root);
  });
  expect(await isSynthesized()).toBe(true);
  changeStamp(({ files }) => {
    files['package.json'] = 'another';
  });
  expect(await isSynthesized()).toBe(true);
  // The stamp of an older version.
  writeFileSync(join(folder, STAMP), JSON.stringify({ 'package.json': 'any' }));
  expect(await isSynthesized()).toBe(true);
  expect(await isSynthesized()).toBe(false);
});
