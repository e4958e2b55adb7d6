/** Dispatch guides (document type 52), issued and received. Source: tax.md §7 and the mapping of §10. */
import * as z from 'zod';
import { day, decimal, instant, period, rut, text, uuid } from '#shared/values/fields.ts';
import { DIRECTIONS, defineScope, direction, eachRow, listFilters, periodicSyncMetadata, search } from './scope.ts';

const listed = {
  period: period(),
  direction: direction(),
  folio: text().nullable(),
  issued_at: day().nullable().describe('Issue date, YYYY-MM-DD.'),
  counterparty_rut: rut().nullable().describe('Receiver of an issued guide, issuer of a received one.'),
  counterparty_name: text().nullable(),
  total_amount: decimal().nullable(),
  vat_amount: decimal().nullable(),
};

const status = text().nullable().describe("Caption of the document's last event; null when there is none.");

const detailed = {
  source_guide_id: text()
    .nullable()
    .describe("The authority's own number of the guide, otherwise direction, RUT and folio."),
  document_type: text().nullable().describe("The authority's document type code: 52."),
  net_amount: decimal().nullable(),
  exempt_amount: decimal().nullable(),
  vat_rate: decimal().nullable().describe('Percentage, e.g. 19.0.'),
  received_at: day().nullable().describe('Day on which the authority received it, YYYY-MM-DD.'),
  event_order: text().nullable().describe("The authority's event number: 5 is no event."),
  event_description: text().nullable(),
  dhdr_codigo: text().nullable(),
};

const parsed = z.object({
  ...listed,
  status: status.optional(),
  ...detailed,
  /** Not every answer contains these fields. If a field is undefined, the stored value stays. */
  counterparty_name: listed.counterparty_name.optional(),
  total_amount: listed.total_amount.optional(),
  vat_amount: listed.vat_amount.optional(),
  net_amount: detailed.net_amount.optional(),
  exempt_amount: detailed.exempt_amount.optional(),
  vat_rate: detailed.vat_rate.optional(),
  received_at: detailed.received_at.optional(),
  event_order: detailed.event_order.optional(),
  event_description: detailed.event_description.optional(),
  source_guide_id: detailed.source_guide_id.optional(),
  dhdr_codigo: detailed.dhdr_codigo.optional(),
});

export type GuiaRow = z.infer<typeof parsed>;

export const taxGuias = defineScope({
  source: 'tax',
  name: 'guias',
  label: 'Guías de despacho',
  resource: 'tax-dispatch-guides',
  periodic: true,
  isShownIn: 'month',
  parsed,
  listRow: z.object({ id: uuid(), ...listed, status }),
  fullRow: z.object({
    id: uuid(),
    connection_id: uuid(),
    sync_run_id: uuid().nullable().describe('Run that last changed it.'),
    raw_payload_id: uuid().nullable(),
    ...listed,
    ...detailed,
    raw_row: z.record(z.string(), z.unknown()).nullable().describe('The row as the authority shows it.'),
    created_at: instant().nullable(),
  }),
  /**
   * The key contains the authority's number only for a guide without folio. The number may be missing at first, and a
   * guide must keep its identity when the number appears.
   */
  naturalKey: (row) => {
    const { direction, document_type, counterparty_rut, counterparty_name, folio, source_guide_id } = row;
    const other = counterparty_rut ?? counterparty_name ?? '';
    return [direction, document_type ?? '', other, folio ?? '', folio === null ? (source_guide_id ?? '') : ''];
  },
  /** The events of a guide may change. */
  facts: ['counterparty_rut', 'counterparty_name', 'issued_at', 'total_amount', 'vat_amount'],
  eventDay: (row) => row.issued_at,
  eventInstant: () => null,
  facets: { direction: DIRECTIONS },
  search: { texts: ['counterparty_name', 'folio'], ruts: ['counterparty_rut'] },
  totals: {
    fields: ['direction', 'document_type', 'net_amount', 'vat_amount', 'exempt_amount', 'total_amount'],
    groupOf: (row) => {
      const { direction, document_type } = row;
      return { direction, document_type: document_type ?? '' };
    },
    figures: {
      rows: eachRow,
      net_amount: (row) => row.net_amount,
      vat_amount: (row) => row.vat_amount,
      exempt_amount: (row) => row.exempt_amount,
      total_amount: (row) => row.total_amount,
    },
  },
  filters: listFilters('`issued_at`', {
    direction: direction().optional(),
    q: search('Part of the counterparty name, the folio, or the RUT without dots and dash.', [
      'nandu',
      '76543210',
      '771',
    ]),
  }),
  syncMetadata: periodicSyncMetadata,
  agent: {
    columns: [
      'id',
      'period',
      'direction',
      'folio',
      'issued_at',
      'counterparty_rut',
      'counterparty_name',
      'total_amount',
      'vat_amount',
      'status',
    ],
    sums: ['vat_amount', 'total_amount'],
    groups: ['direction'],
  },
  document: { idParam: 'guideId', notFound: 'dispatch_guide_not_found' },
});
