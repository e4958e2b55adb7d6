/**
 * Services of AWS that refuse calls as too many: one call, or every call for minutes. The names of the refusals come from
 * AWS's documents.
 */
import type { Random } from '#test/helpers/random.ts';
import { busyTransaction, named } from '../table/errors.ts';
import type { CallOptions, Service } from './invocations.ts';
import { virtual } from './virtual-process.ts';

const TABLE = ['ThrottlingException', 'ProvisionedThroughputExceededException', 'RequestLimitExceeded'];
const REFUSALS = {
  table: TABLE,
  bucket: ['SlowDown', 'ServiceUnavailable'],
  queue: ['RequestThrottled', 'KmsThrottled'],
  key: ['ThrottlingException', 'LimitExceededException'],
  scheduler: ['ThrottlingException'],
} as const satisfies Record<Service, readonly string[]>;

/** Makes a call of this service one that may be refused. */
export const refusable = (service: Service, options: CallOptions = {}, items = 0): CallOptions => ({
  ...options,
  service,
  faults: [...(options.faults ?? []), 'throttle', 'outage'],
  refusal: (random) => {
    const name = random.pick(REFUSALS[service]);
    return items > 0 && random.chance(0.5) ? busyTransaction(items) : named(name, 'too many calls');
  },
});

export class BusyServices {
  private readonly untilMs = new Map<Service, number>();
  /** Time in which services refused everything, all outages together. */
  totalMs = 0;

  begin(service: Service, ms: number): void {
    this.untilMs.set(service, Math.max(this.untilMs.get(service) ?? 0, virtual.nowMs + ms));
    this.totalMs += ms;
  }

  /** Ends every outage. */
  end(): void {
    this.untilMs.clear();
  }

  refuses({ service }: CallOptions): boolean {
    return service !== undefined && virtual.nowMs < (this.untilMs.get(service) ?? 0);
  }
}

export const drawOutageMs = (random: Random, outagesMs: readonly number[] | undefined): number =>
  random.pick(outagesMs ?? [5_000, 40_000, 100_000, 240_000]);
