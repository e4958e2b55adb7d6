/** The app of issued and received documents (tax.md §7), only for guides: details of other document types are empty. */

import { makeRut } from '../../sandbox-kit/parties.ts';
import { NOT_AUTHORIZED, type Result } from './answers.ts';
import { spoil } from './behaviour.ts';
import { findCompany, mayRead, type TaxCredential } from './credentials.ts';
import type { Guide, GuideSide } from './guias.ts';
import { guideRow, sumItems, summaryRows } from './guias-rows.ts';
import type { State } from './state.ts';

const DETAIL = ['tipoDoc', 'rut', 'dv', 'periodo', 'operacion', 'derrCodigo', 'refNCD'];

export const GUIDE_METHODS: Readonly<Record<string, readonly string[]>> = {
  getDatosInicio: ['rut', 'dv'],
  getEmpContribuyente: ['rutContribuyente', 'dvContribuyente'],
  getResumen: ['periodo', 'rutContribuyente', 'dvContribuyente', 'operacion'],
  getDetalle: DETAIL,
  getDetalleRecibidos: DETAIL,
  getDetalleEmitidos3334: DETAIL,
};

const NULLS = {
  dataReferencias: null,
  dataReferenciados: null,
  reparos: null,
  detalleDte: null,
  impuestoAdicional: null,
};
const SPOILS = { missing: 'mntTotal', malformed: ['fechaEmision', '31/02/2026'] } as const;

const outOfWindow = (content: Record<string, unknown>): Result => ({
  content,
  code: 1,
  message: 'Periodo fuera de los ultimos seis meses',
});
const nothing = (content: Record<string, unknown>): Result => ({ content, code: 2, message: 'Sin documentos' });

/** Returns the direction. For any method, `operacion` decides the direction (§7.1). */
const sideOf = (data: Record<string, unknown>): GuideSide => (String(data.operacion) === '2' ? 'received' : 'issued');

const summary = (state: State, account: TaxCredential, company: string, data: Record<string, unknown>): Result => {
  const [period, side] = [String(data.periodo), sideOf(data)];
  if (!state.guides.isKept(period) && account.behaviour !== 'window_in_detail') return outOfWindow({ data: null });
  const shown = account.behaviour === 'wrong_company' ? makeRut(70_000_777) : company;
  const guides = state.guides.of(company, period, side);
  const rows = summaryRows({ company: shown, period }, side, guides, state.register.documents(company, period));
  if (rows.length === 0 && side === 'issued') return nothing({ data: null });
  // Code 0 with an empty list also means "nothing" (§7.4).
  return { content: { data: { resumenDte: rows, datosAsync: null } } };
};

/**
 * True if the method returns no issued guides, because one public source reads issued guides only by
 * `getDetalleRecibidos` (§7.1, M).
 */
const isOtherMethod = (account: TaxCredential, method: string, side: GuideSide): boolean =>
  account.behaviour === 'guides_by_received' && side === 'issued' && method === 'getDetalle';

const detail = (
  state: State,
  account: TaxCredential,
  { company, method }: { company: string; method: string },
  data: Record<string, unknown>,
): Result => {
  const [period, side] = [String(data.periodo), sideOf(data)];
  if (!state.guides.isKept(period)) return outOfWindow({ data: null, dataResp: null, ...NULLS });
  const isGuides = String(data.tipoDoc) === '52' && String(data.refNCD) === '0' && method !== 'getDetalleEmitidos3334';
  const guides = isGuides && !isOtherMethod(account, method, side) ? state.guides.of(company, period, side) : [];
  if (guides.length === 0) return nothing({ data: null, dataResp: null, ...NULLS });
  return { content: { data: null, dataResp: rowsOf(account, guides), ...NULLS }, hidesNamespace: true };
};

/**
 * Returns the rows and total fields of an answer. The total fields do not equal the sums of the rows, and in some
 * months differ a lot (§7.3).
 */
const rowsOf = (account: TaxCredential, guides: Guide[]) => {
  const shown = account.behaviour === 'guides_short' ? guides.slice(1) : guides;
  const sum = (amount: (guide: Guide) => number) => Math.round(sumItems(guides, amount) * 0.8);
  return {
    detalles: spoil(account.behaviour, shown.map(guideRow), SPOILS),
    totMntExe: sum(({ exempt }) => exempt),
    totMntNeto: sum(({ net }) => net),
    totMntIVA: sum(({ vat }) => vat),
    totMntTotal: sum(({ total }) => total),
  };
};

export const runGuides = (
  method: string,
  state: State,
  account: TaxCredential,
  data: Record<string, unknown>,
): Result => {
  if (method === 'getDatosInicio') {
    return { content: { data: [{ codigoDoc: 52, descDoc: 'Guia de Despacho Electronica' }] } };
  }
  if (method === 'getEmpContribuyente') return { content: { data: [{ rutEmpresa: findCompany(account) }] } };
  const isSummary = method === 'getResumen';
  const [body, checkDigit] = isSummary ? [data.rutContribuyente, data.dvContribuyente] : [data.rut, data.dv];
  const company = `${body}-${String(checkDigit).toUpperCase()}`;
  if (!mayRead(account, company)) return NOT_AUTHORIZED;
  const period = String(data.periodo ?? '');
  // A period without hyphen gets an empty answer without an error (§7.1).
  if (!/^\d{4}-\d{2}$/.test(period)) return { content: { data: { resumenDte: [], datosAsync: null }, dataResp: null } };
  return isSummary ? summary(state, account, company, data) : detail(state, account, { company, method }, data);
};
