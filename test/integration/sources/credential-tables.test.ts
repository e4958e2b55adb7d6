/** The credential tables themselves: their required rows, and no reference to anything that does not exist. */
import { describe, expect, test } from 'vitest';
import { MANIFESTS } from '#shared/sources/manifests.gen.ts';
import { SYNC_ERRORS } from '#shared/values/sync-errors.ts';
import { loadSources } from '#test/helpers/source-folders.ts';
import { BEHAVIOURS, NOT_ON_THIS_WIRE } from './wire-gaps.ts';

const folders = await loadSources();

test('every source is active and has its institution', () => {
  expect(folders.map(({ code }) => code)).toEqual(MANIFESTS.map(({ code }) => code).sort());
});

describe.each(folders.map((folder) => [folder.code, folder] as const))('%s', (code, { credentials, manifest }) => {
  test('the first row simply works; every row has its own login and label', () => {
    expect(credentials[0]).toMatchObject({ behaviour: 'works', outcomes: {} });
    for (const field of ['login', 'label'] as const) {
      const values = credentials.map((entry) =>
        field === 'label' ? entry.label : Object.values(entry.credentials)[0],
      );
      expect(
        values.filter((value, at) => values.indexOf(value) !== at),
        field,
      ).toEqual([]);
    }
  });

  test.each(credentials.map((entry) => [entry.label, entry] as const))('%s can be connected', (_label, entry) => {
    expect(manifest.credentialsSchema.safeParse(entry.credentials).error).toBeUndefined();
    expect(manifest.metadataSchema.safeParse(entry.metadata).error).toBeUndefined();
    const named = [...Object.keys(entry.outcomes), ...Object.keys(entry.notices ?? {})];
    expect([...manifest.scopes, '*']).toEqual(expect.arrayContaining(named));
    for (const errorCode of Object.values(entry.outcomes)) expect(Object.keys(SYNC_ERRORS)).toContain(errorCode);
    // A notice belongs to the scope, or to the accounts of the whole source.
    for (const [scope, notices] of Object.entries(entry.notices ?? {}))
      for (const notice of notices) expect(notice).toMatch(new RegExp(`^${code}\\.(?:${scope}\\.)?[a-z_]+$`));
  });

  test('every behaviour has a row, or a reason why it cannot have one', () => {
    const shown = new Set(credentials.map(({ behaviour }) => behaviour));
    const reasons = Object.keys(NOT_ON_THIS_WIRE[code] ?? {});
    expect(BEHAVIOURS.filter((behaviour) => !shown.has(behaviour)).sort()).toEqual(reasons.sort());
  });
});

test('every fault of an institution can be brought about', () => {
  const shown = new Set(
    folders.flatMap(({ credentials }) => credentials.flatMap(({ outcomes }) => Object.values(outcomes))),
  );
  const faults = Object.keys(SYNC_ERRORS).filter((code) => code.startsWith('source.'));
  expect(faults.filter((code) => !shown.has(code as never))).toEqual([]);
});
