/** Daily summaries of sales receipts (boletas). Source: tax.md §6 and the mapping of §10. */
import * as z from 'zod';
import { isRealDay, santiagoMidnight } from '#shared/values/dates.ts';
import { decimal, instant, period, text, uuid } from '#shared/values/fields.ts';
import { defineScope, listFilters, periodicSyncMetadata } from './scope.ts';

export const BOLETA_TYPES = ['39', '41'] as const;

const documentType = () =>
  z.enum(BOLETA_TYPES).describe('39: taxed electronic receipts, 41: exempt electronic receipts.');

const stored = {
  period: period(),
  document_type: documentType(),
  day: z.int().min(1).max(31).describe('Day of the month.'),
  total_documentos: z.int().nullable().describe('Number of receipts of that day.'),
  net_amount: decimal().nullable(),
  exempt_amount: decimal().nullable(),
  vat_amount: decimal().nullable(),
  total_amount: decimal().nullable(),
  channel: text().nullable().describe('Sales channel, if the source reports it.'),
};

const dayOf = (row: { period: string; day: number }): string => `${row.period}-${String(row.day).padStart(2, '0')}`;

const parsed = z
  .object(stored)
  .refine((row) => isRealDay(dayOf(row)), { path: ['day'], message: 'must be a day of the month' });

export type BoletaRow = z.infer<typeof parsed>;

export const taxBoletas = defineScope({
  source: 'tax',
  name: 'boletas',
  label: 'Boletas: resumen diario',
  resource: 'tax-boletas',
  periodic: true,
  isShownIn: 'month',
  parsed,
  listRow: z.object({
    id: uuid(),
    ...stored,
    date: instant().nullable().describe('Start of the day in America/Santiago, as UTC.'),
    updated_at: instant().nullable().describe('When a sync last read this month.'),
  }),
  fullRow: null,
  naturalKey: (row) => [row.document_type, dayOf(row)],
  eventDay: (row) => dayOf(row),
  eventInstant: () => null,
  facets: { document_type: BOLETA_TYPES },
  derived: (row, syncedAt) => ({ date: santiagoMidnight(dayOf(row)), updated_at: syncedAt }),
  /**
   * The source reports two totals of each document type: one in the answer with the days of the type, and one in the
   * register of sales.
   */
  totals: {
    fields: ['document_type', 'total_documentos', 'net_amount', 'vat_amount', 'exempt_amount', 'total_amount'],
    groupOf: (row) => ({ document_type: row.document_type }),
    figures: {
      total_documentos: (row) => row.total_documentos?.toString() ?? null,
      net_amount: (row) => row.net_amount,
      vat_amount: (row) => row.vat_amount,
      exempt_amount: (row) => row.exempt_amount,
      total_amount: (row) => row.total_amount,
    },
  },
  filters: listFilters('the summarized day', { document_type: documentType().optional() }),
  syncMetadata: periodicSyncMetadata,
  agent: {
    columns: [
      'id',
      'period',
      'document_type',
      'day',
      'total_documentos',
      'net_amount',
      'exempt_amount',
      'vat_amount',
      'total_amount',
      'channel',
    ],
    sums: ['total_documentos', 'net_amount', 'exempt_amount', 'vat_amount', 'total_amount'],
    groups: ['document_type'],
  },
  document: null,
});
