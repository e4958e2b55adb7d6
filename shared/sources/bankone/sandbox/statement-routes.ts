/** Movements: the open month in pages, closed months by folio (banks.md §3.1). */
import { slashed } from '../../sandbox-kit/calendar.ts';
import type { BankoneAnswer } from './answer.ts';
import { invalid, ok, refuse, unknownAccount } from './answer.ts';
import { compact, expand } from './calendar.ts';
import { echoCompany, findAskedAccount } from './company-routes.ts';
import type { GatedRequest, SandboxRoute } from './gate.ts';
import { dotted, plain } from './money.ts';
import type { SandboxAccount, SandboxMovement } from './movement.ts';
import { sliceFrom } from './paging.ts';
import { wireRut } from './parties.ts';
import { numberStatement, publishedOn, publishedPeriods } from './published.ts';

const OPEN_PAGE = 50;
const CLOSED_PAGE = 100;

export const findBehaviour = ({ session, state }: GatedRequest) => state.accounts.get(session.login)?.behaviour;

interface WithBalance {
  movement: SandboxMovement;
  balance: number;
}

const withBalances = (movements: readonly SandboxMovement[], opening: number): WithBalance[] => {
  let balance = opening;
  return movements.map((movement) => {
    balance += movement.minor;
    return { movement, balance };
  });
};

/**
 * Adds movements between two page requests, once per login. The new movements shift every row that has not been read
 * yet.
 */
const arriveBetweenPages = (asked: GatedRequest, account: SandboxAccount): void => {
  const { state, session, body } = asked;
  const key = `${session.login}/${account.number}`;
  const arrived = state.memory.map<true>('arrived');
  if (findBehaviour(asked) !== 'rows_arrive' || body.paginacionDesde === 1 || arrived.has(key)) return;
  arrived.set(key, true);
  state.books.arrive(account, 1);
};

const open = (asked: GatedRequest): BankoneAnswer => {
  const { body, state } = asked;
  const account = findAskedAccount(asked);
  if (!account) return typeof body.numeroCuenta === 'string' ? unknownAccount() : invalid();
  const period = state.currentPeriod();
  const first = `${period}-01`;
  const from = body.fechaInicio === null ? first : expand(body.fechaInicio);
  const to = body.fechaFin === null ? state.today() : expand(body.fechaFin);
  if (from === undefined || to === undefined || from > to) return invalid();
  if (from < first) return refuse(422, 'PERIODO_CERRADO');
  arriveBetweenPages(asked, account);
  const { currency } = account;
  const opening = state.books.opening(account, period);
  const rows = withBalances(state.books.movements(account, period), opening);
  if (rows.length === 0 && findBehaviour(asked) === 'no_data_code') return ok({ codigo: 'SIN_DATOS' });
  // A late booking belongs to this month although its movement was made in the previous month. A late booking is
  // therefore shown if the requested days begin with the first day of the month.
  const within = rows.filter(({ movement: { day } }) => (day >= from || from === first) && day <= to);
  const slice = sliceFrom(within.toReversed(), body.paginacionDesde, OPEN_PAGE);
  if (!slice) return invalid();
  return ok({
    rutEmpresa: echoCompany(asked),
    numeroCuenta: account.number,
    moneda: currency,
    saldoInicial: plain(opening, currency),
    saldoFinal: plain(rows.at(-1)?.balance ?? opening, currency),
    movimientos: slice.rows.map((row) => openRow(row, account)),
    pagina: slice.pagina,
  });
};

const openRow = ({ movement, balance }: WithBalance, { currency }: SandboxAccount) => ({
  id: `m-${String(movement.n).padStart(6, '0')}`,
  fecha: `${compact(movement.day)} ${movement.time}`,
  fechaContable: compact(movement.booked),
  descripcion: movement.text,
  numeroDocumento: movement.document,
  monto: plain(Math.abs(movement.minor), currency),
  tipo: movement.minor < 0 ? 'cargo' : 'abono',
  saldoMovimiento: plain(balance, currency),
  detalleGlosa:
    movement.transfer === null
      ? []
      : [`Rut Origen: ${wireRut(movement.transfer.rut)}`, `Banco: ${movement.transfer.bankCode}`],
});

const folios = (asked: GatedRequest): BankoneAnswer => {
  const { body, state } = asked;
  const account = findAskedAccount(asked);
  if (!account) return typeof body.numeroCuenta === 'string' ? unknownAccount() : invalid();
  if (typeof body.anio !== 'string' || !/^\d{4}$/.test(body.anio)) return invalid();
  const periods = publishedPeriods(state.today()).filter((period) => period.startsWith(body.anio as string));
  return ok({
    numeroCuenta: account.number,
    cartolas: periods.map((period) => ({
      folio: numberStatement(period),
      periodo: period,
      fechaProceso: slashed(publishedOn(period)),
    })),
  });
};

const closed = (asked: GatedRequest): BankoneAnswer => {
  const { body, state } = asked;
  const account = findAskedAccount(asked);
  if (!account) return typeof body.numeroCuenta === 'string' ? unknownAccount() : invalid();
  const period = publishedPeriods(state.today()).find((published) => numberStatement(published) === body.folio);
  if (period === undefined) return refuse(404, 'CARTOLA_NO_ENCONTRADA');
  const { currency } = account;
  const opening = state.books.opening(account, period);
  const rows = withBalances(state.books.movements(account, period), opening);
  if (rows.length === 0 && findBehaviour(asked) === 'no_data_code') return ok({ codigo: 'SIN_DATOS' });
  const pages = Math.max(1, Math.ceil(rows.length / CLOSED_PAGE));
  const { pagina } = body;
  if (typeof pagina !== 'number' || !Number.isInteger(pagina) || pagina < 1 || pagina > pages) return invalid();
  const shown = findBehaviour(asked) === 'cut_statement' ? rows.slice(0, Math.ceil(rows.length / 2)) : rows;
  const isBroken = findBehaviour(asked) === 'arithmetic_broken';
  return ok({
    numeroCuenta: account.number,
    folio: numberStatement(period),
    periodo: period,
    saldoInicial: dotted(opening, currency),
    saldoFinal: dotted((rows.at(-1)?.balance ?? opening) + (isBroken ? 1 : 0), currency),
    lineas: shown.slice((pagina - 1) * CLOSED_PAGE, pagina * CLOSED_PAGE).map((row) => closedRow(row, account)),
    totalPaginas: pages,
  });
};

const closedRow = ({ movement, balance }: WithBalance, { currency }: SandboxAccount) => {
  const amount = dotted(Math.abs(movement.minor), currency);
  return {
    fecha: slashed(movement.day),
    // The text in the closed statement differs slightly from the text in the open statement.
    detalle: movement.text.replace('TRANSFERENCIA', 'TRANSF.').slice(0, 36),
    docto: movement.document.replace(/^0+/, ''),
    cargo: movement.minor < 0 ? amount : '',
    abono: movement.minor < 0 ? '' : amount,
    saldo: dotted(balance, currency),
  };
};

const REST = '/mibanco/rest/empresa';

export const STATEMENT_ROUTES: readonly SandboxRoute[] = [
  { method: 'POST', path: `${REST}/movimientos/getcartola`, isData: true, answer: open },
  { method: 'POST', path: `${REST}/cartolas/historicas`, isData: true, answer: folios },
  { method: 'POST', path: `${REST}/cartolas/detalle`, isData: true, answer: closed },
];
