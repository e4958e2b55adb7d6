/** The one scope of the tiny bank. */
import * as z from 'zod';
import { defineScope, listFilters, periodicSyncMetadata } from '#shared/scopes/scope.ts';
import { day, decimal, period, text, uuid } from '#shared/values/fields.ts';

const listed = { period: period(), number: text(), day: day(), description: text().nullable(), amount: decimal() };

export const tinybankMovements = defineScope({
  source: 'tinybank',
  name: 'movements',
  label: 'Movimientos',
  resource: 'tinybank-movements',
  periodic: true,
  parsed: z.object(listed),
  listRow: z.object({ id: uuid(), ...listed }),
  fullRow: null,
  naturalKey: ({ number }) => [String(number)],
  eventDay: (row) => String(row.day),
  eventInstant: () => null,
  facets: {},
  filters: listFilters('`day`', {}),
  syncMetadata: periodicSyncMetadata,
  agent: { columns: ['id', 'period', 'number', 'day', 'description', 'amount'], sums: ['amount'], groups: [] },
  document: null,
});
