/** State of one running sandbox. */
import { santiagoDay } from '#shared/values/dates.ts';
import { createMemory } from '../../sandbox-kit/memory.ts';
import type { SandboxOptions } from '../../sandbox-kit/server.ts';
import { type Boletas, createBoletas } from './boletas.ts';
import { findCompany, PORTFOLIO, SANDBOX_CREDENTIALS, type TaxCredential } from './credentials.ts';
import { createGuides, type Guides } from './guias.ts';
import { createJobs, type Jobs } from './jobs.ts';
import { createRegister, type SandboxRegister, type Volume } from './register.ts';
import { createSessions, type Sessions } from './sessions.ts';

export interface Knobs {
  /** A direct detail with more rows than this returns no rows and no error (tax.md §4.4). */
  directLimit: number;
  /** Largest number of simultaneous sessions of one RUT (tax.md §2.4: the real number is unknown). */
  sessionCap: number;
  asyncDelayMs: number;
  latencyMs: number;
  /** Charset of the files; public sources disagree (tax.md §4.4). */
  charset: 'utf-8' | 'iso-8859-1';
  /** Attributes after `TOKEN=…;` in Set-Cookie. */
  cookieAttributes: string;
  /** If true, a successful login redirects to `referencia` instead of returning a page (tax.md §2.1). */
  loginRedirects: boolean;
  /** Amount by which the totals of the login `register_totals` exceed its rows, for each type 33 of purchases. */
  excessTotal: number;
}

export interface State {
  now: () => number;
  knobs: Knobs;
  sessions: Sessions;
  register: SandboxRegister;
  boletas: Boletas;
  guides: Guides;
  jobs: Jobs;
  accounts: ReadonlyMap<string, TaxCredential>;
  /** Number of login posts and data calls by RUT. */
  logins: Map<string, number>;
  dataCalls: Map<string, number>;
}

export const createState = ({
  seed = 'tax',
  now = Date.now,
  knobs = {},
  memory = createMemory(),
}: SandboxOptions<Knobs>): State => {
  const entries = [...SANDBOX_CREDENTIALS, ...PORTFOLIO];
  const accounts = new Map(entries.map((entry) => [entry.credentials.rut, entry]));
  const byCompany = new Map(entries.map((entry) => [findCompany(entry), entry]));
  const volumeOf = (company: string): Volume => byCompany.get(company)?.volume ?? 'none';
  const acceptsLater = (company: string): boolean => byCompany.get(company)?.behaviour === 'accepts_later';
  const register = createRegister(seed, now, { volumeOf, acceptsLater });
  return {
    now,
    knobs: {
      directLimit: 500,
      sessionCap: 3,
      asyncDelayMs: 5_000,
      latencyMs: 0,
      charset: 'utf-8',
      cookieAttributes: 'Path=/; Domain=.sii.cl; Secure',
      loginRedirects: false,
      excessTotal: 1_000_000,
      ...knobs,
    },
    sessions: createSessions(now, memory),
    register,
    boletas: createBoletas(seed, register, () => santiagoDay(now())),
    guides: createGuides(seed, now, volumeOf),
    jobs: createJobs(now, memory),
    accounts,
    logins: memory.map('logins'),
    dataCalls: memory.map('dataCalls'),
  };
};
