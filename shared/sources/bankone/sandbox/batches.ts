/**
 * Bulk payments of a company by month, generated from a seed (banks.md §3.1, nóminas). Their state depends on the
 * clock.
 */
import { findLastDay } from '#shared/values/dates.ts';
import { addDays, formatDay } from '../../sandbox-kit/calendar.ts';
import { createRandom, type Random } from '../../sandbox-kit/random.ts';
import type { Behaviour } from './behaviour.ts';
import { bankingDay } from './calendar.ts';
import { anyCompany, anyPerson, BANKS } from './parties.ts';

export interface Payment {
  line: number;
  rut: string;
  name: string;
  accountType: 'CC' | 'CA' | 'VI';
  account: string;
  bankCode: string;
  bank: string;
  pesos: number;
  state: 'PENDIENTE' | 'PAGADO' | 'RECHAZADO';
  mail: string;
  text: string;
  reason: string;
}

export interface SandboxBatch {
  number: string;
  day: string;
  kind: 'REMUNERACIONES' | 'PROVEEDORES' | 'PENSIONES' | 'OTROS';
  state: string;
  payments: Payment[];
}

const LARGE = 5_000;
/** Days after the payment at which a rejection becomes known and changes the batch. */
const REJECTED_AFTER_DAYS = 3;

const KINDS = [
  { kind: 'PROVEEDORES', day: 10 },
  { kind: 'OTROS', day: 18 },
  { kind: 'REMUNERACIONES', day: 0 },
] as const;

const payDay = (period: string, day: number): string => {
  if (day > 0) return bankingDay(formatDay(period, day));
  // The last banking day of the month.
  let end = findLastDay(period);
  while (bankingDay(end) !== end) end = addDays(end, -1);
  return end;
};

const paymentOf = (random: Random, line: number, kind: SandboxBatch['kind'], period: string): Payment => {
  const party = kind === 'REMUNERACIONES' ? anyPerson(random) : anyCompany(random);
  const bank = random.pick(BANKS);
  return {
    line,
    rut: party.rut,
    name: party.name,
    accountType: random.pick(['CC', 'CA', 'VI']),
    account: String(random.int(10_000_000, 99_999_999)).padStart(11, '0'),
    bankCode: bank.code,
    bank: bank.name,
    pesos: random.int(180_000, 2_600_000),
    state: 'PENDIENTE',
    mail: line % 3 === 0 ? '' : `persona${line}@example.cl`,
    text: kind === 'REMUNERACIONES' ? `Sueldo ${period}` : `Pago año ${period.slice(0, 4)}`,
    reason: '',
  };
};

export interface BatchesRequest {
  seed: string;
  company: string;
  period: string;
  today: string;
  behaviour: Behaviour;
  isLarge: boolean;
}

const stateOf = (isPaid: boolean, isRejected: boolean): string => {
  if (isRejected) return 'PROCESADA_PARCIAL';
  return isPaid ? 'PROCESADA' : 'POR_AUTORIZAR';
};

export const makeBatches = ({ seed, company, period, today, behaviour, isLarge }: BatchesRequest): SandboxBatch[] => {
  if (behaviour === 'no_data_code' || behaviour === 'empty') return [];
  return KINDS.map(({ kind, day: wanted }, i) => {
    const random = createRandom(`${seed}/${company}/${period}/${kind}`);
    const day = payDay(period, wanted);
    const count = isLarge && kind === 'PROVEEDORES' ? LARGE : random.int(4, 12);
    const payments = Array.from({ length: count }, (_, at) => paymentOf(random, at + 1, kind, period));
    const isPaid = day <= today;
    for (const payment of payments) payment.state = isPaid ? 'PAGADO' : 'PENDIENTE';
    const isRejected = kind !== 'OTROS' && addDays(day, REJECTED_AFTER_DAYS) <= today;
    if (isRejected) Object.assign(payments[1]!, { state: 'RECHAZADO', reason: 'CUENTA INEXISTENTE' });
    const number = `${period.slice(2).replace('-', '')}${30 + i}`;
    return { number, day, kind, state: stateOf(isPaid, isRejected), payments };
  });
};
