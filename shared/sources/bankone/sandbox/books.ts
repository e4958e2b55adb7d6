/** Accounts with all their months. Balances are computed, never stored (banks.md part 4). */
import { addMonths, santiagoPeriod } from '#shared/values/dates.ts';
import type { Memory } from '../../sandbox-kit/memory.ts';
import type { Behaviour } from './behaviour.ts';
import { formatStamp } from './calendar.ts';
import { listCompanies } from './credentials.ts';
import { generateMonth } from './generate.ts';
import type { SandboxAccount, SandboxMonth, SandboxMovement } from './movement.ts';

/**
 * First month of every account. It is fixed, so that a balance does not depend on the time at which the sandbox
 * started.
 */
const FIRST_PERIOD = '2024-01';
const SMALL = 55;
const MEDIUM = 130;
const LARGE = 5_000;
const ARRIVALS_MAX = 500;

export interface Books {
  accountsOf(company: string): SandboxAccount[];
  /**
   * Returns the movements up to now, oldest first. A closed month omits the rows that are shown only while the month is
   * open.
   */
  movements(account: SandboxAccount, period: string): SandboxMovement[];
  month(account: SandboxAccount, period: string): SandboxMonth;
  /** Balance before the first movement of the month, in minor units. */
  opening(account: SandboxAccount, period: string): number;
  /** Creates `count` movements now. */
  arrive(account: SandboxAccount, count: number): void;
  behaviourOf(company: string): Behaviour;
}

/** Inserts later arrivals among the generated rows, in order of time. The generated rows do not change. */
const withArrivals = (rows: readonly SandboxMovement[], arrived: readonly SandboxMovement[]): SandboxMovement[] => {
  const all = [...rows];
  for (const row of arrived) {
    const at = all.findIndex(({ day, time }) => day > row.day || (day === row.day && time > row.time));
    all.splice(at < 0 ? all.length : at, 0, row);
  }
  return all;
};

export const createBooks = (
  seed: string,
  now: () => number,
  logins: ReadonlyMap<string, Behaviour>,
  memory: Memory,
): Books => {
  const behaviours = new Map(
    [...logins].flatMap(([login, behaviour]) => listCompanies(login).map((c) => [c, behaviour])),
  );
  const behaviourOf = (company: string): Behaviour => behaviours.get(company) ?? 'works';
  /** The month in which the sandbox started is stored, so that older months do not grow when a new month begins. */
  const startedIn = (): string => memory.once('startedIn', () => santiagoPeriod(now()));
  startedIn();
  /** Movements that arrived between two page requests of a client, by account. */
  const arrivals = memory.map<SandboxMovement[]>('arrivals');
  const months = new Map<string, SandboxMonth>();
  const openings = new Map<string, number>();

  const countOf = ({ company, currency }: SandboxAccount, period: string): number => {
    const behaviour = behaviourOf(company);
    if (behaviour === 'no_data_code') return 0;
    if (currency === 'USD') return Math.floor(SMALL / 3);
    if (behaviour === 'large') return period >= addMonths(startedIn(), -1) ? LARGE : SMALL;
    return behaviour === 'rows_arrive' ? MEDIUM : SMALL;
  };

  const month = (account: SandboxAccount, period: string): SandboxMonth => {
    const key = `${account.number}/${period}/${startedIn()}`;
    let found = months.get(key);
    if (!found) {
      const behaviour = behaviourOf(account.company);
      const count = countOf(account, period);
      found = generateMonth({ seed, account, period, count, behaviour });
      months.set(key, found);
    }
    return found;
  };

  const isOpen = (period: string): boolean => period >= santiagoPeriod(now());

  const movements = (account: SandboxAccount, period: string): SandboxMovement[] => {
    const arrived = (arrivals.get(account.number) ?? []).filter(({ day }) => day.startsWith(period));
    const made = month(account, period).movements;
    const all = arrived.length === 0 ? made : withArrivals(made, arrived);
    if (!isOpen(period)) return all.filter((movement) => !movement.isOpenOnly);
    const stamp = formatStamp(now());
    return all.filter(({ day, time }) => `${day.replaceAll('-', '')} ${time}` <= stamp);
  };

  const opening = (account: SandboxAccount, period: string): number => {
    // The US dollar account starts overdrawn.
    if (period <= FIRST_PERIOD) return account.currency === 'CLP' ? 480_000_000 : -6_000_000;
    const key = `${account.number}/${period}/${startedIn()}/${arrivals.get(account.number)?.length ?? 0}`;
    const known = openings.get(key);
    if (known !== undefined) return known;
    const before = addMonths(period, -1);
    const balance = movements(account, before).reduce((sum, { minor }) => sum + minor, opening(account, before));
    // An open month may still change, so its balance is not cached.
    if (!isOpen(before)) openings.set(key, balance);
    return balance;
  };

  return {
    behaviourOf,
    accountsOf: (company) => {
      if (behaviourOf(company) === 'empty') return [];
      const tail = company.replace(/\D/g, '').slice(0, 8);
      return [
        { company, number: `00${tail}07`, alias: 'Operaciones', currency: 'CLP' },
        { company, number: `50${tail}19`, alias: 'Importaciones Ñ', currency: 'USD' },
      ];
    },
    movements,
    month,
    opening,
    arrive: (account, count) => {
      const stamp = formatStamp(now());
      const day = `${stamp.slice(0, 4)}-${stamp.slice(4, 6)}-${stamp.slice(6, 8)}`;
      const rows = arrivals.get(account.number) ?? [];
      for (let i = 0; i < count; i++) {
        const arrived = memory.next('arrivals');
        const minor = 1_000 + arrived;
        const document = String(88_000_000 + arrived).padStart(12, '0');
        const row = { n: 100_000 + arrived, day, time: stamp.slice(9), booked: day, text: 'DEPÓSITO RECIÉN LLEGADO' };
        rows.push({ ...row, document, minor, transfer: null, isOpenOnly: false });
      }
      arrivals.set(account.number, rows.slice(-ARRIVALS_MAX));
    },
  };
};
