/** Requests about issued and received documents (tax.md §7.1). This app writes months with a hyphen. */
import type { DIRECTIONS } from '#shared/scopes/tax-rcv.ts';
import type { JsonObject } from '../source.ts';
import type { GuideTotal } from './guias-summary.ts';
import { type CompanyMonth, rutFields } from './rcv-request.ts';

export type Direction = (typeof DIRECTIONS)[number];

export const OPERATIONS: Readonly<Record<Direction, string>> = { issued: '1', received: '2' };

/**
 * Methods for each direction, the usual method first. Public sources disagree on the method for issued documents other
 * than invoices (§7.1), so the second method is called if the first returns fewer guides than the totals say. In both
 * methods `operacion` decides the direction.
 */
export const DETAIL_METHODS: Readonly<Record<Direction, readonly [string, string]>> = {
  issued: ['getDetalle', 'getDetalleRecibidos'],
  received: ['getDetalleRecibidos', 'getDetalle'],
};

/**
 * Builds the data of a summary request. A summary names the company `rutContribuyente`, a detail names it `rut`; the
 * app rejects the wrong name (§7.1).
 */
export const summaryData = ({ company, period }: CompanyMonth, direction: Direction): JsonObject => ({
  periodo: period,
  ...rutFields(company, 'rutContribuyente', 'dvContribuyente'),
  operacion: OPERATIONS[direction],
});

export const detailData = (
  { company, period }: CompanyMonth,
  direction: Direction,
  { type, refNCD }: GuideTotal,
): JsonObject => ({
  tipoDoc: type,
  ...rutFields(company, 'rut', 'dv'),
  periodo: period,
  operacion: OPERATIONS[direction],
  derrCodigo: type,
  refNCD,
});

/**
 * Returns the fields of a request that the parser needs, because rows contain neither direction nor document type
 * (§7.3).
 */
export const keptRequest = (
  { period }: CompanyMonth,
  direction: Direction,
  method: string,
  total: GuideTotal | null,
): JsonObject => ({
  method,
  periodo: period,
  operacion: OPERATIONS[direction],
  tipoDoc: total?.type ?? null,
  refNCD: total?.refNCD ?? null,
});
