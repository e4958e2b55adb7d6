/** Purchase and sales register of the tax authority (RCV). Source: tax.md §4, §5 and the mapping of §9. */
import * as z from 'zod';
import { day, decimal, instant, period, rut, text, uuid } from '#shared/values/fields.ts';
import { DIRECTIONS, defineScope, direction, eachRow, listFilters, periodicSyncMetadata, search } from './scope.ts';

export { DIRECTIONS } from './scope.ts';
export const ESTADOS = ['registro', 'pendiente', 'no_incluir', 'reclamado'] as const;
const estado = () =>
  z.enum(ESTADOS).describe('State in the register: registered, pending, not to be included, claimed.');

/**
 * Document types of purchase invoices, paper and electronic. The buyer issues these invoices, so the roles of issuer
 * and receiver are reversed (tax.md §8.1, §9).
 */
const PURCHASE_INVOICES: ReadonlySet<string> = new Set(['45', '46']);

/** Returns true if the buyer issued the document: a purchase invoice, or a note on one. */
export const isIssuedByBuyer = (row: { document_type: string; on_purchase_invoice?: true | undefined }): boolean =>
  PURCHASE_INVOICES.has(row.document_type) || row.on_purchase_invoice === true;

/**
 * Document types of credit notes. Their amounts are positive, as in the source's answers, and are subtracted from the
 * amounts of other documents.
 */
const CREDIT_NOTES = ['60', '61', '106', '112'] as const;

const shown = {
  issuer_rut: rut().nullable(),
  issuer_name: text().nullable(),
  receiver_rut: rut().nullable(),
  receiver_name: text().nullable(),
  issued_at: day().nullable().describe('Issue date, YYYY-MM-DD.'),
  received_at: instant().nullable().describe('When the tax authority received it.'),
  net_amount: decimal().nullable(),
  exempt_amount: decimal().nullable(),
  vat_amount: decimal().nullable().describe('Recoverable VAT on purchases, VAT on sales.'),
  total_amount: decimal().nullable().describe('Also positive on credit notes, as on the wire.'),
  currency: text().nullable(),
  status: text().nullable().describe("Caption of the receiver's event; null when there is none."),
  estado: estado(),
  referenced_document_type: text().nullable(),
  referenced_folio: text().nullable(),
  acknowledged_at: instant().nullable(),
  claimed_at: instant().nullable(),
  transaction_type: text().nullable(),
};

const identity = {
  period: period(),
  direction: direction(),
  document_type: text().describe("The authority's document type code, e.g. 33."),
  folio: text().nullable(),
};

const parsed = z.object({
  ...identity,
  ...shown,
  /** Not every answer contains these fields. If a field is undefined, the stored value stays. */
  issuer_name: shown.issuer_name.optional(),
  receiver_name: shown.receiver_name.optional(),
  received_at: shown.received_at.optional(),
  transaction_type: shown.transaction_type.optional(),
  referenced_document_type: shown.referenced_document_type.optional(),
  referenced_folio: shown.referenced_folio.optional(),
  source_document_id: text().nullable().optional(),
  /**
   * True for a note on a purchase invoice (tax.md §8.1), absent for all other documents. The field is a part of the key
   * and is not shown.
   */
  on_purchase_invoice: z.literal(true).optional(),
  status: shown.status.optional(),
  acknowledged_at: shown.acknowledged_at.optional(),
  claimed_at: shown.claimed_at.optional(),
});

const listRow = z.object({ id: uuid(), ...identity, ...shown, created_at: instant().nullable() });

const fullRow = z.object({
  ...listRow.shape,
  connection_id: uuid(),
  sync_run_id: uuid().nullable(),
  raw_payload_id: uuid().nullable(),
  source_document_id: text().nullable(),
  raw_row: z.record(z.string(), z.unknown()).nullable(),
});

export type RcvRow = z.infer<typeof parsed>;

export const taxRcv = defineScope({
  source: 'tax',
  name: 'rcv',
  label: 'Registro de compras y ventas',
  resource: 'tax-rcv-documents',
  periodic: true,
  parsed,
  listRow,
  fullRow,
  /**
   * Direction, type, counterparty and folio identify a document, because the other party is always the connection's
   * company. Buyer and seller may each issue a note with the same folio.
   */
  naturalKey: (row) => {
    const { direction, document_type, folio, issuer_rut, receiver_rut, issuer_name, receiver_name } = row;
    const otherIssues = (direction === 'received') !== isIssuedByBuyer(row);
    const other = otherIssues ? (issuer_rut ?? issuer_name) : (receiver_rut ?? receiver_name);
    const key = [direction, document_type, other ?? '', folio ?? ''];
    return row.on_purchase_invoice ? [...key, 'on_purchase_invoice'] : key;
  },
  /**
   * The state in the register, the events and the references may change. VAT may change when the buyer classifies a
   * document again.
   */
  facts: [
    'issuer_rut',
    'issuer_name',
    'receiver_rut',
    'receiver_name',
    'issued_at',
    'received_at',
    'net_amount',
    'exempt_amount',
    'total_amount',
    'currency',
  ],
  eventDay: (row) => row.issued_at,
  eventInstant: () => null,
  facets: { direction: DIRECTIONS, estado: ESTADOS },
  search: {
    texts: ['issuer_name', 'receiver_name', 'folio'],
    ruts: ['issuer_rut', 'receiver_rut'],
    exact: 'document_type',
  },
  /**
   * Amounts of credit notes are positive both in our rows and in the source's totals, and are compared only within
   * their document type.
   */
  totals: {
    /** Documents of the sales book do not move. Purchases move between states and months. */
    neverMoves: { direction: 'issued' },
    fields: ['direction', 'estado', 'document_type', 'net_amount', 'vat_amount', 'exempt_amount', 'total_amount'],
    groupOf: (row) => {
      const { direction, estado, document_type } = row;
      return { direction, estado, document_type };
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
    estado: estado().optional(),
    document_type: z
      .string()
      .regex(/^[A-Za-z0-9]{1,4}$/, 'must be a document type code, e.g. 33')
      .optional()
      .describe("The authority's document type code, e.g. 33.")
      .meta({ examples: ['33', '61'] }),
    q: search('Part of the name of issuer or receiver, the folio, or a RUT without dots and dash.', [
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
      'document_type',
      'folio',
      'issuer_rut',
      'issuer_name',
      'receiver_rut',
      'receiver_name',
      'issued_at',
      'net_amount',
      'exempt_amount',
      'vat_amount',
      'total_amount',
      'currency',
      'estado',
      'status',
      'referenced_document_type',
      'referenced_folio',
    ],
    sums: ['net_amount', 'exempt_amount', 'vat_amount', 'total_amount'],
    groups: ['direction', 'estado', 'document_type'],
    subtracted: { document_type: CREDIT_NOTES },
  },
  document: { idParam: 'documentId', notFound: 'rcv_document_not_found' },
});
