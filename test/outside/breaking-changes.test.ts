/**
 * The check against changes that break clients: it passes this description, and refuses planted changes by their kinds.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CannotHave } from '#tools/clients/run-program.ts';
import {
  DESCRIPTION,
  findBreakingChanges,
  formatChange,
  RELEASED,
  toldInChangelog,
} from '#tools/release/breaking-changes.ts';

// biome-ignore lint/suspicious/noExplicitAny: a description is changed anywhere
type Any = any;

const TIMEOUT_MS = 300_000;

let folder: string;
let missing: string | undefined;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'breaking-'));
  await findBreakingChanges(DESCRIPTION, DESCRIPTION).catch((error: unknown) => {
    if (!(error instanceof CannotHave)) throw error;
    missing = error.message;
  });
}, TIMEOUT_MS);
afterAll(() => rmSync(folder, { recursive: true }));

const idsOf = async (change: (description: Any) => void): Promise<string[]> => {
  const description = JSON.parse(readFileSync(DESCRIPTION, 'utf8'));
  change(description);
  const revision = join(folder, 'revision.json');
  writeFileSync(revision, JSON.stringify(description));
  return [...new Set((await findBreakingChanges(DESCRIPTION, revision)).map(({ id }) => id))];
};

test('nothing breaks clients of the latest release in silence', { timeout: TIMEOUT_MS }, async ({ skip }) => {
  if (missing) skip(missing);
  const changes = await findBreakingChanges(RELEASED, DESCRIPTION);
  if (!toldInChangelog()) expect(changes.map(formatChange)).toEqual([]);
});

const list = '/connections/{id}/tax-rcv-documents';

test.for<[what: string, id: string, change: (description: Any) => void]>([
  [
    'a removed field',
    'response-required-property-removed',
    ({ components }) => {
      delete components.schemas.TaxRcvRow.properties.folio;
      const { required } = components.schemas.TaxRcvRow;
      required.splice(required.indexOf('folio'), 1);
    },
  ],
  [
    'a narrowed enum',
    'request-parameter-enum-value-removed',
    ({ paths }) => paths[list].get.parameters.find(({ name }: Any) => name === 'estado').schema.enum.pop(),
  ],
  [
    'a new value of an enum in an answer',
    'response-property-enum-value-added',
    ({ components }) => components.schemas.TaxRcvRow.properties.direction.enum.push('both'),
  ],
  [
    'a new required parameter',
    'new-required-request-parameter',
    ({ paths }) =>
      paths[list].get.parameters.push({ name: 'since', in: 'query', required: true, schema: { type: 'string' } }),
  ],
  [
    'a removed optional parameter',
    'request-parameter-removed',
    ({ paths }) => {
      const { parameters } = paths[list].get;
      const at = parameters.findIndex(({ name }: Any) => name === 'estado');
      parameters.splice(at, 1);
    },
  ],
  [
    'a removed optional property of a request',
    'request-property-removed',
    ({ components }) => delete components.schemas.StartSyncRequest.properties.scopes,
  ],
  [
    'a removed property of an event',
    'response-required-property-removed',
    ({ components }) => {
      delete components.schemas.SyncFailedEvent.properties.timestamp;
      const { required } = components.schemas.SyncFailedEvent;
      required.splice(required.indexOf('timestamp'), 1);
    },
  ],
  [
    'an event that is sent no more',
    'api-path-removed-without-deprecation',
    ({ paths }) => delete paths['/webhooks'].post.callbacks['sync.partial'],
  ],
  ['a removed operation', 'api-removed-without-deprecation', ({ paths }) => delete paths['/webhooks/{id}'].delete],
])('%s is refused', { timeout: TIMEOUT_MS }, async ([, id, change], { skip }) => {
  if (missing) skip(missing);
  expect(await idsOf(change)).toEqual([id]);
});

test('a new field, path, error code or optional parameter is not', { timeout: TIMEOUT_MS }, async ({ skip }) => {
  if (missing) skip(missing);
  const added = await idsOf(({ components, paths }) => {
    components.schemas.ErrorResponse.properties.error.properties.code.enum.push('added');
    components.schemas.TaxRcvRow.properties.added = { type: 'string' };
    paths['/added'] = { get: { operationId: 'added', responses: { 200: { description: 'Done.' } } } };
    paths[list].get.parameters.push({ name: 'since', in: 'query', required: false, schema: { type: 'string' } });
  });
  expect(added).toEqual([]);
});
