/**
 * The only clock of the service. Leases, due times, TTL filters and signatures all read this clock. So the local stack
 * and tests can move time (a two-hour retry then takes seconds), while functions on AWS use the machine's clock.
 *
 * The local runner and tests set a time source under a well-known symbol before the module's first use.
 */
const SOURCE = Symbol.for('data-connections.clock');

type ClockSource = () => number;

/** Milliseconds since the epoch. */
export const nowMs = (): number => {
  const source = (globalThis as Record<symbol, unknown>)[SOURCE] as ClockSource | undefined;
  return source ? source() : Date.now();
};

export const now = (): Date => new Date(nowMs());

/** Present time in ISO 8601, UTC with milliseconds. */
export const nowIso = (): string => now().toISOString();

/** Whole seconds since the epoch, the unit of TTL attributes and webhook timestamps. */
export const nowSeconds = (): number => Math.floor(nowMs() / 1000);

/** Sets the time source. Only the local runner and tests call this function. */
export const plantClock = (source: ClockSource | undefined): void => {
  (globalThis as Record<symbol, unknown>)[SOURCE] = source;
};
