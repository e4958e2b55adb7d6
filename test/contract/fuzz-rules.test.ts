/** The rules that the fuzzer's hooks exempt, each broken by a request: the hooks exempt exactly that. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ENDPOINTS } from '#infra/endpoints.gen.ts';
import type { Caller } from '#shared/http/endpoint.ts';
import { operationId } from '#shared/http/openapi/names.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { type Credential, callersOf } from '#test/helpers/callers.ts';
import { connectionApi } from '#test/helpers/connection-api.ts';
import { handlerOf } from '#test/helpers/handlers.ts';
import { call } from '#test/helpers/http.ts';
import { useKeyFile } from '#test/helpers/key-file.ts';
import { useSharedSecretIssuer } from '#test/helpers/sessions.ts';

interface Rule {
  rule: string;
  operations?: string[];
  status: number;
  message: string;
  example: { operation: string; query?: string; body?: unknown };
}

const RULES = JSON.parse(readFileSync(join(import.meta.dirname, '../../tools/fuzz/rules.json'), 'utf8')) as Rule[];
const JSON_TYPE = { 'content-type': 'application/json' };

let table: EngineTable;
let keyFile: { remove(): void };
let callers: Record<Caller['kind'], Credential>;
let connectionId: string;

beforeAll(async () => {
  table = await startEngineTable();
  keyFile = useKeyFile();
  useSharedSecretIssuer();
  callers = await callersOf('11111111-1111-4111-8111-111111111111');
  connectionId = (await connectionApi(callers.session).create()).body.id;
});
afterAll(async () => {
  keyFile.remove();
  await table.stop();
});

test.each(RULES.map((rule) => [rule.rule, rule] as const))(
  '%s',
  async (_, { operations, status, message, example }) => {
    const contract = ENDPOINTS.find((each) => operationId(each) === example.operation)!;
    if (operations) expect(operations).toContain(example.operation);
    const { query = '', body } = example;
    const request = { query, ...(body === undefined ? {} : { body, headers: JSON_TYPE }) };
    const answer = await call(contract, await handlerOf(contract.id), {
      ...callers.session,
      ...request,
      params: { id: connectionId },
    });
    expect(answer.status).toBe(status);
    for (const finding of answer.body.error.message.split('; '))
      expect(finding).toMatch(new RegExp(`^(?:${message})$`));
  },
);

test('name operations that there are', () => {
  const known = new Set(ENDPOINTS.map(operationId));
  for (const { operations = [] } of RULES) for (const operation of operations) expect(known).toContain(operation);
});
