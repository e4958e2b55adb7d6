/** `metadata` of a sync by period (decisions.md §5): a list of months, or the first and the last month. */
import { expect, test } from 'vitest';
import { HTTP_LIMITS } from '#shared/http/limits.ts';
import { metadataToSync } from '#shared/http/request/sync-input.ts';
import { taxBoletas } from '#shared/scopes/tax-boletas.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';

const scopes = [taxRcv, taxBoletas];

test.each([
  ['one month', { from_period: '2026-10', to_period: '2026-10' }],
  ['the longest range', { from_period: '2023-11', to_period: '2026-10' }],
  ['the longest range within three years', { from_period: '2024-01', to_period: '2026-12' }],
  ['one month by name', { periods: ['2026-10'] }],
])('%s is taken as it is', (_, metadata) => {
  expect(metadataToSync(scopes, metadata)).toEqual(metadata);
});

test.each([
  [{ from_period: '2026-10', to_period: '2026-09' }, 'metadata.from_period must not be after to_period'],
  [{ from_period: '2023-11', to_period: '2026-11' }, 'metadata must span at most 36 months'],
  [{ from_period: '2024-01', to_period: '2027-01' }, 'metadata must span at most 36 months'],
  [{ from_period: '2026-10' }, 'metadata.from_period and to_period go together'],
])('%j: 422 %s', (metadata, message) => {
  expect(() => metadataToSync(scopes, metadata as Record<string, unknown>)).toThrow(
    expect.objectContaining({ code: 'sync_invalid_metadata', status: 422, message }),
  );
});

test('metadata of the maximum size is validated by its content, one byte more is refused for its length', () => {
  const messageOf = (bytes: number): string => {
    const length = bytes - JSON.stringify({ x: '' }).length;
    try {
      metadataToSync(scopes, { x: 'a'.repeat(length) });
    } catch (error) {
      return (error as Error).message;
    }
    return 'taken';
  };
  expect(messageOf(HTTP_LIMITS.syncMetadataBytesMax)).toBe(
    'metadata.x is not a known property. Known: periods, from_period, to_period',
  );
  expect(messageOf(HTTP_LIMITS.syncMetadataBytesMax + 1)).toMatch(/must be at most \d+ bytes/);
});

test('null counts as absent, for all of it and for its parts', () => {
  expect(metadataToSync(scopes, null)).toEqual({});
  const range = { from_period: '2026-09', to_period: '2026-10' };
  expect(metadataToSync(scopes, { periods: null, ...range })).toEqual(range);
  expect(() => metadataToSync(scopes, { x: null })).toThrow('metadata.x is not a known property');
});
