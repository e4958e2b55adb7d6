/** What an alarm is: the stack makes alarms of it, and docs/runbook.md has a section for each (a test compares). */
import type { MetricName } from '#shared/platform/metric-catalogue.ts';

/** `critical`: integrators or data suffer now, somebody is woken. `warning`: it must be looked at on the same day. */
export const SEVERITIES = ['critical', 'warning'] as const;
export type Severity = (typeof SEVERITIES)[number];

export type Statistic = 'Sum' | 'Maximum' | 'SampleCount' | 'p90' | 'p99';

/** What is watched. */
export type Watched =
  | { of: 'service'; metric: MetricName; dimensions: Readonly<Record<string, string>>; statistic: Statistic }
  /** Messages that lie in dead letters; `queue` is one of `DEAD_LETTERS`. */
  | { of: 'dead-letters'; queue: string }
  /** Share of requests that were answered 5xx, in percent, of at least `requestsMin` a period. */
  | { of: 'api-error-rate'; requestsMin: number }
  /** Requests that the gateway refused as too many: our own 429 is not among them. */
  | { of: 'gateway-throttles' }
  /** Requests' time at the gateway, milliseconds. */
  | { of: 'api-latency'; statistic: Statistic }
  /** Invocations refused, of the whole account: concurrency is the account's, none is reserved. */
  | { of: 'function-throttles' }
  /** Invocations that Lambda did not make because it took them for a loop, of the whole account. */
  | { of: 'dropped-recursions' }
  | { of: 'table-throttles'; what: 'Read' | 'Write'; index: boolean };

export interface Alarm {
  /** Construct id, and what the e-mail's subject begins with. */
  id: string;
  /** Heading of its section in docs/runbook.md; alarms that mean the same share one. */
  section: string;
  severity: Severity;
  /** One sentence: what is the matter when it rings. */
  says: string;
  watched: Watched;
  periodMinutes: number;
  /** It rings when so many periods in a row are out of bounds. */
  periods: number;
  /** In the metric's unit: out of bounds at it and above, or below it where `isBelow`. */
  threshold: number;
  isBelow?: boolean;
  /** Does silence mean that something is wrong? Else that nothing happened. */
  silenceRings?: boolean;
}
