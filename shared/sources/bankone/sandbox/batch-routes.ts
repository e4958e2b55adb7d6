/** Bulk payments (nóminas): batches by day of payment, payments by batch (banks.md §3.1). */
import { addMonths, periodsBetween } from '#shared/values/dates.ts';
import type { BankoneAnswer } from './answer.ts';
import { invalid, ok, refuse } from './answer.ts';
import { makeBatches, type SandboxBatch } from './batches.ts';
import { compact, expand } from './calendar.ts';
import { echoCompany } from './company-routes.ts';
import type { GatedRequest, SandboxRoute } from './gate.ts';
import { sliceFrom } from './paging.ts';
import { wireRut } from './parties.ts';
import type { State } from './state.ts';
import { findBehaviour } from './statement-routes.ts';

const BATCHES_PAGE = 50;
const PAYMENTS_PAGE = 200;
/** The simulated portal refuses longer windows; the wire document gives no limit. */
const MONTHS_MAX = 24;

export const companyBatches = (state: State, company: string, period: string): SandboxBatch[] => {
  const behaviour = state.books.behaviourOf(company);
  const isLarge = behaviour === 'large' && period === state.currentPeriod();
  return makeBatches({ seed: state.seed, company, period, today: state.today(), behaviour, isLarge });
};

const consult = (asked: GatedRequest): BankoneAnswer => {
  const { body, state, session } = asked;
  const [from, to] = [expand(body.fechaDesde), expand(body.fechaHasta)];
  if (!from || !to || from > to) return invalid();
  const periods = periodsBetween(from.slice(0, 7), to.slice(0, 7));
  if (periods.length > MONTHS_MAX) return refuse(422, 'RANGO_EXCEDIDO');
  if (findBehaviour(asked) === 'no_data_code') return ok({ codigo: 'SIN_DATOS' });
  const found = periods
    .flatMap((period) => companyBatches(state, session.company, period))
    .filter(({ day }) => day >= from && day <= to)
    .toSorted((a, b) => b.day.localeCompare(a.day));
  const slice = sliceFrom(found, body.paginacionDesde, BATCHES_PAGE);
  if (!slice) return invalid();
  const account = state.books.accountsOf(session.company)[0]?.number ?? '';
  return ok({
    rutEmpresa: echoCompany(asked),
    nominas: slice.rows.map((batch) => ({
      numeroNomina: batch.number,
      fechaPago: compact(batch.day),
      tipo: batch.kind,
      cuentaCargo: account,
      estado: batch.state,
      cantidadRegistros: batch.payments.length,
      montoTotal: String(batch.payments.reduce((sum, { pesos }) => sum + pesos, 0)),
      moneda: 'CLP',
    })),
    pagina: slice.pagina,
  });
};

/** Returns the batch with this number, which contains year and month. */
const findBatch = ({ body, state, session }: GatedRequest): SandboxBatch | undefined => {
  const match = /^(\d{2})(\d{2})\d{2}$/.exec(String(body.numeroNomina));
  if (!match) return undefined;
  const period = addMonths(`20${match[1]}-${match[2]}`, 0);
  return companyBatches(state, session.company, period).find(({ number }) => number === body.numeroNomina);
};

const detail = (asked: GatedRequest): BankoneAnswer => {
  const batch = findBatch(asked);
  if (!batch) return refuse(404, 'NOMINA_NO_ENCONTRADA');
  const slice = sliceFrom(batch.payments, asked.body.paginacionDesde, PAYMENTS_PAGE);
  if (!slice) return invalid();
  return ok({
    numeroNomina: batch.number,
    pagos: slice.rows.map((payment) => ({
      linea: payment.line,
      rut: wireRut(payment.rut),
      nombre: payment.name,
      tipoCuenta: payment.accountType,
      numeroCuenta: payment.account,
      codigoBanco: payment.bankCode,
      banco: payment.bank,
      monto: String(payment.pesos),
      moneda: 'CLP',
      estado: payment.state,
      mail: payment.mail,
      glosa: payment.text,
      motivoRechazo: payment.reason,
    })),
    pagina: slice.pagina,
  });
};

const REST = '/mibanco/rest/empresa/nominas';

export const BATCH_ROUTES: readonly SandboxRoute[] = [
  { method: 'POST', path: `${REST}/consultar`, isData: true, answer: consult },
  { method: 'POST', path: `${REST}/detalle`, isData: true, answer: detail },
];
