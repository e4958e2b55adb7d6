/** Companies, accounts and balances (banks.md §3.1). */
import type { BankoneAnswer } from './answer.ts';
import { invalid, ok, refuse, unknownAccount } from './answer.ts';
import { formatStamp } from './calendar.ts';
import { listCompanies } from './credentials.ts';
import type { GatedRequest, SandboxRoute } from './gate.ts';
import { plain } from './money.ts';
import type { SandboxAccount } from './movement.ts';
import { wireRut } from './parties.ts';

const NAMES = ['COMERCIAL PEÑA E HIJOS SPA', 'SERVICIOS FICTICIOS LTDA'];

const companies = ({ session }: GatedRequest): BankoneAnswer =>
  ok(
    listCompanies(session.login).map((rut, i) => ({
      rutEmpresa: wireRut(rut),
      razonSocial: NAMES[i],
      seleccionada: rut === session.company,
    })),
  );

const select = ({ session, body }: GatedRequest): BankoneAnswer => {
  const chosen = listCompanies(session.login).find((rut) => wireRut(rut) === body.rutEmpresa);
  if (chosen === undefined) return refuse(404, 'EMPRESA_NO_ENCONTRADA');
  session.company = chosen;
  return ok({ rutEmpresa: wireRut(chosen) });
};

/**
 * Returns the company that an answer names: the selected company, or another company if the credential's behaviour says
 * so.
 */
export const echoCompany = ({ session, state }: GatedRequest): string => {
  const isForeign = state.accounts.get(session.login)?.behaviour === 'other_company_answered';
  const other = listCompanies(session.login).find((rut) => rut !== session.company)!;
  return wireRut(isForeign ? other : session.company);
};

const accounts = (asked: GatedRequest): BankoneAnswer =>
  ok({
    rutEmpresa: echoCompany(asked),
    cuentas: asked.state.books.accountsOf(asked.session.company).map(({ number, alias, currency }) => ({
      numero: number,
      mascara: `****${number.slice(-4)}`,
      alias,
      codigoProducto: 'CTD',
      moneda: currency,
    })),
  });

/**
 * Returns the requested account if the selected company has it. The number must be spelled as in the list of accounts.
 */
export const findAskedAccount = ({ body, state, session }: GatedRequest): SandboxAccount | undefined =>
  state.books.accountsOf(session.company).find(({ number }) => number === body.numeroCuenta);

export interface WireBalances {
  contable: number;
  disponible: number;
  provisorio: number;
}

/** Withheld amount: the cheques of the day. */
const HELD = 250;

export const computeBalances = ({ state }: Pick<GatedRequest, 'state'>, account: SandboxAccount): WireBalances => {
  const period = state.currentPeriod();
  const opening = state.books.opening(account, period);
  const rows = state.books.movements(account, period);
  const sum = (list: typeof rows): number => list.reduce((total, { minor }) => total + minor, opening);
  const contable = sum(rows.filter(({ booked }) => booked <= state.today()));
  return { contable, disponible: contable - HELD, provisorio: sum(rows) };
};

const balance = (asked: GatedRequest): BankoneAnswer => {
  if (typeof asked.body.numeroCuenta !== 'string') return invalid();
  const account = findAskedAccount(asked);
  if (!account) return unknownAccount();
  const { currency } = account;
  const { contable, disponible, provisorio } = computeBalances(asked, account);
  return ok({
    rutEmpresa: echoCompany(asked),
    numeroCuenta: account.number,
    moneda: currency,
    fechaConsulta: formatStamp(asked.state.now()),
    saldoContable: plain(contable, currency),
    saldoDisponible: plain(disponible, currency),
    // The field may be empty (§3.1); here it is empty for the dollar account.
    saldoProvisorio: currency === 'USD' ? '' : plain(provisorio, currency),
  });
};

const REST = '/mibanco/rest/empresa';

export const COMPANY_ROUTES: readonly SandboxRoute[] = [
  { method: 'GET', path: `${REST}/empresas`, isData: false, answer: companies },
  { method: 'POST', path: `${REST}/empresas/seleccionar`, isData: false, answer: select },
  { method: 'GET', path: `${REST}/cuentas`, isData: true, answer: accounts },
  { method: 'POST', path: `${REST}/saldos`, isData: true, answer: balance },
];
