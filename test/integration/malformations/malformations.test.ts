/**
 * Good answers of the sandboxes, changed in every way that a generator finds and given to every adapter: no scope ends
 * well with rows that differ from the good ones and no notice. `MALFORMATIONS=1` prints the table.
 * `MALFORMATIONS=write` writes the list of red cells for parts that are judged whole. A large part is sampled here, and
 * judged whole in `test/slow`.
 */
import { test, vi } from 'vitest';
import { expectPart } from './expectation.ts';
import { PARTS } from './scopes.ts';

vi.mock('#shared/transport/connections.ts', () => import('./wire.ts'));

const TIMEOUT_MS = 240_000;

test.for(PARTS)('$name', { timeout: TIMEOUT_MS }, (part) => expectPart(part));
