/** Manifests of all sources: what a connection may leave out, and what it can synchronize. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { SCOPE_QUEUES, sourceEntry } from '#infra/manifest.ts';
import { scopeQueue } from '#shared/platform/queue-names.ts';
import { MANIFESTS } from '#shared/sources/manifests.gen.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

describe.each(MANIFESTS.map((manifest) => [manifest.code, manifest] as const))('%s', (code, manifest) => {
  test('metadata {} is enough, an unknown field is refused, and both schemas can be published', () => {
    expect(manifest.metadataSchema.safeParse({}).success).toBe(true);
    for (const schema of [manifest.metadataSchema, manifest.credentialsSchema]) {
      expect(schema.safeParse({ 'un-known': 1 }).success).toBe(false);
      expect(z.toJSONSchema(schema, { io: 'input' })).toMatchObject({ additionalProperties: false });
    }
    expect(manifest.credentialsSchema.safeParse({}).success).toBe(false);
  });

  test('is active only with an adapter; then, and only then, each of its scopes has a queue', () => {
    const hasAdapter = existsSync(join(ROOT, sourceEntry(code)));
    if (manifest.isActive) expect(hasAdapter).toBe(true);
    const queues = manifest.scopes.map((scope) => scopeQueue(code, scope));
    expect(SCOPE_QUEUES.filter((queue) => queues.includes(queue))).toEqual(manifest.isActive ? queues : []);
  });
});

test('every type of decisions.md §4 is there', () => {
  expect(Object.fromEntries(MANIFESTS.map(({ code, type }) => [code, type]))).toEqual({
    tax: 'tax_authority',
    bankone: 'bank',
    banktwo: 'bank',
    bankthree: 'bank',
    procurement: 'procurement',
  });
});
