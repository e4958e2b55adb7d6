/**
 * Definition of an alarm. The stack creates alarms from definitions. A test checks that docs/runbook.md has a section
 * for each alarm.
 */
import type { MetricName } from '#shared/platform/metric-catalogue.ts';

/**
 * `critical`: integrators or data are affected now, and the alarm wakes somebody. `warning`: somebody must check the
 * alarm on the same day.
 */
export const SEVERITIES = ['critical', 'warning'] as const;
export type Severity = (typeof SEVERITIES)[number];

export type Statistic = 'Sum' | 'Maximum' | 'SampleCount' | 'p90' | 'p99';

/** What an alarm watches. */
export type Watched =
  | { of: 'service'; metric: MetricName; dimensions: Readonly<Record<string, string>>; statistic: Statistic }
  /** Number of messages in a dead-letter queue; `queue` is one of `DEAD_LETTERS`. */
  | { of: 'dead-letters'; queue: string }
  /** Share of 5xx responses in percent; 0 if the period has fewer than `requestsMin` requests. */
  | { of: 'api-error-rate'; requestsMin: number }
  /**
   * Number of requests that the gateway refused because there were too many; the service's own 429 responses are not
   * included.
   */
  | { of: 'gateway-throttles' }
  /** Duration of requests at the gateway, in ms. */
  | { of: 'api-latency'; statistic: Statistic }
  /** Number of refused invocations in the whole account, because all functions share the account's concurrency. */
  | { of: 'function-throttles' }
  /** Number of invocations in the whole account that Lambda dropped because it detected a recursive loop. */
  | { of: 'dropped-recursions' }
  /** Number of firings of the connections' schedules that Scheduler gave up. */
  | { of: 'dropped-firings' }
  | { of: 'table-throttles'; what: 'Read' | 'Write'; index: boolean };

export interface Alarm {
  /** Construct id of the alarm, which is also the beginning of the e-mail's subject. */
  id: string;
  /** Heading of the alarm's section in docs/runbook.md; alarms with the same meaning share a section. */
  section: string;
  severity: Severity;
  /** One sentence that says what is wrong when the alarm fires. */
  says: string;
  watched: Watched;
  periodMinutes: number;
  /** The alarm fires when this many consecutive periods are out of bounds. */
  periods: number;
  /**
   * Limit in the metric's unit. A value at or above the limit is out of bounds; with `isBelow`, a value below the limit
   * is.
   */
  threshold: number;
  isBelow?: boolean;
  /** True if a period without data counts as out of bounds; otherwise such a period counts as normal. */
  silenceRings?: boolean;
}
