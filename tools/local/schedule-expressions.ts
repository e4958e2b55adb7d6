/** Computes firing times for the expressions of EventBridge Scheduler that this project uses: `rate(N minutes)`. */

/** Matches a rate. The first group is the number of minutes. */
export const RATE = /^rate\(([1-9]\d*) minutes?\)$/;

export interface ScheduleTiming {
  expression: string;
  /** Start in milliseconds since the epoch; undefined if the rate begins at the creation of the schedule. */
  startMs: number | undefined;
  createdMs: number;
}

const MINUTE_MS = 60_000;

const rateMs = (expression: string): number => {
  const minutes = RATE.exec(expression)?.[1];
  if (minutes === undefined) throw new Error(`the local runner knows no schedule expression ${expression}`);
  return Number(minutes) * MINUTE_MS;
};

/** Returns the time of the first firing after `afterMs`. */
export const nextFiringMs = ({ expression, startMs, createdMs }: ScheduleTiming, afterMs: number): number => {
  const everyMs = rateMs(expression);
  const originMs = startMs ?? createdMs;
  return originMs + Math.max(0, Math.floor((afterMs - originMs) / everyMs) + 1) * everyMs;
};

/** Returns the time of the latest firing in (`afterMs`, `untilMs`]; undefined when there is no firing. */
export const lastFiringMs = (timing: ScheduleTiming, afterMs: number, untilMs: number): number | undefined => {
  const firstMs = nextFiringMs(timing, afterMs);
  const everyMs = rateMs(timing.expression);
  return firstMs > untilMs ? undefined : firstMs + Math.floor((untilMs - firstMs) / everyMs) * everyMs;
};
