/** Every cell of the register's table of malformations, which `test/integration` samples. */
import { test, vi } from 'vitest';
import { expectPart } from '../integration/malformations/expectation.ts';
import { PARTS } from '../integration/malformations/scopes.ts';

vi.mock('undici', async (original) => ({
  ...(await original<typeof import('undici')>()),
  request: async (url: URL, sent: object) =>
    (await import('../integration/malformations/wire.ts')).heldRequest(url, sent),
}));

const TIMEOUT_MS = 600_000;

test.for(PARTS.filter(({ every }) => every !== undefined))('$name', { timeout: TIMEOUT_MS }, (part) =>
  expectPart(part, 1),
);
