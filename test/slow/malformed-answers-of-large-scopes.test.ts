/** Every cell in the large parts of the table of malformations, which `test/integration` samples. */
import { test, vi } from 'vitest';
import { expectPart } from '../integration/malformations/expectation.ts';
import { PARTS, type Part } from '../integration/malformations/scopes.ts';

vi.mock('#shared/transport/connections.ts', () => import('../integration/malformations/wire.ts'));

const TIMEOUT_MS = 600_000;

const isSampled = ({ every, sampled }: Part): boolean => every !== undefined || sampled !== undefined;

test.for(PARTS.filter(isSampled))('$name', { timeout: TIMEOUT_MS }, (part) => expectPart(part, true));
