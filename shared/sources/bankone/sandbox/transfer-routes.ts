/** Transfers: a window of at most 31 days, 12 months back, newest first (banks.md §3.1). */
import { periodsBetween } from '#shared/values/dates.ts';
import { addMonthsTo, daysBetween } from '../../sandbox-kit/calendar.ts';
import type { BankoneAnswer } from './answer.ts';
import { invalid, ok, refuse, unknownAccount } from './answer.ts';
import { compact, expand } from './calendar.ts';
import { echoCompany, findAskedAccount } from './company-routes.ts';
import type { GatedRequest, SandboxRoute } from './gate.ts';
import { plain } from './money.ts';
import type { FailedTransfer, SandboxAccount, SandboxMovement, TransferInfo } from './movement.ts';
import { sliceFrom } from './paging.ts';
import { wireRut } from './parties.ts';
import type { State } from './state.ts';
import { findBehaviour } from './statement-routes.ts';

const PAGE = 50;
/**
 * Page size of the behaviour `repeated_page`, so small that there is a second page. The second page repeats rows of the
 * first page.
 */
const SMALL_PAGE = 5;
const WINDOW_DAYS = 31;
export const DEPTH_MONTHS = 12;

export interface Transfer {
  movement: SandboxMovement | FailedTransfer;
  info: TransferInfo;
  state: string;
}

/** Returns the transfers, oldest first, including failed transfers. */
export const listTransfers = (state: State, account: SandboxAccount, period: string): Transfer[] => {
  const done = state.books
    .movements(account, period)
    .flatMap((movement): Transfer[] =>
      movement.transfer === null ? [] : [{ movement, info: movement.transfer, state: 'ABONADA' }],
    );
  const today = state.today();
  const failed = done.length === 0 ? [] : state.books.month(account, period).failed.filter(({ day }) => day <= today);
  return [
    ...done,
    ...failed.map((movement) => ({ movement, info: movement.transfer, state: movement.state })),
  ].toSorted((a, b) => `${a.movement.day}${a.movement.time}`.localeCompare(`${b.movement.day}${b.movement.time}`));
};

const consult = (asked: GatedRequest): BankoneAnswer => {
  const { body, state } = asked;
  const account = findAskedAccount(asked);
  if (!account) return typeof body.numeroCuenta === 'string' ? unknownAccount() : invalid();
  const { direccion } = body;
  const [from, to] = [expand(body.fechaDesde), expand(body.fechaHasta)];
  if ((direccion !== 'RECIBIDAS' && direccion !== 'ENVIADAS') || !from || !to || from > to) return invalid();
  if (daysBetween(from, to) >= WINDOW_DAYS || from < addMonthsTo(state.today(), -DEPTH_MONTHS))
    return refuse(422, 'RANGO_EXCEDIDO');
  if (findBehaviour(asked) === 'no_data_code') return ok({ codigo: 'SIN_DATOS' });
  const found = periodsBetween(from.slice(0, 7), to.slice(0, 7))
    .flatMap((period) => listTransfers(state, account, period))
    .filter(({ movement }) => movement.day >= from && movement.day <= to)
    .filter(({ movement }) => movement.minor > 0 === (direccion === 'RECIBIDAS'));
  const isRepeating = findBehaviour(asked) === 'repeated_page';
  const slice = sliceFrom(found.toReversed(), body.paginacionDesde, isRepeating ? SMALL_PAGE : PAGE);
  if (!slice) return invalid();
  const rows = isRepeating ? found.toReversed().slice(0, slice.rows.length) : slice.rows;
  return ok({
    rutEmpresa: echoCompany(asked),
    direccion,
    transferencias: rows.map((transfer) => rowOf(transfer, account)),
    pagina: slice.pagina,
  });
};

const rowOf = ({ movement, info, state }: Transfer, { currency }: SandboxAccount) => ({
  numeroTransaccion: info.number,
  fecha: `${compact(movement.day)} ${movement.time}`,
  monto: plain(Math.abs(movement.minor), currency),
  moneda: currency,
  asunto: info.subject,
  rutContraparte: wireRut(info.rut),
  nombreContraparte: info.name,
  codigoBanco: info.bankCode,
  banco: info.bank,
  estado: state,
});

export const TRANSFER_ROUTES: readonly SandboxRoute[] = [
  { method: 'POST', path: '/mibanco/rest/empresa/transferencias/consultar', isData: true, answer: consult },
];
