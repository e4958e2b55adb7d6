/**
 * The true movements of every account and the balances computed from them. A month is generated at its first request.
 */
import { addMonths, periodsBetween, santiagoDay } from '#shared/values/dates.ts';
import { addDays, addMonthsTo, daysBetween } from '../../sandbox-kit/calendar.ts';
import type { Memory } from '../../sandbox-kit/memory.ts';
import { createRandom } from '../../sandbox-kit/random.ts';
import { makeAccounts, type SandboxAccount } from './accounts.ts';
import type { SandboxClient } from './credentials.ts';
import { firstNumber, generateMonth, NUMBERS_PER_MONTH } from './generate.ts';
import { type BookedMovement, CHEQUE, type SandboxMovement } from './movement.ts';

/**
 * First month of the data. It is fixed, so that the start of a new month does not change the balances of older months.
 */
const HISTORY_START = '2024-01';
const LATE_SHARE = 0.02;
const LATE_SHARE_LARGE = 0.25;
const DEPTH_MONTHS = 18;
const CACHE_MAX = 2_000;

export interface AccountBalances {
  accounting: number;
  available: number;
  /** Balance of all movements that were booked before today. */
  morning: number;
  holds: { oneDay: number; twoToFourDays: number; moreThanFour: number };
}

export interface BanktwoBook {
  accounts(client: SandboxClient): readonly SandboxAccount[];
  /** Returns the movements that are visible today, newest first, by accounting day. */
  movements(client: SandboxClient, account: SandboxAccount, period: string): readonly BookedMovement[];
  /** Returns the movements that are visible today between two accounting days, also over several months. */
  between(client: SandboxClient, account: SandboxAccount, from: string, to: string): BookedMovement[];
  balances(client: SandboxClient, account: SandboxAccount): AccountBalances;
  today(): string;
  /** Returns the first day for which the bank still returns data. */
  earliest(): string;
  periods(): string[];
  setMovements(client: SandboxClient, period: string | null, movements: number): void;
  /** Adds movements to the first account now; their accounting day is `day`. */
  bookLate(client: SandboxClient, day: string, movements: number): void;
}

export const createBook = (seed: string, now: () => number, memory: Memory): BanktwoBook => {
  const today = (): string => santiagoDay(now());
  /** The month in which the sandbox started is stored, so that older months do not grow when a new month begins. */
  const startedIn = (): string => memory.once('startedIn', () => today().slice(0, 7));
  startedIn();
  const accounts = new Map<string, SandboxAccount[]>();
  const sizes = new Map<string, number>();
  const late = new Map<string, SandboxMovement[]>();
  const made = new Map<string, SandboxMovement[]>();
  const shown = new Map<string, BookedMovement[]>();

  const accountsBy = (client: SandboxClient): SandboxAccount[] => {
    const id = client.credentials.client_id;
    const known = accounts.get(id) ?? makeAccounts(seed, client);
    accounts.set(id, known);
    return known;
  };

  const sizeOf = (client: SandboxClient, account: SandboxAccount, period: string): number => {
    if (period < HISTORY_START) return 0;
    const id = client.credentials.client_id;
    const isFirst = account === accountsBy(client)[0];
    const set = isFirst ? (sizes.get(`${id}|${period}`) ?? sizes.get(`${id}|`)) : undefined;
    if (set !== undefined) return set;
    if (account.largeMovements > 0 && period >= addMonths(startedIn(), -1)) return account.largeMovements;
    return createRandom(`${seed}|${account.accountId}|${period}|size`).int(...account.movements);
  };

  const madeIn = (client: SandboxClient, account: SandboxAccount, period: string): SandboxMovement[] => {
    const { accountId, currency } = account;
    const key = `${accountId}|${period}|${startedIn()}`;
    let movements = made.get(key);
    if (!movements) {
      const { behaviour } = client;
      const lateShare = behaviour === 'late_bookings' ? LATE_SHARE_LARGE : LATE_SHARE;
      const isPrompt = behaviour === 'page_multiple';
      const size = sizeOf(client, account, period);
      const isPaired = behaviour === 'duplicate_rows';
      movements = generateMonth({ seed, accountId, currency, period, movements: size, lateShare, isPrompt, isPaired });
      made.set(key, movements);
    }
    return movements;
  };

  /** Returns the balance before the first movement that is booked in this month. */
  const opening = (client: SandboxClient, account: SandboxAccount, period: string): number => {
    if (period <= HISTORY_START) return account.openingCentavos;
    const before = addMonths(period, -1);
    return shownIn(client, account, before)[0]?.balanceCentavos ?? opening(client, account, before);
  };

  const shownIn = (client: SandboxClient, account: SandboxAccount, period: string): BookedMovement[] => {
    const day = today();
    const key = `${account.accountId}|${period}|${day}|${startedIn()}`;
    const known = shown.get(key);
    if (known) return known;
    // A movement that is made after the cut-off late in a month is booked in the next month.
    const candidates = [
      ...madeIn(client, account, addMonths(period, -1)),
      ...madeIn(client, account, period),
      ...(late.get(account.accountId) ?? []),
    ];
    const own = candidates
      .filter(({ accountingDate, visibleFrom }) => accountingDate.startsWith(period) && visibleFrom <= day)
      .sort((a, b) => a.accountingDate.localeCompare(b.accountingDate) || a.number - b.number);
    let balanceCentavos = period < HISTORY_START ? account.openingCentavos : opening(client, account, period);
    const booked = own.map((movement) => {
      balanceCentavos += movement.centavos;
      return { ...movement, balanceCentavos };
    });
    if (shown.size >= CACHE_MAX) shown.clear();
    shown.set(key, booked.reverse());
    return booked;
  };

  const between = (client: SandboxClient, account: SandboxAccount, from: string, to: string): BookedMovement[] =>
    periodsBetween(from.slice(0, 7), to.slice(0, 7))
      .reverse()
      .flatMap((period) => shownIn(client, account, period))
      .filter(({ accountingDate }) => accountingDate >= from && accountingDate <= to);

  const earliest = (): string => addMonthsTo(today(), -DEPTH_MONTHS);

  const balances = (client: SandboxClient, account: SandboxAccount): AccountBalances => {
    const day = today();
    const recent = between(client, account, addDays(day, -7), day);
    const accounting = opening(client, account, addMonths(day.slice(0, 7), 1));
    const bookedToday = recent.filter(({ accountingDate }) => accountingDate === day);
    const held = (from: number, to: number): number =>
      recent
        .filter(({ mnemonic }) => mnemonic === CHEQUE)
        .filter(({ accountingDate }) => {
          const age = daysBetween(accountingDate, day);
          return age >= from && age <= to;
        })
        .reduce((sum, { centavos }) => sum + centavos, 0);
    const holds = { oneDay: held(0, 1), twoToFourDays: held(2, 4), moreThanFour: held(5, 6) };
    return {
      accounting,
      available: accounting - holds.oneDay - holds.twoToFourDays - holds.moreThanFour,
      morning: accounting - bookedToday.reduce((sum, { centavos }) => sum + centavos, 0),
      holds,
    };
  };

  return {
    accounts: accountsBy,
    movements: shownIn,
    between,
    balances,
    today,
    earliest,
    periods: () => periodsBetween(earliest().slice(0, 7), today().slice(0, 7)),
    setMovements: (client, period, movements) => {
      sizes.set(`${client.credentials.client_id}|${period ?? ''}`, movements);
      made.clear();
      shown.clear();
    },
    bookLate: (client, day, movements) => {
      const account = accountsBy(client)[0];
      if (!account) return;
      const list = late.get(account.accountId) ?? [];
      const [pattern] = generateMonth({
        ...{ seed: `${seed}|late`, accountId: account.accountId, currency: account.currency, period: day.slice(0, 7) },
        ...{ movements: 1, lateShare: 0, isPrompt: false, isPaired: false },
      });
      // First number of the added movements. It is higher than any number of a generated movement of the month.
      const first = firstNumber(day.slice(0, 7)) + NUMBERS_PER_MONTH / 2;
      for (let i = 0; i < movements; i++) {
        const number = first + list.length;
        list.push({ ...pattern!, number, transactionDate: day, accountingDate: day, visibleFrom: today() });
      }
      late.set(account.accountId, list);
      shown.clear();
    },
  };
};
