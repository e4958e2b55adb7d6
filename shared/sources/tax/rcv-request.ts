/** Builds requests to the register: one book of a month (tax.md §4.1). */
import { splitRut } from '#shared/values/rut.ts';
import type { JsonObject } from '../source.ts';
import type { DataAnswer, DataClient } from './client.ts';
import { checkHeader } from './rcv-summary.ts';
import type { WireOperation } from './wire.ts';

/** One month of one company. */
export interface CompanyMonth {
  company: string;
  /** YYYY-MM */
  period: string;
}

export interface RegisterBook {
  operation: WireOperation;
  estado: string;
  /** Prefix of the keys of the book's answers. */
  key: string;
}

export const SALES: RegisterBook = { operation: 'VENTA', estado: 'REGISTRO', key: 'sales/REGISTRO' };

/** Converts `2026-10` to `202610`. All apps write months like this, except the app of the guides. */
export const formatMonth = (period: string): string => period.replace('-', '');

/** Returns a RUT as two fields with the given names. */
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

/**
 * Returns the fields of a request that the parser needs. The company is left out, because the parser reads it from the
 * credentials.
 */
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

/**
 * Fetches the totals of a book. Throws when the answer is about another company, month or side (purchases or sales).
 */
export const askSummary = async (month: CompanyMonth, book: RegisterBook, client: DataClient): Promise<DataAnswer> => {
  const answer = await client.call('getResumen', { ...buildBookScope(month, book), busquedaInicial: true });
  checkHeader(
    answer.verdict.answer,
    { ...month, month: formatMonth(month.period), operation: book.operation },
    'getResumen',
  );
  return answer;
};
