/** One document that the simulated institution holds. Amounts are whole pesos, dates have the format of the wire. */
import type { WireOperation } from '../wire.ts';

export type Estado = 'PENDIENTE' | 'NO_INCLUIR' | 'RECLAMADO' | 'REGISTRO';

export interface Tax {
  code: number;
  value: number;
  rate: string;
}

export interface Doc {
  id: number;
  operation: WireOperation;
  estado: Estado;
  type: number;
  folio: number;
  rut: string;
  name: string;
  /** DD/MM/AAAA */
  issued: string;
  /** DD/MM/AAAA HH:mm:ss */
  received: string;
  acknowledged: string | null;
  claimed: string | null;
  net: number;
  exempt: number;
  vat: number;
  vatNotRecoverable: number;
  total: number;
  /** True for a note on a purchase invoice: the buyer issued it (tax.md §8.1). */
  isOnPurchaseInvoice: boolean;
  reference: { type: number; folio: number | string } | null;
  kind: { code: number; text: string };
  event: { code: string; caption: string } | null;
  taxes: Tax[];
  foreign: { id: string; country: string } | null;
}

/** Paper types of documents, whose totals have `DET_PAP` (tax.md §4.2). */
export const PAPER = new Set([29, 30, 32, 40, 45, 55, 60, 101]);

export const TYPE_NAMES: Readonly<Record<number, string>> = {
  30: 'Factura',
  33: 'Factura Electrónica',
  34: 'Factura no Afecta o Exenta Electrónica',
  39: 'Total Op. del mes Boleta Electrónica',
  41: 'Total Op. del mes Boleta Exenta Electrónica',
  46: 'Factura de Compra Electrónica',
  48: 'Total Op. del mes Comprobantes de Pago Electrónico',
  56: 'Nota de Débito Electrónica',
  61: 'Nota de Crédito Electrónica',
  110: 'Factura de Exportación Electrónica',
};
