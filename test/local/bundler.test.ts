import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { BUNDLE_DIR } from '#infra/app.ts';
import { startBundler } from '#tools/local/bundler.ts';

test('a function that is called is bundled, one that does not exist fails, and the process ends with its parent part', async () => {
  const onLost = vi.fn();
  const bundler = startBundler(onLost);
  try {
    await bundler.function('list-external-sources');
    expect(existsSync(join(BUNDLE_DIR, 'list-external-sources/index.mjs'))).toBe(true);
    await expect(bundler.function('no-such-function')).rejects.toThrow('there is no such function');
  } finally {
    await bundler.close();
  }
  await expect(bundler.function('another')).rejects.toThrow('ended');
  expect(onLost).not.toHaveBeenCalled();
});

test('a bundler that is closed while its process loads is not reported as lost', async () => {
  const onLost = vi.fn();
  const started = startBundler(onLost);
  await started.close();
  expect(onLost).not.toHaveBeenCalled();
  await expect(started.function('list-external-sources')).rejects.toThrow('ended');
});
