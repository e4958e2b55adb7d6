/** An answer is stored before it is sent: an immediate repeat must find it. */
import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, expect, test, vi } from 'vitest';
import type { EndpointContract } from '#shared/http/contract.ts';
import { idempotently } from '#shared/http/idempotency.ts';
import type { RequestContext } from '#shared/http/request-context.ts';
import { ApiError } from '#shared/http/response/errors.ts';

const store = vi.hoisted(() => ({ claim: vi.fn(), keep: vi.fn(), release: vi.fn() }));
vi.mock('#shared/http/idempotency.store.ts', () => store);

const contract = { method: 'POST', path: '/things', tag: 'Test' } as unknown as EndpointContract;
const context = {
  params: {},
  caller: { organizationId: 'o' },
  idempotencyKey: 'k',
  requestId: 'r',
  text: '{}',
} as unknown as RequestContext;

let done: () => void;
let said: string[];
beforeEach(() => {
  said = [];
  const slowly = () =>
    new Promise<void>((resolve) => {
      said.push('asked');
      done = resolve;
    });
  store.claim.mockResolvedValue({
    state: 'claimed',
    claim: { organizationId: 'o', hash: 'h', claimId: 'c', firstSeenMs: 1 },
  });
  store.keep.mockImplementation(slowly);
  store.release.mockImplementation(slowly);
});

const answer = (work: () => Promise<never> | Promise<{ status: number; body: unknown }>): Promise<unknown> =>
  idempotently(contract, context, work as never).then(
    () => said.push('answered'),
    () => said.push('refused'),
  );

test.each([
  ['an answer', async () => ({ status: 201, body: { id: '1' } }), 'answered', 'keep'],
  ['a refusal that is final', () => Promise.reject(new ApiError('connection_disabled', 'no')), 'refused', 'keep'],
  ['a failure that is worth repeating', () => Promise.reject(new Error('boom')), 'refused', 'release'],
] as const)('%s waits for the store', async (_, work, end, call) => {
  const answered = answer(work);
  for (let rounds = 0; rounds < 20; rounds++) await turn();
  expect(said).toEqual(['asked']);
  expect(store[call]).toHaveBeenCalledOnce();
  done();
  await answered;
  expect(said).toEqual(['asked', end]);
});

test('an answer is returned even if it could not be stored', async () => {
  store.keep.mockRejectedValue(new Error('the table is away'));
  await answer(async () => ({ status: 201, body: { id: '1' } }));
  expect(said).toEqual(['answered']);
});
