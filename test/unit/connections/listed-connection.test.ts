import { hash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { findLoginSharers } from '#shared/connections/account-key.rules.ts';
import {
  type Connection,
  type ConnectionChange,
  type ConnectionStatus,
  newConnection,
} from '#shared/connections/connection.rules.ts';
import { SnapshotSchema } from '#shared/connections/connection-snapshot.store.ts';
import { CONNECTION_LIMITS } from '#shared/connections/limits.ts';
import { changesList, ListedConnectionSchema, toListed } from '#shared/connections/listed-connection.rules.ts';
import { type ConnectionChoice, selectConnections } from '#shared/connections/select-connections.rules.ts';
import type { SyncErrorCode } from '#shared/values/sync-errors.ts';
import { runs } from '#test/helpers/effort.ts';

const NOW_MS = Date.parse('2026-11-05T12:00:00.000Z');
const WORDS = ['Ñandú', 'arbol', 'C-1', '76192083-9', ''];
const word = fc.constantFrom(...WORDS);
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });

const someConnection: fc.Arbitrary<Connection> = fc
  .record({
    n: fc.integer({ min: 0, max: 999 }),
    name: word,
    source: fc.constantFrom('tax', 'bankone'),
    status: fc.constantFrom<ConnectionStatus>('pending', 'active', 'error', 'disabled'),
    metadata: fc.record({ reference: word, company_rut: word, company_name: word, own: word }, { requiredKeys: [] }),
    accountKey: maybe(fc.constantFrom('a'.repeat(32), `${'b'.repeat(32)}.company`)),
    lastErrorCode: maybe(fc.constantFrom<SyncErrorCode>('source.unavailable', 'source.password_expired')),
    openRuns: fc.constantFrom<string[]>([], ['a run']),
  })
  .map(({ n, ...fields }) => {
    const { name, source, metadata, accountKey } = fields;
    const id = `0199a7c4-0000-7000-8000-${String(n).padStart(12, '0')}`;
    const made = { id, organizationId: id, name, source, metadata, accountKey, enabledScopes: ['rcv'] };
    return { ...newConnection({ ...made, createdAt: '2026-11-05T12:00:00.000Z' }), ...fields };
  });

const choice: fc.Arbitrary<ConnectionChoice> = fc.record({
  filter: fc.record({
    reference: maybe(word),
    status: maybe(fc.constantFrom('pending', 'active', 'error', 'disabled')),
    source: maybe(fc.constantFrom('tax', 'bankone')),
    companyRut: maybe(word),
    q: maybe(fc.constantFrom('nandu', 'bol', 'c-1', '76192')),
    needsAttention: maybe(fc.constant(true)),
  }),
  order: fc.constantFrom('created', 'company'),
  nowMs: fc.constant(NOW_MS),
});

describe('toListed', () => {
  it('leaves out nothing that a list of connections without approvals filters or sorts by', () => {
    fc.assert(
      fc.property(fc.uniqueArray(someConnection, { selector: ({ id }) => id }), choice, (connections, wanted) => {
        const listed = connections.map(toListed);
        const select = (all: readonly (typeof listed)[number][]) =>
          selectConnections(all, findLoginSharers(all), wanted).map(({ connection }) => connection.id);
        expect(select(listed)).toEqual(select(connections));
      }),
      { numRuns: runs(5_000) },
    );
  });

  it('fits its schema as JSON, and lists nothing of the source’s own metadata', () => {
    fc.assert(
      fc.property(someConnection, (connection) => {
        const listed = toListed(connection);
        expect(ListedConnectionSchema.parse(JSON.parse(JSON.stringify(listed)))).toEqual(listed);
        expect(toListed(listed)).toEqual(listed);
        expect(listed.metadata).not.toHaveProperty('own');
      }),
      { numRuns: runs(500) },
    );
  });
});

it('is the form of snapshots that was looked at', () => {
  // If the hash differs: give `SnapshotSchema` another `form`, and put the new hash here.
  const form = JSON.stringify(z.toJSONSchema(SnapshotSchema, { unrepresentable: 'any' }));
  expect(hash('sha256', form).slice(0, 12)).toBe('e7b233fc3860');
});

it('lets no note expire while a snapshot without it is read, also by a clock that is an hour behind', () => {
  const { changedSeconds, snapshotMs } = CONNECTION_LIMITS;
  expect(changedSeconds * 1_000).toBeGreaterThanOrEqual(snapshotMs + 3_600_000);
});

describe('changesList', () => {
  const schedule = { enabled: true, frequencyMinutes: 60, startsAt: null, revision: 2 };
  const credentials = { ciphertext: new Uint8Array(), expectedVersion: 1, accountKey: undefined };
  it.each<[ConnectionChange, boolean]>([
    [{}, false],
    [{ schedule }, false],
    [{ enabledScopes: ['rcv'] }, false],
    [{ name: 'other' }, true],
    [{ metadata: {} }, true],
    [{ status: 'disabled' }, true],
    [{ credentials }, true],
    [{ schedule, status: 'pending' }, true],
  ])('%o: %s', (change, expected) => {
    expect(changesList(change)).toBe(expected);
  });
});
