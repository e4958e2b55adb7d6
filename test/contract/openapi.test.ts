/** The description: generated from the contracts, committed as generated, and true where a schema cannot check it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ENDPOINTS } from '#infra/endpoints.gen.ts';
import { isRepeatable } from '#shared/http/contract.ts';
import { isDescribed } from '#shared/http/openapi/description.ts';
import { operationId } from '#shared/http/openapi/names.ts';
import { codesByStatus } from '#shared/http/response/error-codes.ts';
import { DESCRIPTION, OPERATIONS, operationOf, resolved } from '#test/helpers/description.ts';
import { CLIENT_TYPES, clientTypes } from '#tools/client-types.ts';
import { generated } from '#tools/gen.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const described = ENDPOINTS.filter(isDescribed);

test('is what the contracts say, and so are the types for clients', async () => {
  const text = readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8');
  expect(text).toBe(generated()['docs/openapi.json']);
  expect(readFileSync(join(ROOT, CLIENT_TYPES), 'utf8')).toBe(await clientTypes(text));
});

test('names every operation, and no other', () => {
  expect(OPERATIONS.map(({ id }) => id).sort()).toEqual(described.map(operationId).sort());
  for (const contract of described) {
    const { method, path } = operationOf(operationId(contract));
    expect([method, path]).toEqual([contract.method, contract.path]);
  }
});

test('names version and dialect, and nothing of the machine that made it', () => {
  expect([DESCRIPTION.openapi, DESCRIPTION.info.version]).toEqual(['3.1.0', '1.0.0']);
  expect(JSON.stringify(DESCRIPTION)).not.toMatch(/127\.0\.0\.1|localhost|\/work\/|node_modules|registry\./);
});

describe.each(described.map((contract) => [operationId(contract), contract] as const))('%s', (id, contract) => {
  const operation = operationOf(id);

  test('lists exactly the codes it can answer, each at its status', () => {
    const listed = Object.entries(operation['x-error-codes']);
    expect(new Map(listed.map(([status, codes]) => [Number(status), codes]))).toEqual(codesByStatus(contract));
    const [, sentence = ''] = /\nError codes: (.*)\.$/.exec(operation.description) ?? [];
    expect(sentence.split(', ')).toEqual(
      listed.flatMap(([status, codes]) => codes.map((code) => `${status} \`${code}\``)),
    );
    for (const [status, codes] of listed) {
      const examples = resolved(operation.responses[status]!).content?.['application/json']?.examples;
      expect(Object.keys(examples ?? {})).toEqual(expect.arrayContaining(codes));
    }
  });

  test('has its statuses, the header of the request id, its credentials, and a key for repeats', () => {
    for (const status of Object.keys(contract.responses)) {
      expect(Object.keys(resolved(operation.responses[status]!).headers ?? {})).toContain('x-request-id');
    }
    const accepted = { public: [], read: 3, manage: 2, session: 1, key: 1 }[contract.auth];
    expect(operation.security).toHaveLength(typeof accepted === 'number' ? accepted : 0);
    const parameters = (operation.parameters ?? []).map((each) => resolved(each));
    const takesKey = parameters.some(({ name }) => name === 'Idempotency-Key');
    expect(takesKey).toBe(isRepeatable(contract));
    for (const { description } of parameters) expect(description).toBeTruthy();
  });
});

test('leads from a new connection to its sync, its run and its data', () => {
  const linked = (id: string, status: string) => Object.keys(resolved(operationOf(id).responses[status]!).links ?? {});
  expect(linked('createConnection', '201')).toEqual(
    expect.arrayContaining(['startSync', 'getConnection', 'deleteConnection']),
  );
  expect(linked('startSync', '202')).toEqual(['getSyncRun', 'cancelSyncRun']);
  expect(linked('createWebhook', '201')).toEqual(expect.arrayContaining(['getWebhook', 'rollWebhookSecret']));
  const known = new Set(OPERATIONS.map(({ id }) => id));
  for (const { id, responses } of OPERATIONS)
    for (const status of Object.keys(responses))
      for (const target of linked(id, status)) expect(known).toContain(target);
});
