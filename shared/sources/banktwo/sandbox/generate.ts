/**
 * Generates the movements that are made in one month on one account, from a seed: plausible texts, days, amounts and
 * counterparties.
 */

import { addDays, twoDigits } from '../../sandbox-kit/calendar.ts';
import { createRandom, type Random } from '../../sandbox-kit/random.ts';
import { accountingDay, isBankingDay, listDays } from './calendar.ts';
import { CHEQUE, type SandboxMovement } from './movement.ts';
import { type BankParty, makeParties } from './parties.ts';

export interface MonthRequest {
  seed: string;
  accountId: string;
  currency: string;
  /** YYYY-MM of the transaction; the accounting day may be in the next month. */
  period: string;
  movements: number;
  /** Share of movements that arrive late. */
  lateShare: number;
  /** If true, every movement is booked on its own day. */
  isPrompt: boolean;
  /** If true, every tenth movement is a pair of two equal payments. */
  isPaired: boolean;
}

interface Kind {
  mnemonic: string;
  category: string | null;
  observation: string;
  isCredit: boolean;
  hasParty: boolean;
}

const KINDS: readonly Kind[] = [
  { mnemonic: 'TEFR', category: 'TRANSFERENCIA', observation: 'Transf. de', isCredit: true, hasParty: true },
  { mnemonic: 'TEFR', category: 'TRANSFERENCIA', observation: 'Transf. de', isCredit: true, hasParty: true },
  { mnemonic: 'TEFE', category: 'TRANSFERENCIA', observation: 'Transf. a', isCredit: false, hasParty: true },
  { mnemonic: 'TEFE', category: 'TRANSFERENCIA', observation: 'Transf. a', isCredit: false, hasParty: true },
  { mnemonic: 'PAGS', category: null, observation: 'Pago servicio luz', isCredit: false, hasParty: false },
  { mnemonic: 'PREV', category: 'PREVISIÓN', observation: 'Pago cotizaciones año', isCredit: false, hasParty: false },
  {
    mnemonic: CHEQUE,
    category: 'DEPÓSITO',
    observation: 'Depósito cheque otro banco',
    isCredit: true,
    hasParty: false,
  },
  { mnemonic: 'COMI', category: 'COMISIÓN', observation: 'Comisión mantención', isCredit: false, hasParty: false },
];

/**
 * Returns the first movement number of a month. All numbers of the previous month are lower, so numbers never repeat in
 * an account.
 */
export const NUMBERS_PER_MONTH = 200_000;
export const firstNumber = (period: string): number =>
  ((Number(period.slice(0, 4)) - 2020) * 12 + Number(period.slice(5)) - 1) * NUMBERS_PER_MONTH + 1;

export const generateMonth = (request: MonthRequest): SandboxMovement[] => {
  const { seed, accountId, period, movements, isPrompt, isPaired } = request;
  const random = createRandom(`${seed}|${accountId}|${period}`);
  const parties = makeParties(`${seed}|${accountId}|parties`, 25);
  const days = listDays(period).filter((day) => !isPrompt || isBankingDay(day));
  const moments = Array.from({ length: movements }, () => {
    const time = `${twoDigits(random.int(8, isPrompt ? 13 : 19))}:${twoDigits(random.int(0, 59))}:${twoDigits(random.int(0, 59))}`;
    return `${random.pick(days)} ${time}`;
  }).sort();
  const made = moments.map((moment, i) => draft(random, { ...request, parties }, moment, firstNumber(period) + i));
  if (!isPaired) return made;
  return made.map((movement, i) => (i % 10 === 9 ? { ...made[i - 1]!, number: movement.number } : movement));
};

const draft = (
  random: Random,
  { currency, lateShare, isPrompt, parties }: MonthRequest & { parties: readonly BankParty[] },
  moment: string,
  number: number,
): SandboxMovement => {
  const [day, time] = moment.split(' ') as [string, string];
  const accountingDate = isPrompt ? day : accountingDay(day, time);
  const kind = random.pick(KINDS);
  const party = random.pick(parties);
  const size = Math.round(5_000 * 400 ** random.next() * (kind.isCredit ? 1.3 : 1));
  // Pesos have no decimals; amounts in other currencies have decimals and are smaller.
  const centavos = currency === 'CLP' ? size * 100 : Math.round(size / 9) + random.int(0, 99);
  const isLate = random.next() < lateShare;
  const lateDays = random.int(1, 4);
  // A movement becomes visible the day after it is made, so that a day shows the same data from its first to its last
  // second.
  const shown = accountingDate > day ? accountingDate : addDays(day, 1);
  return {
    number,
    transactionDate: day,
    accountingDate,
    operationTime: time,
    centavos: kind.isCredit ? centavos : -centavos,
    mnemonic: kind.mnemonic,
    category: kind.category,
    observation: kind.hasParty ? `${kind.observation} ${party.name}` : kind.observation,
    counterparty: kind.hasParty ? party : null,
    visibleFrom: isLate && !isPrompt ? addDays(shown, lateDays) : shown,
  };
};
