import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Points this process at a fresh local encryption key. */
export const useKeyFile = (): { remove(): void } => {
  const folder = mkdtempSync(join(tmpdir(), 'key-file-'));
  const file = join(folder, 'key');
  writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600 });
  Object.assign(process.env, { ENCRYPTION_KEY_FILE: file, ENCRYPTION_KEY_ARN: '' });
  return { remove: () => rmSync(folder, { recursive: true }) };
};
