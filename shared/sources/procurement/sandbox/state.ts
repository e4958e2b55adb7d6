/** State of one running sandbox. */
import { createMemory } from '../../sandbox-kit/memory.ts';
import type { SandboxOptions } from '../../sandbox-kit/server.ts';
import { type ProcurementCredential, SANDBOX_CREDENTIALS } from './credentials.ts';
import { makeTender, type TenderModel } from './tender.ts';
import { createTokens, type LinkTokens } from './tokens.ts';

export interface Knobs {
  latencyMs: number;
  /** Number of calls that a ticket may make between two resets (procurement.md §2.7: 10,000 per day). */
  quota: number;
  /** Status that comes with code 10500. Every client saw a different status (§2.6); 0 uses all of them in turn. */
  busyStatus: 0 | 200 | 429 | 500;
  /** Lifetime of a link or view state of the web side (§3.1, §3.2). */
  tokenMs: number;
}

export interface State {
  now: () => number;
  knobs: Knobs;
  tokens: LinkTokens;
  byTicket: ReadonlyMap<string, ProcurementCredential>;
  byUnit: ReadonlyMap<number, ProcurementCredential>;
  /**
   * By ticket: number of API calls, and number of calls in progress. By unit: whether its single web fault has already
   * happened.
   */
  apiCalls: Map<string, number>;
  underWay: Map<string, number>;
  expired: Map<string, true>;
  tender(codigo: string): TenderModel | undefined;
}

const CACHE_MAX = 200;

export const createState = ({
  seed = 'procurement',
  now = Date.now,
  knobs = {},
  memory = createMemory(),
}: SandboxOptions<Knobs>): State => {
  const byUnit = new Map(SANDBOX_CREDENTIALS.map((entry) => [entry.unit, entry]));
  const cache = new Map<string, TenderModel>();
  const settings: Knobs = { latencyMs: 0, quota: 10_000, busyStatus: 0, tokenMs: 1_200_000, ...knobs };
  return {
    now,
    knobs: settings,
    tokens: createTokens(seed, now, () => settings.tokenMs),
    byTicket: new Map(SANDBOX_CREDENTIALS.map((entry) => [entry.credentials.ticket, entry])),
    byUnit,
    apiCalls: memory.map('apiCalls'),
    underWay: new Map(),
    expired: memory.map('expired'),
    tender: (codigo) => {
      const known = cache.get(codigo) ?? makeTender(seed, codigo, now(), (unit) => byUnit.get(unit)?.size);
      if (known && cache.size < CACHE_MAX) cache.set(codigo, known);
      return known;
    },
  };
};
