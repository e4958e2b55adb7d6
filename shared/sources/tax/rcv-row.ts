/** Converts the register's fields, from CSV or JSON, to a row of the scope (tax.md §9). */
import { isIssuedByBuyer, type RcvRow } from '#shared/scopes/tax-rcv.ts';
import type { WireOperation } from './wire.ts';

/** Facts that the request of an answer contains and its rows do not. */
export interface RegisterReading {
  /** RUT of the company that owns the register. The wire does not contain the company's name. */
  own: string;
  period: string;
  operation: WireOperation;
  estado: RcvRow['estado'];
  /** Requested document type; null when all document types were requested. */
  askedType: string | null;
}

export const toDirection = (operation: WireOperation): RcvRow['direction'] =>
  operation === 'COMPRA' ? 'received' : 'issued';

type Parties = Pick<RcvRow, 'issuer_rut' | 'issuer_name' | 'receiver_rut' | 'receiver_name'>;
/** Name of a party; undefined when the answer does not contain the name. */
type Name = RcvRow['issuer_name'];

/** Types of debit and credit notes, paper and electronic. */
const NOTES = new Set(['55', '56', '60', '61']);

type DocumentKind = Pick<RcvRow, 'document_type' | 'on_purchase_invoice'>;

/**
 * Returns the type of a document, and for a note whether its purchase invoice was issued by the buyer: `mark` is 1 then
 * (§8.1).
 */
export const readKind = (type: string, mark: unknown): DocumentKind =>
  NOTES.has(type) && String(mark ?? '').trim() === '1'
    ? { document_type: type, on_purchase_invoice: true }
    : { document_type: type };

/**
 * Returns issuer and receiver of a document; the wire names only the other party. The buyer issues a purchase invoice
 * and its notes, so for these the two parties are swapped (§8.1).
 */
export const assignParties = (reading: RegisterReading, kind: DocumentKind, rut: string, name: Name): Parties => {
  const otherIssues = (reading.operation === 'COMPRA') !== isIssuedByBuyer(kind);
  return otherIssues
    ? { issuer_rut: rut, issuer_name: name, receiver_rut: reading.own, receiver_name: null }
    : { issuer_rut: reading.own, issuer_name: null, receiver_rut: rut, receiver_name: name };
};

/** Returns a reference; null for `0`, which means "no reference" (§4.3). */
export const parseReference = (text: string | null): string | null =>
  text === null || /^0+$/.test(text) ? null : text;

/** Highest code of a tax document (§8.1). Higher codes are orders, contracts, imports and other papers. */
const TAX_DOCUMENT_MAX = 199;

/**
 * Returns the folio of a reference. A reference to tax documents may join several folios by `-`; the first one counts. The
 * number of any other paper, such as an order, may contain a dash and is not split (§5).
 */
export const parseReferencedFolio = (text: string | null, type: string | null | undefined): string | null => {
  const folio = parseReference(text);
  const isTaxDocument = Number(type ?? Number.NaN) <= TAX_DOCUMENT_MAX;
  if (folio === null || !isTaxDocument || !/^\d+(?:\s*-\s*\d+)+$/.test(folio)) return folio;
  return folio.slice(0, folio.indexOf('-')).trim();
};

const TRANSACTION_TYPES: Readonly<Record<string, string>> = {
  '1': 'Del Giro',
  '2': 'Supermercados',
  '3': 'Bienes Raíces',
  '4': 'Activo Fijo',
  '5': 'IVA Uso Común',
  '6': 'IVA no Recuperable',
  '7': 'No Corresp. Incluir',
};

/**
 * Returns the transaction type. The text is reliable; most codes are assumed (§8.3), so the code is used only if the
 * text is missing.
 */
export const parseTransactionType = (text: string | null, code: string | null): string | null =>
  text ?? (code === null ? null : (TRANSACTION_TYPES[code] ?? code));
