/** The register as public sources describe it: each case is synchronized by the engine, and its values are served. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import type { SandboxCredential } from '#shared/sources/sandbox-kit/credential.ts';
import { whileLying } from '#test/fakes/lying-wire.ts';
import { lieOfCase, taxCases } from '#test/helpers/public-tax-cases.ts';
import { loadSources, type SourceFolder } from '#test/helpers/source-folders.ts';
import { type Story, startStory } from '#test/helpers/source-story.ts';
import { readerOf } from '#test/helpers/source-totals.ts';
import { type SourceWorld, startSourceWorld } from '#test/helpers/source-world.ts';
import { STAGE_TIMEOUT_MS } from './stage.ts';

vi.mock('#shared/transport/connections.ts', () => import('#test/fakes/lying-wire.ts'));

const [folder] = (await loadSources(['tax'])) as [SourceFolder];
const [register] = folder.scopes.filter(({ name }) => name === 'rcv') as [ScopeDefinition];
const CASES = taxCases();

let world: SourceWorld;
let story: Story;

beforeAll(async () => {
  world = await startSourceWorld([folder], { table: 'quick' });
  const [empty] = folder.credentials.filter(({ behaviour }) => behaviour === 'empty') as [SandboxCredential];
  story = await startStory(folder, empty);
}, STAGE_TIMEOUT_MS);
afterAll(async () => {
  await story.close();
  await world.stop();
});

/** Synchronizes one month of the register. Returns the status, the notices and the full rows. */
const syncCase = async (shown: (typeof CASES)[number]) => {
  const connection = { ...(await world.connect(story)), enabledScopes: ['rcv'] };
  const { run, rows } = await whileLying(lieOfCase(shown), async () => {
    const started = await world.start(connection, { periods: [shown.month.replace(/^(\d{4})/, '$1-')] });
    await world.drain();
    const reader = await readerOf(connection);
    const rows = await reader.inFull(register, await reader.rows(register));
    return { run: (await world.look(started)).run, rows };
  });
  return { status: run.status, notices: run.outcomes.rcv?.notices.map(({ code }) => code), rows };
};

test('the cases are there', () => {
  expect(CASES.map(({ id }) => id)).toEqual(['T02', 'T14', 'T19', 'T49', 'T51', 'T52', 'T53']);
});

test.each(CASES)('$id: $title', { timeout: STAGE_TIMEOUT_MS }, async (shown) => {
  const { status, notices, rows } = await syncCase(shown);
  const { expected } = shown;
  expect(notices).toEqual(expected.notices);
  if (expected.status !== 'any') expect(status).toBe(expected.status);
  for (const { _no_taxes, ...wanted } of expected.rows) {
    const values = Object.entries(wanted).map(([field, value]) => [field, value === 'OWN' ? story.login : value]);
    const found = rows.filter(
      ({ document_type, folio }) => document_type === wanted.document_type && folio === wanted.folio,
    );
    expect(found).toEqual([expect.objectContaining(Object.fromEntries(values))]);
    if (_no_taxes) expect(found[0]?.raw_row).not.toHaveProperty('otros_impuestos');
  }
});
