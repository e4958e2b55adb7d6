/** Accounts of each client's company. */

import { createRandom } from '../../sandbox-kit/random.ts';
import type { SandboxClient } from './credentials.ts';

export interface SandboxAccount {
  accountId: string;
  number: string;
  currency: 'CLP' | 'USD';
  status: string;
  /** Book balance before the first movement, in hundredths. */
  openingCentavos: number;
  /** Lowest and highest number of movements in an ordinary month. */
  movements: readonly [number, number];
  /** Number of movements in the current and in the previous month, for a large company. */
  largeMovements: number;
}

const LARGE = 5_000;

type AccountPlan = Pick<SandboxAccount, 'currency' | 'status' | 'openingCentavos' | 'movements' | 'largeMovements'>;

const PLANS: readonly AccountPlan[] = [
  { currency: 'CLP', status: 'ACTIVE', openingCentavos: 1_250_000_000, movements: [70, 120], largeMovements: LARGE },
  { currency: 'USD', status: 'ACTIVE', openingCentavos: 4_800_075, movements: [5, 15], largeMovements: 40 },
  // This account becomes overdrawn and is therefore blocked; the bank still shows it.
  { currency: 'CLP', status: 'BLOCKED', openingCentavos: -52_000_000, movements: [15, 35], largeMovements: 30 },
];
/** Account with exactly two full pages per month. */
const MULTIPLE: AccountPlan = { ...PLANS[0]!, movements: [100, 100] };

/** Account with more than one page on most days of a month. */
const PAGED: AccountPlan = { ...PLANS[0]!, movements: [200, 200] };

const plansOf = ({ behaviour }: SandboxClient): readonly AccountPlan[] => {
  if (behaviour === 'empty') return [];
  if (behaviour === 'no_movements') return PLANS.map((plan) => ({ ...plan, movements: [0, 0] as const }));
  if (behaviour === 'repeated_page') return [PAGED];
  return behaviour === 'page_multiple' ? [MULTIPLE] : PLANS;
};

export const makeAccounts = (seed: string, client: SandboxClient): SandboxAccount[] =>
  plansOf(client).map((plan, i) => {
    const random = createRandom(`${seed}|${client.credentials.client_id}|account|${i}`);
    const office = String(random.int(1, 99)).padStart(4, '0');
    const contract = String(random.int(100_000, 9_999_999)).padStart(7, '0');
    return {
      ...plan,
      // The account id consists of office (4 digits) and contract (12 digits); the number is the contract as the owner
      // writes it.
      accountId: `${office}${`00${i}${contract}`.padStart(12, '0')}`,
      number: `0-00${i}-${contract}-${random.int(0, 9)}`,
      largeMovements: client.behaviour === 'large' ? plan.largeMovements : 0,
    };
  });
