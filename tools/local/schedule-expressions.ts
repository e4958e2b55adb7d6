/** Firing times of EventBridge Scheduler's expressions, as far as we use them: `rate(N minutes)`. */

/** The group is the number of minutes. */
export const RATE = /^rate\(([1-9]\d*) minutes?\)$/;

export interface ScheduleTiming {
  expression: string;
  /** Milliseconds since the epoch; without a start, a rate begins at the schedule's creation. */
  startMs: number | undefined;
  createdMs: number;
}

const MINUTE_MS = 60_000;

const rateMs = (expression: string): number => {
  const minutes = RATE.exec(expression)?.[1];
  if (minutes === undefined) throw new Error(`the local runner knows no schedule expression ${expression}`);
  return Number(minutes) * MINUTE_MS;
};

/** First firing after `afterMs`. */
export const nextFiringMs = ({ expression, startMs, createdMs }: ScheduleTiming, afterMs: number): number => {
  const everyMs = rateMs(expression);
  const originMs = startMs ?? createdMs;
  return originMs + Math.max(0, Math.floor((afterMs - originMs) / everyMs) + 1) * everyMs;
};

/** Latest firing in (`afterMs`, `untilMs`]; undefined when there is no firing. */
export const lastFiringMs = (timing: ScheduleTiming, afterMs: number, untilMs: number): number | undefined => {
  const firstMs = nextFiringMs(timing, afterMs);
  const everyMs = rateMs(timing.expression);
  return firstMs > untilMs ? undefined : firstMs + Math.floor((untilMs - firstMs) / everyMs) * everyMs;
};
