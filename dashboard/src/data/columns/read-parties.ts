/** The party of a document that is not the connected company. */
import type { Row } from '../resource.ts';

export interface Party {
  name: string | null;
  rut: string | null;
}

/** Types of purchase invoices, which the buyer issues: issuer and receiver change their roles (tax.md §8.1). */
const PURCHASE_INVOICES: ReadonlySet<string> = new Set(['45', '46']);

const textAt = (row: Row, name: string): string | null => {
  const value = row[name];
  return typeof value === 'string' && value !== '' ? value : null;
};

const isOnPurchaseInvoice = (row: Row): boolean =>
  [row.document_type, row.referenced_document_type].some((type) => PURCHASE_INVOICES.has(String(type)));

/** True if the other party issued the document. The register names only the other party, so a single name decides. */
const isIssuedByOther = (row: Row): boolean => {
  const issuer = textAt(row, 'issuer_name');
  const receiver = textAt(row, 'receiver_name');
  if ((issuer === null) !== (receiver === null)) return issuer !== null;
  return (row.direction === 'received') !== isOnPurchaseInvoice(row);
};

/** Returns name and RUT of the other party: the receiver of what was issued, the issuer of what was received. */
export const readCounterparty = (row: Row): Party => {
  if (!Object.hasOwn(row, 'issuer_rut'))
    return { name: textAt(row, 'counterparty_name'), rut: textAt(row, 'counterparty_rut') };
  const role = isIssuedByOther(row) ? 'issuer' : 'receiver';
  return { name: textAt(row, `${role}_name`), rut: textAt(row, `${role}_rut`) };
};
