/**
 * A closed statement and its neighbouring months, written in the formats of the two banks that give their rows no id.
 */
import { bankoneMovements } from '#shared/scopes/bankone-movements.ts';
import { bankthreeMovements } from '#shared/scopes/bankthree-movements.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { dotted, plain } from '#shared/sources/bankone/sandbox/money.ts';
import { source as bankone } from '#shared/sources/bankone/source.ts';
import { statementFile } from '#shared/sources/bankthree/sandbox/statement-file.ts';
import { source as bankthree } from '#shared/sources/bankthree/source.ts';
import type { JsonObject, RawAnswer, SourceAdapter } from '#shared/sources/source.ts';
import { answerOf } from './ask.ts';

export interface Line {
  day: string;
  document: number;
  /** Negative for a charge. */
  pesos: number;
}

export interface Shown {
  period: string;
  from: string;
  to: string;
  isOpen: boolean;
  opening: number;
  /** Oldest first. */
  lines: Line[];
  /** Day of the answer. */
  today: string;
}

export interface Form {
  source: SourceAdapter;
  scope: ScopeDefinition;
  credentials: JsonObject;
  account: string;
  /** Answers that a pull stores when it requests both neighbouring months. */
  answers(shown: Shown, before: Shown, after: Shown): RawAnswer[];
}

const withBalances = ({ opening, lines }: Shown) => {
  let balance = opening;
  return lines.map((line) => {
    balance += line.pesos;
    return { ...line, balance };
  });
};

const slashed = (day: string): string => day.split('-').toReversed().join('/');
const json = (key: string, request: JsonObject, body: unknown): RawAnswer =>
  answerOf(key, request, JSON.stringify(body));

const ACCOUNT_ONE = '001230045607';

const closedPage = (key: string, list: string, shown: Shown): RawAnswer => {
  const lines = withBalances(shown);
  const clp = (pesos: number) => dotted(pesos, 'CLP');
  return json(
    key,
    { list, account: ACCOUNT_ONE, page: 1 },
    {
      numeroCuenta: ACCOUNT_ONE,
      folio: '00001',
      periodo: shown.period,
      saldoInicial: clp(shown.opening),
      saldoFinal: clp(lines.at(-1)?.balance ?? shown.opening),
      lineas: lines.map(({ day, document, pesos, balance }) => ({
        fecha: slashed(day),
        detalle: 'PAGO',
        docto: String(document),
        cargo: pesos < 0 ? clp(-pesos) : '',
        abono: pesos < 0 ? '' : clp(pesos),
        saldo: clp(balance),
      })),
      totalPaginas: 1,
    },
  );
};

const bankoneForm: Form = {
  source: bankone,
  scope: bankoneMovements,
  credentials: { rut: '11111111-1', password: 'x' },
  account: ACCOUNT_ONE,
  answers: (shown, before, after) => {
    const { period, today } = shown;
    const beside = (month: string) => `beside/1/${month}`;
    return [
      json(
        'accounts',
        { list: 'accounts', today },
        { rutEmpresa: '076990123K', cuentas: [{ numero: ACCOUNT_ONE, moneda: 'CLP' }] },
      ),
      json(
        'statements/1',
        { list: 'statements', account: ACCOUNT_ONE, today },
        { numeroCuenta: ACCOUNT_ONE, cartolas: [{ folio: '00001', periodo: period }] },
      ),
      closedPage('closed/1/1', 'closed/1', shown),
      closedPage(beside(before.period), beside(before.period), before),
      json(
        beside(after.period),
        { list: beside(after.period), account: ACCOUNT_ONE },
        { numeroCuenta: ACCOUNT_ONE, saldoInicial: plain(after.opening, 'CLP'), movimientos: [] },
      ),
    ];
  },
};

const ACCOUNT_THREE = '000000012345678';
const COMPANY = { rut: '76990123-K', name: 'COMPAÑÍA ÑANDÚ' };

export const fileOf = (shown: Shown, number = ACCOUNT_THREE): Buffer => {
  const { from, to, isOpen, opening } = shown;
  const entries = withBalances(shown).map(({ day, document, pesos, balance }) => ({
    day,
    text: 'PAGO',
    document: String(document).padStart(9, '0'),
    amount: pesos * 100,
    balance: balance * 100,
    only: null,
  }));
  const closing = entries.at(-1)?.balance ?? opening * 100;
  const account = { number, currency: 'CLP' as const };
  return statementFile(
    { account, isOpen, from, to, number: 7, opening: opening * 100, closing, entries },
    COMPANY,
    'works',
  );
};

const bankthreeForm: Form = {
  source: bankthree,
  scope: bankthreeMovements,
  credentials: { rut: '12345678-5', company_rut: COMPANY.rut },
  account: ACCOUNT_THREE,
  answers: (shown, before, after) => {
    const fecha = (period: string) => period.replace('-', '');
    const beside = (month: Shown) => {
      const asked = { page: 'beside', account: ACCOUNT_THREE, fecha: fecha(month.period), month: month.period };
      return answerOf(`beside/1/${month.period}`, asked, fileOf(month));
    };
    const { period, today } = shown;
    const asked = { page: 'statement', account: ACCOUNT_THREE, fecha: fecha(period), today };
    return [answerOf('statement/1/closed', asked, fileOf(shown)), beside(before), beside(after)];
  },
};

export const FORMS: readonly Form[] = [bankoneForm, bankthreeForm];
