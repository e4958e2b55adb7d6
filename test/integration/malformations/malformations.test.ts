/**
 * Good answers of the sandboxes, changed in every way that a generator finds, told to every adapter: no scope ends well
 * with rows that differ from the good ones and says nothing. `MALFORMATIONS=1` prints the table. With
 * `MALFORMATIONS=write` the list of red ones is written, of parts that are judged whole. A large part is sampled here,
 * and whole in `test/slow`.
 */
import { test, vi } from 'vitest';
import { expectPart } from './expectation.ts';
import { PARTS } from './scopes.ts';

vi.mock('undici', async (original) => ({
  ...(await original<typeof import('undici')>()),
  request: async (url: URL, sent: object) => (await import('./wire.ts')).heldRequest(url, sent),
}));

const TIMEOUT_MS = 240_000;

test.for(PARTS)('$name', { timeout: TIMEOUT_MS }, (part) => expectPart(part));
