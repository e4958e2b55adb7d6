import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { bytes, item, StoredItemInvalid } from '#shared/table/item.ts';
import type { Item } from '#shared/table/table.ts';

const Schema = z.object({
  id: z.string(),
  movedAtMs: z.number(),
  revokedAt: z.string().nullable(),
  note: z.string().nullable(),
  openRuns: z.array(z.string()),
  nested: z.object({ state: z.enum(['on', 'off']) }),
});
const codec = item('thing', Schema, {
  names: { movedAtMs: 'moved' },
  absent: ['revokedAt'],
  sets: ['openRuns'],
});
const thing = {
  id: 'a',
  movedAtMs: 1,
  revokedAt: null,
  note: null,
  openRuns: ['r1', 'r2'],
  nested: { state: 'on' as const },
};

describe('a codec of a stored entity', () => {
  test('names attributes in snake_case, or as they were named', () => {
    expect(codec.attributes).toEqual(['id', 'moved', 'revoked_at', 'note', 'open_runs', 'nested']);
  });

  test('leaves out what is absent when null, and an empty set', () => {
    expect(codec.toItem(thing)).toEqual({
      id: 'a',
      moved: 1,
      note: null,
      open_runs: new Set(['r1', 'r2']),
      nested: { state: 'on' },
    });
    expect(codec.toItem({ ...thing, openRuns: [] })).not.toHaveProperty('open_runs');
  });

  test('reads back what it wrote, keys and other attributes aside', () => {
    for (const each of [thing, { ...thing, revokedAt: 'then', openRuns: [] }])
      expect(codec.fromItem({ pk: 'p', sk: 's', expires_at_epoch: 1, ...codec.toItem(each) })).toEqual(each);
  });

  test('makes attributes of the fields that change, and of no other', () => {
    expect(codec.toChanges({ movedAtMs: 2, note: undefined })).toEqual({ moved: 2 });
    expect(codec.toChanges({ note: null })).toEqual({ note: null });
  });

  test('keeps what a later release wrote into a nested value', () => {
    const stored = { ...codec.toItem(thing), nested: { state: 'on', more: 1 } };
    expect(codec.fromItem(stored).nested).toEqual({ state: 'on', more: 1 });
  });

  test.each([
    ['a wrong type', { moved: '1' }],
    ['an absent field', { moved: undefined }],
    ['an unknown state', { nested: { state: 'secret-state' } }],
  ])('refuses %s by the names of entity and field', (_, wrong) => {
    const read = () => codec.fromItem({ ...codec.toItem(thing), ...wrong });
    expect(read).toThrow(StoredItemInvalid);
    expect(read).toThrow(/^stored thing: (movedAtMs|nested)$/);
  });

  test('takes bytes for bytes and nothing else', () => {
    const binary = item('binary', z.object({ secret: bytes() }));
    expect(binary.fromItem({ secret: new Uint8Array([1]) }).secret).toEqual(new Uint8Array([1]));
    expect(() => binary.fromItem({ secret: 'AQ==' })).toThrow(StoredItemInvalid);
  });

  test('an attribute has no type until a codec gave it one', () => {
    const found: Item = { pk: 'p', sk: 's', anything: 'text' };
    // @ts-expect-error: an attribute of an item is unknown
    const wrong: Date = found.anything;
    expect(wrong).toBe('text');
  });
});
