/**
 * Situations that half of the histories are steered toward, because random ones seldom meet them. A theme defines the
 * acts, their times, and the calls that fail; the seed decides all the rest.
 */
import { type Random, randomFrom } from '#test/helpers/random.ts';
import { AUDIT_THEMES } from './audit-themes.ts';
import { BUSY_THEMES } from './busy-themes.ts';
import { CANCEL_THEMES } from './cancel-themes.ts';
import { COMPANY_THEMES } from './company-themes.ts';
import { FEED_THEMES, ORGANIZATION_THEMES } from './feed-themes.ts';
import { LEASE_THEMES } from './lease-themes.ts';
import { LINK_THEMES } from './link-themes.ts';
import { LOGIN_THEMES } from './login-themes.ts';
import { OVERLAP_THEMES } from './overlap-themes.ts';
import { PACE_THEMES } from './pace-themes.ts';
import { SWEEP_THEMES } from './sweep-themes.ts';
import { TENDER_THEMES } from './tender-themes.ts';
import { type Act, AT_ONCE, aim, type Cast, DEATHS, LATER, QUIET, SOON, type Theme } from './theme.ts';
import { TOTALS_THEMES } from './totals-themes.ts';
import { WEBHOOK_THEMES } from './webhook-themes.ts';

const RCV: Cast = ['tax', ['rcv']];
const TWO_SCOPES: Cast = ['tax', ['rcv', 'boletas']];

export const THEMES: readonly Theme[] = [
  {
    name: 'another run has the scope between two tries',
    cast: RCV,
    // The attempt ends, and the messages of the next one are lost until the reservation has lapsed: a task that waits goes
    // first, while the stored answers wait.
    faults: { ...QUIET, lost: 0.4, left: 2, aims: [aim(/^read/, 0.4, ['fail-before'])] },
    endpoints: 0,
    acts: [
      ['sync', [300, 600, 2_000]],
      ['revise', AT_ONCE],
      ['sync', AT_ONCE],
    ],
  },
  {
    name: 'rows put late',
    cast: RCV,
    faults: { ...QUIET, left: 2, aims: [aim(/^BatchWrite ROW/, 0.5, ['freeze'])] },
    endpoints: 0,
    acts: [
      ['add', AT_ONCE],
      ['sync', [600, 2_000, 30_000]],
      ['change', AT_ONCE],
      ['change', AT_ONCE],
      ['sync', [400_000]],
      ['change', AT_ONCE],
      ['sync', SOON],
    ],
  },
  {
    name: 'two holders at the end of a lease',
    cast: RCV,
    faults: {
      ...QUIET,
      left: 10,
      aims: [aim(/LEASE#/, 0.3, ['stall']), aim(/^BatchWrite ROW/, 0.6, ['stall'])],
    },
    endpoints: 0,
    acts: [
      ['add', AT_ONCE],
      ['sync', SOON],
      ['sync', LATER],
      ['change', AT_ONCE],
      ['sync', SOON],
    ],
  },
  {
    name: 'workers die among their rows',
    faults: { ...QUIET, left: 12, aims: [aim(/^BatchWrite ROW/, 0.6, DEATHS)] },
    endpoints: 1,
    acts: [
      ['sync', LATER],
      ['change', SOON],
      ['cancel', SOON],
      ['sync', SOON],
    ],
  },
  {
    name: 'two scopes end their run',
    cast: TWO_SCOPES,
    faults: {
      ...QUIET,
      left: 8,
      aims: [aim(/RUN#/, 0.3, [...DEATHS, 'fail-before', 'fail-after', 'conflict', 'stall'])],
    },
    endpoints: 2,
    acts: [
      ['sync', SOON],
      ['sync', SOON],
    ],
  },
  {
    name: 'messages of a stale generation',
    faults: {
      ...QUIET,
      doubled: 0.6,
      late: 0.4,
      left: 10,
      aims: [aim(/WORK#|DELIVERY#/, 0.2, ['stall', 'freeze', 'fail-after', 'die-after'])],
    },
    endpoints: 2,
    acts: [
      ['sync', SOON],
      ['schedule', SOON],
      ['sync', LATER],
    ],
  },
  {
    name: 'logins without a verdict',
    faults: { ...QUIET, left: 6, aims: [aim(/^login/, 0.8, [...DEATHS, 'freeze'])] },
    endpoints: 0,
    acts: [
      ['sync', SOON],
      ['sync', LATER],
    ],
  },
  {
    name: 'a connection is deleted',
    faults: {
      ...QUIET,
      lost: 0.2,
      doubled: 0.3,
      left: 2,
      aims: [
        aim(/^BatchWrite ROWS/, 0.4, ['freeze']),
        aim(/PURGE#|^send purges/, 0.15, ['die-before', 'die-after', 'fail-after', 'freeze']),
      ],
    },
    endpoints: 1,
    acts: [
      ['sync', [100_000]],
      // Tries to remove as soon as no run is open, because the worker that began the removal may be frozen.
      ...Array.from({ length: 8 }, (): [Act, readonly number[]] => ['remove', [25_000]]),
    ],
  },
  {
    name: 'an institution that asks for time',
    faults: { ...QUIET, source: 0.3, lost: 0.3, left: 8, aims: [] },
    endpoints: 0,
    acts: [
      ['sync', SOON],
      ['sync', LATER],
    ],
  },
  {
    name: 'a receiver that hangs',
    faults: {
      ...QUIET,
      receiver: 0.3,
      doubled: 0.6,
      left: 12,
      aims: [aim(/^post/, 0.6, ['stall']), aim(/^(Update|TransactWrite) DELIVERY#/, 0.4, ['freeze', 'stall'])],
    },
    endpoints: 1,
    acts: [
      ['sync', [2_000, 30_000]],
      ['sync', AT_ONCE],
      ['sync', AT_ONCE],
      ['sync', LATER],
    ],
  },
  {
    name: 'receivers that fail',
    faults: {
      ...QUIET,
      receiver: 0.6,
      lost: 0.3,
      doubled: 0.3,
      late: 0.3,
      left: 8,
      aims: [aim(/^post|DELIVERY#/, 0.15, [...DEATHS, 'freeze', 'stall', 'fail-after'])],
    },
    endpoints: 2,
    acts: [
      ['sync', SOON],
      ['sync', SOON],
      ['sync', SOON],
    ],
  },
];

const STEERED = 0.5;
const OF_TENDERS = 0.1;
const OF_PACE = 0.08;
const OF_WEBHOOKS = 0.08;
const OF_LEASES = 0.1;
const OF_FEED = 0.2;
const OF_TOTALS = 0.08;
const OF_CANCELS = 0.04;
const OF_SWEEPS = 0.04;
const OF_ORGANIZATION = 0.03;
const OF_LINKS = 0.02;
const OF_OVERLAPS = 0.02;
const OF_COMPANIES = 0.1;
const OF_BUSY = 0.1;
const OF_LOGINS = 0.03;
const OF_AUDIT = 0.1;

/** Each group draws from its own seed, so that a history does not change when other themes are added. */
export const drawTheme = (seed: number): Theme | undefined => {
  const busy: Random = randomFrom(seed ^ 0xb05e);
  if (busy.chance(OF_BUSY)) return busy.pick(BUSY_THEMES);
  const tenders: Random = randomFrom(seed ^ 0x7e4d);
  if (tenders.chance(OF_TENDERS)) return tenders.pick(TENDER_THEMES);
  const paced: Random = randomFrom(seed ^ 0x9ace);
  if (paced.chance(OF_PACE)) return paced.pick(PACE_THEMES);
  const hooks: Random = randomFrom(seed ^ 0x4007);
  if (hooks.chance(OF_WEBHOOKS)) return hooks.pick(WEBHOOK_THEMES);
  const leased: Random = randomFrom(seed ^ 0x1ea5);
  if (leased.chance(OF_LEASES)) return leased.pick(LEASE_THEMES);
  const read: Random = randomFrom(seed ^ 0xfeed0);
  if (read.chance(OF_FEED)) return read.pick(FEED_THEMES);
  const tied: Random = randomFrom(seed ^ 0x7071);
  if (tied.chance(OF_TOTALS)) return tied.pick(TOTALS_THEMES);
  const ended: Random = randomFrom(seed ^ 0xcafe);
  if (ended.chance(OF_CANCELS)) return ended.pick(CANCEL_THEMES);
  const swept: Random = randomFrom(seed ^ 0x5eeb);
  if (swept.chance(OF_SWEEPS)) return swept.pick(SWEEP_THEMES);
  const audited: Random = randomFrom(seed ^ 0xa2c8);
  if (audited.chance(OF_AUDIT)) return AUDIT_THEMES[seed % AUDIT_THEMES.length];
  const announced: Random = randomFrom(seed ^ 0xa110);
  if (announced.chance(OF_ORGANIZATION)) return announced.pick(ORGANIZATION_THEMES);
  const linked: Random = randomFrom(seed ^ 0x114c);
  if (linked.chance(OF_LINKS)) return linked.pick(LINK_THEMES);
  const overlapping: Random = randomFrom(seed ^ 0x0e1a);
  if (overlapping.chance(OF_OVERLAPS)) return overlapping.pick(OVERLAP_THEMES);
  const companies: Random = randomFrom(seed ^ 0xc0a9);
  if (companies.chance(OF_COMPANIES)) return companies.pick(COMPANY_THEMES);
  const shared: Random = randomFrom(seed ^ 0x5a4e);
  if (shared.chance(OF_LOGINS)) return shared.pick(LOGIN_THEMES);
  const random: Random = randomFrom(seed ^ 0x7e3e);
  return random.chance(STEERED) ? random.pick(THEMES) : undefined;
};
