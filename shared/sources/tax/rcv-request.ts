/** What is asked of the register: one book of a month (tax.md §4.1). */
import { splitRut } from '#shared/values/rut.ts';
import type { JsonObject } from '../source.ts';
import type { DataAnswer, DataClient } from './client.ts';
import { checkHeader } from './rcv-summary.ts';
import type { WireOperation } from './wire.ts';

/** A month of a company. */
export interface CompanyMonth {
  company: string;
  /** YYYY-MM */
  period: string;
}

export interface RegisterBook {
  operation: WireOperation;
  estado: string;
  /** Begins the key of its answers. */
  key: string;
}

export const SALES: RegisterBook = { operation: 'VENTA', estado: 'REGISTRO', key: 'sales/REGISTRO' };

/** `2026-10` → `202610`: all apps but that of the guides write months so. */
export const formatMonth = (period: string): string => period.replace('-', '');

/** A RUT as two fields of these names. */
export const rutFields = (rut: string, bodyName: string, digitName: string): Record<string, string> => {
  const { body, checkDigit } = splitRut(rut);
  return { [bodyName]: body, [digitName]: checkDigit };
};

export const buildBookScope = ({ company, period }: CompanyMonth, book: RegisterBook): JsonObject => ({
  ...rutFields(company, 'rutEmisor', 'dvEmisor'),
  ptributario: formatMonth(period),
  operacion: book.operation,
  estadoContab: book.estado,
});

/** What the parser must know of a request. The company is left out: it belongs to the credentials. */
export const keptRequest = (
  { period }: CompanyMonth,
  book: RegisterBook,
  method: string,
  type: string | null,
): JsonObject => ({
  method,
  ptributario: formatMonth(period),
  operacion: book.operation,
  estadoContab: book.estado,
  codTipoDoc: type,
});

/** The totals of a book. Throws when those of another company, month or side were answered. */
export const askSummary = async (month: CompanyMonth, book: RegisterBook, client: DataClient): Promise<DataAnswer> => {
  const answer = await client.call('getResumen', { ...buildBookScope(month, book), busquedaInicial: true });
  checkHeader(
    answer.verdict.answer,
    { ...month, month: formatMonth(month.period), operation: book.operation },
    'getResumen',
  );
  return answer;
};
