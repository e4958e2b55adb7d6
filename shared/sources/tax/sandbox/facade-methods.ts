/** Methods of the register (tax.md §4). Each method returns the body of its answer, without the envelope. */
import { addMonths, santiagoPeriod } from '#shared/values/dates.ts';
import { splitRut } from '#shared/values/rut.ts';
import { makeRut } from '../../sandbox-kit/parties.ts';
import type { WireOperation } from '../wire.ts';
import { EMPTY_SUMMARY, NO_RIGHTS, type Result, tooOld } from './answers.ts';
import { type Behaviour, spoil, withCopies } from './behaviour.ts';
import { findCompany, mayRead, type TaxCredential } from './credentials.ts';
import { csvLines } from './csv.ts';
import { detailRow } from './detail.ts';
import { type Doc, type Estado, TYPE_NAMES } from './document.ts';
import { type FileJob, jobRow } from './jobs.ts';
import type { State } from './state.ts';
import { header, monthlyTotals, typeTotals } from './summary.ts';

const SCOPE = ['rutEmisor', 'dvEmisor', 'ptributario', 'operacion', 'estadoContab', 'busquedaInicial'];
const DETAIL = [...SCOPE, 'codTipoDoc', 'accionRecaptcha', 'tokenRecaptcha'];

/** Keys that each method accepts inside `data`; any other key is refused with HTTP 400. */
export const REGISTER_METHODS: Readonly<Record<string, readonly string[]>> = {
  getDatosInicio: [],
  getDcvEmpresasAutorizadas: SCOPE,
  getResumen: SCOPE,
  getResumenExport: SCOPE,
  getDetalleCompra: DETAIL,
  getDetalleVenta: DETAIL,
  getDetalleCompraExport: DETAIL,
  getDetalleVentaExport: DETAIL,
  getCtrlAsync: [...DETAIL, 'generaCtrl', 'totDoc'],
};

interface FacadeRequest {
  company: string;
  /** AAAAMM */
  month: string;
  /** YYYY-MM */
  period: string;
  operation: WireOperation;
  estado: Estado | '';
  type: number;
}

const askedOf = (data: Record<string, unknown>, operation: WireOperation): FacadeRequest => {
  const month = String(data.ptributario ?? '');
  return {
    company: `${data.rutEmisor}-${String(data.dvEmisor).toUpperCase()}`,
    month,
    period: `${month.slice(0, 4)}-${month.slice(4)}`,
    operation,
    estado: String(data.estadoContab ?? '') as FacadeRequest['estado'],
    type: Number(data.codTipoDoc ?? 0),
  };
};

const empty = (content: Record<string, unknown>): Result => ({
  content,
  code: 3,
  message: 'Sin datos para el periodo',
});

/** Returns the documents of a request. Sales have only the state REGISTRO (§4.1). */
const docsOf = (state: State, { company, period, operation, estado, type }: FacadeRequest): Doc[] => {
  if (operation === 'VENTA' && estado !== '' && estado !== 'REGISTRO') return [];
  return state.register.book(company, period, { operation, estado: estado || 'REGISTRO', type });
};

const operationIn = (data: Record<string, unknown>): WireOperation => (data.operacion === 'VENTA' ? 'VENTA' : 'COMPRA');

const summary = (state: State, account: TaxCredential, data: Record<string, unknown>): Result => {
  const asked = askedOf(data, operationIn(data));
  const docs = docsOf(state, asked);
  const isSales = asked.operation === 'VENTA' && (asked.estado === '' || asked.estado === 'REGISTRO');
  const boletas = isSales ? monthlyTotals(state.boletas, asked.company, asked.period) : [];
  const totals = typeTotals(docs).map((row) =>
    row.rsmnTipoDocInteger === 33 ? { ...row, ...strangeTotals(state, account.behaviour, row, isSales) } : row,
  );
  const rows = [...totals, ...boletas];
  if (rows.length === 0) return empty(EMPTY_SUMMARY);
  const shown = account.behaviour === 'wrong_company' ? makeRut(70_000_777) : asked.company;
  return {
    content: {
      data: rows,
      totDocRes: docs.length,
      tieneEmisorAgresivo: false,
      pDB: true,
      verF29: false,
      dataCabecera: header(shown, asked.month, asked.operation),
    },
  };
};

const strangeTotals = (
  { knobs }: State,
  behaviour: Behaviour,
  row: { rsmnMntTotal: number },
  isSales: boolean,
): object => {
  if (behaviour === 'total_only') return { rsmnLink: false };
  return behaviour === 'register_totals' && !isSales ? { rsmnMntTotal: row.rsmnMntTotal + knobs.excessTotal } : {};
};

/** Returns no rows if a direct answer would exceed its limit; the answer does not report this (§4.4). */
const withinLimit = (state: State, account: TaxCredential, docs: Doc[]): Doc[] =>
  docs.length > (account.directLimit ?? state.knobs.directLimit) ? [] : docs;

const SPOILS = { missing: 'detMntTotal', malformed: ['detFchDoc', '31/02/2026'] } as const;

const detail = (
  state: State,
  account: TaxCredential,
  data: Record<string, unknown>,
  operation: WireOperation,
): Result => {
  const asked = askedOf(data, operation);
  const docs = withinLimit(state, account, docsOf(state, asked));
  const content = { esDocPapel: false, dataCabecera: null };
  if (docs.length === 0) return { content: { data: null, ...content } };
  const shown = account.behaviour === 'rows_for_others' ? withCopies(docs) : docs;
  const rows = shown.map(detailRow).map((row) => (account.behaviour === 'column_gone' ? withoutName(row) : row));
  // Puts a day that does not exist into the book that is read last.
  const isSpoiled = asked.estado === 'REGISTRO';
  return { content: { data: isSpoiled ? spoil(account.behaviour, rows, SPOILS) : rows, ...content } };
};

const withoutName = ({ detRznSoc: _, ...row }: ReturnType<typeof detailRow>) => row;

const detailExport = (
  state: State,
  account: TaxCredential,
  data: Record<string, unknown>,
  operation: WireOperation,
): Result => {
  const asked = askedOf(data, operation);
  const docs = withinLimit(state, account, docsOf(state, asked));
  const lines = csvLines(docs, operation, asked.estado || 'REGISTRO', asked.type === 0);
  return { content: { data: lines, nombreArchivo: `RCV_${operation}_${asked.month}.csv` } };
};

const summaryExport = (state: State, data: Record<string, unknown>): Result => {
  const head =
    'Tipo Documento;Total Documentos;Monto Exento;Monto Neto;IVA Recuperable;IVA Uso Comun;IVA No Recuperable;Monto Total';
  const rows = typeTotals(docsOf(state, askedOf(data, operationIn(data))));
  const lines = rows.map((row) =>
    [
      `${row.dcvNombreTipoDoc}(${row.rsmnTipoDocInteger})`,
      row.rsmnTotDoc,
      row.rsmnMntExe,
      row.rsmnMntNeto,
      row.rsmnMntIVA,
      0,
      0,
      row.rsmnMntTotal,
    ].join(';'),
  );
  return { content: { data: [head, ...lines] } };
};

/** Returns the documents in the file of a finished job. The file of an old job is empty. */
export const jobDocs = (state: State, account: TaxCredential, job: FileJob): Doc[] => {
  if (job.isOld) return [];
  const period = `${job.period.slice(0, 4)}-${job.period.slice(4)}`;
  const docs = state.register.book(job.company, period, job);
  if (account.behaviour === 'rows_for_others') return withCopies(docs);
  return account.behaviour === 'short_file' ? docs.slice(0, -3) : docs;
};

/** Creates or polls a job. In both cases the answer is the list of the period's jobs (§4.4). */
const control = (state: State, account: TaxCredential, data: Record<string, unknown>): Result => {
  const { company, month, operation, estado, type } = askedOf(data, operationIn(data));
  const jobs = () => state.jobs.list(company, month, operation);
  jobs();
  const isCreated = data.generaCtrl === true || data.generaCtrl === 'true';
  if (isCreated) state.jobs.create({ company, period: month, operation, estado: estado || 'REGISTRO', type });
  const { asyncDelayMs } = state.knobs;
  const rows = jobs().map((job) => jobRow(job, state.now(), asyncDelayMs, jobDocs(state, account, job).length));
  return isCreated
    ? { content: { data: rows }, code: 1, message: 'Solicitud en proceso' }
    : { content: { data: rows } };
};

const TYPES = Object.entries(TYPE_NAMES).map(([code, name]) => ({
  dcvCodigoDoc: Number(code),
  dcvNombreDoc: `${name} `,
  dcvTipoIngreso: 'DET_ELE',
}));

const companies = (account: TaxCredential): Result => {
  const { body, checkDigit } = splitRut(findCompany(account));
  const company = {
    usrEmpRut: Number(body),
    usrEmpDv: checkDigit,
    usrEmpRutDv: findCompany(account),
    usrPrivilegios: '1',
    razonSocONombreEmp: null,
    usrFechaDesautorizacion: null,
    empFechaDesautorizacion: null,
  };
  return { content: { data: [company] } };
};

const FIRST_PERIOD = '2017-05';

/** Returns the first month of the register, YYYY-MM. */
export const firstPeriod = (behaviour: Behaviour | undefined, nowMs: number): string =>
  behaviour === 'short_history' ? addMonths(santiagoPeriod(nowMs), 1) : FIRST_PERIOD;

export const runRegister = (
  method: string,
  state: State,
  account: TaxCredential,
  data: Record<string, unknown>,
): Result => {
  if (method === 'getDatosInicio') return { content: { data: TYPES } };
  if (method === 'getDcvEmpresasAutorizadas') return companies(account);
  const asked = askedOf(data, 'COMPRA');
  if (!mayRead(account, asked.company)) return { content: EMPTY_SUMMARY, code: 99, message: NO_RIGHTS };
  if (!/^\d{6}$/.test(asked.month)) return { content: EMPTY_SUMMARY, code: 2, message: 'Error inesperado' };
  const first = firstPeriod(account.behaviour, state.now()).replace('-', '');
  if (asked.month < first) return { content: EMPTY_SUMMARY, code: 99, message: tooOld(first) };
  switch (method) {
    case 'getResumen':
      return summary(state, account, data);
    case 'getResumenExport':
      return summaryExport(state, data);
    case 'getDetalleCompra':
    case 'getDetalleVenta':
      return detail(state, account, data, method === 'getDetalleVenta' ? 'VENTA' : 'COMPRA');
    case 'getDetalleCompraExport':
    case 'getDetalleVentaExport':
      return detailExport(state, account, data, method === 'getDetalleVentaExport' ? 'VENTA' : 'COMPRA');
    default:
      return control(state, account, data);
  }
};
