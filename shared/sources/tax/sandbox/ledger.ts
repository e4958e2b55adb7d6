/**
 * Counts and sums of the institution's data. They are compared with the rows that a sync stored. The sums are exact,
 * because whole pesos stay far below 2^53.
 */
import { type PeriodTally as AnyPeriodTally, type Tally as AnyTally, tally } from '../../sandbox-kit/tally.ts';
import type { Behaviour } from './behaviour.ts';
import { BOLETA_TYPES, type BoletaDay } from './boletas.ts';
import { companyBy } from './credentials.ts';
import type { Doc } from './document.ts';
import { firstPeriod } from './facade-methods.ts';
import { SIDES } from './guias.ts';
import type { State } from './state.ts';

interface LedgerAmounts {
  net: number;
  exempt: number;
  vat: number;
  total: number;
}

const AMOUNTS = {
  net_amount: ({ net }: LedgerAmounts) => net,
  exempt_amount: ({ exempt }: LedgerAmounts) => exempt,
  vat_amount: ({ vat }: LedgerAmounts) => vat,
  total_amount: ({ total }: LedgerAmounts) => total,
};
type Amount = keyof typeof AMOUNTS;

export type TaxTally<Field extends string = Amount> = AnyTally<Field>;
export type PeriodTally<Field extends string = Amount> = AnyPeriodTally<Field>;

export interface Ledger {
  /** Keyed by `received.registro`, `issued.registro` … */
  rcv: Record<string, PeriodTally<Amount>>;
  /** Keyed by type of receipt. */
  boletas: Record<string, PeriodTally<Amount | 'total_documentos'>>;
  guias: Record<string, PeriodTally<Amount>>;
}

const tallyRows = (rows: readonly LedgerAmounts[]): TaxTally => tally(rows, AMOUNTS);

const tallyDays = (days: readonly BoletaDay[]): TaxTally<Amount | 'total_documentos'> =>
  tally(days, { ...AMOUNTS, total_documentos: ({ documents }: BoletaDay) => documents });

const split = <Item, T>(
  groups: Partial<Record<string, Item[]>>,
  tallied: (items: readonly Item[]) => T,
): Record<string, T> =>
  Object.fromEntries(
    Object.entries(groups).flatMap(([name, items = []]) => (items.length > 0 ? [[name, tallied(items)]] : [])),
  );

const bookOf = (doc: Doc): string =>
  `${doc.operation === 'COMPRA' ? 'received' : 'issued'}.${doc.estado.toLowerCase()}`;

/** Data of one login. Data that a behaviour hides from every client is neither in its rows nor in the ledger. */
interface View {
  state: State;
  company: string;
  behaviour: Behaviour | undefined;
}

const isBeforeRegister = ({ state, behaviour }: View, period: string): boolean =>
  period < firstPeriod(behaviour, state.now());

/**
 * Returns the sums of documents. Monthly totals of receipts are not included, because they are not rows of the register
 * (tax.md §6.1).
 */
const registerTally = (view: View, period: string): PeriodTally => {
  const { state, company, behaviour } = view;
  const held = isBeforeRegister(view, period) ? [] : state.register.documents(company, period);
  const docs = behaviour === 'total_only' ? held.filter(({ type }) => type !== 33) : readable(held, behaviour);
  return { ...tallyRows(docs), by: split(Object.groupBy(docs, bookOf), tallyRows) };
};

/**
 * Leaves out unreadable documents: with `malformed_row`, the first line of each answer of the state REGISTRO has a day
 * that does not exist.
 */
const readable = (docs: readonly Doc[], behaviour: Behaviour | undefined): readonly Doc[] => {
  if (behaviour !== 'malformed_row') return docs;
  const answers = Map.groupBy(docs, ({ operation, estado, type }) => `${operation}.${estado}.${type}`);
  const spoiled = new Set([...answers.values()].map(([first]) => first).filter((doc) => doc?.estado === 'REGISTRO'));
  return docs.filter((doc) => !spoiled.has(doc));
};

const boletasTally = (view: View, period: string) => {
  const { state, company, behaviour } = view;
  const types = BOLETA_TYPES.filter((type) => type !== 41 || behaviour !== 'exempt_refused');
  const days = types.map(
    (type) => [String(type), isBeforeRegister(view, period) ? [] : state.boletas.days(company, period, type)] as const,
  );
  return { ...tallyDays(days.flatMap(([, list]) => list)), by: split(Object.fromEntries(days), tallyDays) };
};

const WITHHELD: ReadonlySet<Behaviour | undefined> = new Set(['guides_short', 'malformed_row'] as const);

/** Returns the sums of guides, but only for months that the app still shows (tax.md §7.4). */
const guidesTally = ({ state: { guides }, company, behaviour }: View, period: string): PeriodTally => {
  const withheld = WITHHELD.has(behaviour) ? 1 : 0;
  const shown = SIDES.map(
    (side) => [side, guides.isKept(period) ? guides.of(company, period, side).slice(withheld) : []] as const,
  );
  return { ...tallyRows(shown.flatMap(([, list]) => list)), by: split(Object.fromEntries(shown), tallyRows) };
};

/** Builds the ledger of the company that a login reads. `login` is the RUT that logs in. */
export const buildLedger = (state: State, login: string, period?: string): Ledger => {
  const company = companyBy(state.accounts, login);
  const view: View = { state, company, behaviour: state.accounts.get(login)?.behaviour };
  const periods = period === undefined ? state.register.periods() : [period];
  const each = <T>(of: (view: View, month: string) => T): Record<string, T> =>
    Object.fromEntries(periods.map((month) => [month, of(view, month)]));
  return { rcv: each(registerTally), boletas: each(boletasTally), guias: each(guidesTally) };
};
