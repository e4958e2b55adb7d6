/** `metadata` of a sync of tenders (decisions.md §5): codes, or days. */
import { expect, test } from 'vitest';
import { metadataToSync } from '#shared/http/request/sync-input.ts';
import { procurementDocumentos } from '#shared/scopes/procurement-documentos.ts';
import { procurementLicitaciones } from '#shared/scopes/procurement-licitaciones.ts';

const scopes = [procurementLicitaciones, procurementDocumentos];

test.each([
  {},
  { codigos: ['1509-5-L114', '990101-12-le25'] },
  { codigos: Array.from({ length: 500 }, (_, n) => `1-${n}-LE25`) },
  { from: '2026-11-01', to: '2026-11-07' },
  { from: '2026-12-28', to: '2027-01-03' },
])('%j is taken as it is', (metadata) => {
  expect(metadataToSync(scopes, metadata)).toEqual(metadata);
});

test.each([
  [{ codigos: [] }, 'metadata.codigos must have at least 1 items'],
  [{ codigos: Array.from({ length: 501 }, (_, n) => `1-${n}-LE25`) }, 'metadata.codigos must have at most 500 items'],
  [{ codigos: ['a b'] }, 'metadata.codigos[0] must be a tender code'],
  [{ from: '2026-11-01' }, 'metadata.from and to go together'],
  [{ to: '2026-11-01' }, 'metadata.from and to go together'],
  [{ from: '2026-11-02', to: '2026-11-01' }, 'metadata.from must not be after to'],
  [{ from: '2026-11-01', to: '2026-11-08' }, 'metadata must span at most 7 days'],
  [{ from: '2026-02-30', to: '2026-03-01' }, 'metadata.from must be a date of the form YYYY-MM-DD that exists'],
  [{ codigos: ['1-1-LE25'], from: '2026-11-01', to: '2026-11-02' }, 'metadata takes either codigos or from and to'],
  [{ periods: ['2026-11'] }, 'metadata.periods is not a known property. Known: codigos, from, to'],
])('%j: 422 %s', (metadata, message) => {
  expect(() => metadataToSync(scopes, metadata as Record<string, unknown>)).toThrow(
    expect.objectContaining({ code: 'sync_invalid_metadata', status: 422, message }),
  );
});
