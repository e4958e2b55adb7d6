/** What a log line may contain, proven with canaries: only listed fields, in any form. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { addLogFields, withLogFields } from '#shared/platform/log-context.ts';
import { describeError, type LogFields, log } from '#shared/platform/logger.ts';
import { captureLog } from '#test/helpers/log-lines.ts';
import { codeFiles, ROOT } from '../house/code-files.ts';

const ID = '0198c0de-0000-7000-8000-00000000abcd';
const CANARIES = ['clave-Ñandú-9', 'svc_sk_k3JmQ0c4n4ry', '76123456-7', 'whsec_c2VjcmV0'];

const lineOf = (write: () => void): Record<string, unknown> => {
  const captured = captureLog();
  write();
  const text = captured.text();
  vi.restoreAllMocks();
  return JSON.parse(text) as Record<string, unknown>;
};

describe('a line', () => {
  test('says level, message, time, service, trace and the ids it was given', () => {
    vi.stubEnv('_X_AMZN_TRACE_ID', 'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1');
    const fields: LogFields = { run_id: ID, scope: 'rcv', status: 'ok', count: 3, code: 'source.unavailable' };
    expect(lineOf(() => log.info('a scope ended', fields))).toEqual({
      level: 'INFO',
      message: 'a scope ended',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      service: 'data-connections',
      xray_trace_id: '1-5759e988-bd862e3fe1be46a994272793',
      ...fields,
    });
  });

  test('says what its context says, the inner one and what was learned on the way first', async () => {
    const line = await withLogFields({ request_id: 'r-1', operation: 'get-connection' }, async () => {
      await Promise.resolve();
      addLogFields({ connection_id: ID });
      return withLogFields({ operation: 'sync-scope' }, () => lineOf(() => log.warn('late')));
    });
    expect(line).toMatchObject({ request_id: 'r-1', connection_id: ID, operation: 'sync-scope' });
    expect(lineOf(() => log.warn('late'))).not.toHaveProperty('request_id');
  });

  test.each(CANARIES)('drops %s under any name, as any value, nested or in an error', (canary) => {
    const nested = { a: [{ b: canary }], toJSON: () => canary, toString: () => canary };
    const cause = new Error(`cause ${canary}`, { cause: { deep: canary } });
    const error = Object.assign(new Error(`quoted ${canary}\n    at ${canary} (/x.ts:1:2)`, { cause }), {
      body: canary,
      name: canary,
    });
    const names = ['code', 'status', 'scope', 'operation', 'run_id', 'organization_id', 'period', 'error_name'];
    const evil: Record<string, unknown>[] = [
      { password: canary, [canary]: 'x', error },
      ...names.flatMap((name) => [{ [name]: canary }, { [name]: nested }, { [name]: error }, { [name]: [canary] }]),
      { error_at: canary, error_causes: canary, count: canary, duration_ms: nested },
      { ...describeError(error) },
      { ...describeError(new Error('outer', { cause: error })) },
      { ...describeError(canary) },
    ];
    for (const fields of evil) {
      const line = lineOf(() => withLogFields(fields as LogFields, () => log.error('canary', fields as LogFields)));
      expect(JSON.stringify(line)).not.toContain(canary);
      expect(line.message).toBe('canary');
    }
  });
});

test('an error is logged with name, causes and place, never with its message', () => {
  const told = describeError(new RangeError('secret', { cause: new TypeError('secret', { cause: 'secret' }) }));
  expect(told).toMatchObject({ error_name: 'RangeError', error_causes: 'TypeError' });
  expect(told.error_at).toMatch(/^at .*logger\.test\.ts:\d+:\d+/);
  expect(lineOf(() => log.error('told', told))).toMatchObject(told);
  expect(JSON.stringify(told)).not.toContain('secret');
});

test('messages are literals without inserted values', () => {
  const written = codeFiles()
    .filter(({ path }) => /^(shared|functions)\//.test(path))
    .flatMap(({ path }) => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      return [...text.matchAll(/\blog\.(?:info|warn|error)\(\s*([^,)]*)/g)].map(([, first]) => ({ path, first }));
    });
  expect(written.length).toBeGreaterThan(15);
  const literal = /^(?:[^'?`+]+\? *)?'[^']*'(?: *: *'[^']*')?$/;
  expect(written.filter(({ first }) => !literal.test(first!.trim()))).toEqual([]);
});
