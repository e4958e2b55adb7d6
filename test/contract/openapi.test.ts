/** The description: made of the contracts, as committed, and true where a schema cannot check it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ENDPOINTS } from '#infra/endpoints.gen.ts';
import { isRepeatable } from '#shared/http/contract.ts';
import { isDescribed } from '#shared/http/openapi/description.ts';
import { operationId } from '#shared/http/openapi/names.ts';
import { codesByStatus } from '#shared/http/response/error-codes.ts';
import { DESCRIPTION, OPERATIONS, operationOf, resolved } from '#test/helpers/description.ts';
import { writeClientTypes } from '#tools/client-types.ts';
import { generated } from '#tools/gen.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const described = ENDPOINTS.filter(isDescribed);

test('is what the contracts say', () => {
  expect(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')).toBe(generated()['docs/openapi.json']);
});

test('the types for clients are written if they are missing or of another description, and only then', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'client-types-'));
  const path = join(folder, 'types.ts');
  try {
    expect(await writeClientTypes(path)).toBe(true);
    const types = readFileSync(path, 'utf8');
    expect(types).toContain('export interface paths {');
    expect(await writeClientTypes(path)).toBe(false);
    writeFileSync(path, types.replace(/\([0-9a-f]{64}\)/, `(${'0'.repeat(64)})`));
    expect(await writeClientTypes(path)).toBe(true);
    expect(readFileSync(path, 'utf8')).toBe(types);
  } finally {
    rmSync(folder, { recursive: true });
  }
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
