/**
 * Every alarm, derived from queues, sources and workers, so that each new queue, source or worker automatically gets
 * its alarms.
 */
import { DEAD_LETTERS, QUEUE_CONSUMERS } from '#infra/manifest.ts';
import { ALL_SCOPES } from '#infra/names.ts';
import { HEARTBEAT_KIND, type OverdueKind } from '#shared/platform/metric-catalogue.ts';
import { MANIFESTS } from '#shared/sources/manifests.gen.ts';
import type { Alarm, Severity } from './alarm.ts';

/** The two queues that every run and every webhook use; their dead letters are critical. */
const VITAL: ReadonlySet<string> = new Set(['sync-requests', 'webhook-deliveries']);

const deadLetters = (queue: string): Alarm => ({
  id: `dead-letters-${queue}`,
  section: `dead-letters-${queue}`,
  severity: VITAL.has(queue) ? 'critical' : 'warning',
  says: `A message of ${queue === ALL_SCOPES ? "a scope's queue" : queue} failed five times.`,
  watched: { of: 'dead-letters', queue },
  periodMinutes: 5,
  periods: 1,
  threshold: 1,
});

/**
 * Age in seconds above which due work raises the alarm. Work without a fault is at most six minutes old: the engine's
 * own limit is three minutes (decisions.md §5), the sweeper adds at most one minute, and reminders for a full queue are
 * at most two minutes apart.
 */
const OVERDUE_SECONDS = 600;

const overdue = (kind: OverdueKind, name: string, severity: Severity): Alarm => ({
  id: `overdue-${name}`,
  section: `overdue-${name}`,
  severity,
  says: `The oldest of the overdue ${name} waits for more than ten minutes.`,
  watched: { of: 'service', metric: 'OldestDueAge', dimensions: { kind }, statistic: 'Maximum' },
  periodMinutes: 5,
  periods: 1,
  threshold: OVERDUE_SECONDS,
});

const SWEEPER_SILENT: Alarm = {
  id: 'sweeper-silent',
  section: 'sweeper-silent',
  severity: 'critical',
  says: 'No sweep has finished for ten minutes: lost messages are not recovered.',
  watched: { of: 'service', metric: 'OldestDueAge', dimensions: { kind: HEARTBEAT_KIND }, statistic: 'SampleCount' },
  periodMinutes: 5,
  periods: 2,
  threshold: 1,
  isBelow: true,
  silenceRings: true,
};

/** The sweeper tries an item whose handling always fails every 16 minutes, three times an hour. */
const SWEEP_FAILURES: Alarm = {
  id: 'sweep-failures',
  section: 'sweep-failures',
  severity: 'warning',
  says: 'Overdue items cannot be processed.',
  watched: { of: 'service', metric: 'SweepFailures', dimensions: {}, statistic: 'Sum' },
  periodMinutes: 60,
  periods: 1,
  threshold: 3,
};

/** Watches the 90th percentile, because a slow receiver delays only its own deliveries and must not raise the alarm. */
const DELIVERY_LAG: Alarm = {
  id: 'delivery-lag',
  section: 'delivery-lag',
  severity: 'critical',
  says: 'One webhook attempt of ten leaves more than a minute late.',
  watched: { of: 'service', metric: 'DeliveryLag', dimensions: {}, statistic: 'p90' },
  periodMinutes: 5,
  periods: 3,
  threshold: 60_000,
};

const API_ALARMS: readonly Alarm[] = [
  {
    id: 'api-error-rate',
    section: 'api-error-rate',
    severity: 'critical',
    says: 'More than one request of a hundred is answered 5xx.',
    watched: { of: 'api-error-rate', requestsMin: 20 },
    periodMinutes: 5,
    periods: 2,
    threshold: 1,
  },
  {
    id: 'api-latency',
    section: 'api-latency',
    severity: 'warning',
    says: 'One request of a hundred takes more than three seconds.',
    watched: { of: 'api-latency', statistic: 'p99' },
    periodMinutes: 5,
    periods: 3,
    threshold: 3_000,
  },
];

const tableThrottles = (what: 'Read' | 'Write', index: boolean): Alarm => ({
  id: `table-throttles-${index ? 'due-index-' : ''}${what.toLowerCase()}`,
  section: 'table-throttles',
  severity: 'warning',
  says: `${what}s of the ${index ? 'index of due items' : 'table'} are throttled.`,
  watched: { of: 'table-throttles', what, index },
  periodMinutes: 5,
  periods: 2,
  threshold: 10,
});

/** A firing is given up after 30 minutes of refusals, so one is no coincidence (`RetryPolicy` of the schedules). */
const DROPPED_FIRINGS: Alarm = {
  id: 'dropped-firings',
  section: 'dropped-firings',
  severity: 'critical',
  says: 'Scheduler gave up a firing: scheduled syncs do not start.',
  watched: { of: 'dropped-firings' },
  periodMinutes: 5,
  periods: 1,
  threshold: 1,
};

const THROTTLES: readonly Alarm[] = [
  // The alarm needs ten minutes of refused requests, so a single burst wakes nobody. The gateway's limit is far above
  // the service's own limit (decisions.md §1).
  {
    id: 'gateway-throttles',
    section: 'gateway-throttles',
    severity: 'critical',
    says: 'The gateway refuses requests of all clients as too many.',
    watched: { of: 'gateway-throttles' },
    periodMinutes: 5,
    periods: 2,
    threshold: 10,
  },
  {
    id: 'function-throttles',
    section: 'function-throttles',
    severity: 'critical',
    says: 'The account has no concurrency left: invocations are refused.',
    watched: { of: 'function-throttles' },
    periodMinutes: 5,
    periods: 2,
    threshold: 1,
  },
  {
    id: 'dropped-recursions',
    section: 'dropped-recursions',
    severity: 'critical',
    says: 'Lambda took a chain of messages for an endless loop and cut it.',
    watched: { of: 'dropped-recursions' },
    periodMinutes: 5,
    periods: 1,
    threshold: 1,
  },
  ...[false, true].flatMap((index) => (['Read', 'Write'] as const).map((what) => tableThrottles(what, index))),
];

/**
 * Three failed scopes of a source within an hour raise the alarm: they are no coincidence, because a scope fails only
 * after four attempts.
 */
const ofSource = (code: string): Alarm[] =>
  (
    [
      ['us', 'internal-faults', 'end for a fault of ours'],
      ['unexpected', 'unexpected-answers', 'meet answers that we do not understand'],
    ] as const
  ).map(([cause, section, says]) => ({
    id: `${section}-${code}`,
    section,
    severity: 'warning',
    says: `Scopes of ${code} ${says}.`,
    watched: { of: 'service', metric: 'ScopesEnded', dimensions: { source: code, cause }, statistic: 'Sum' },
    periodMinutes: 60,
    periods: 1,
    threshold: 3,
  }));

const WORKERS = [...new Set(QUEUE_CONSUMERS.map(({ consumer }) => consumer.contract.id))];

const messageFailures = (worker: string): Alarm => ({
  id: `message-failures-${worker}`,
  section: 'message-failures',
  severity: 'warning',
  says: `${worker} returns messages to its queue.`,
  watched: { of: 'service', metric: 'MessageFailures', dimensions: { worker }, statistic: 'Sum' },
  periodMinutes: 15,
  periods: 1,
  threshold: 10,
});

/**
 * The severity is `warning`, because the grant is already revoked when the alarm fires. The person whose token was
 * stolen may still need to be informed.
 */
const TOKEN_REUSE: Alarm = {
  id: 'token-reuse',
  section: 'token-reuse',
  severity: 'warning',
  says: 'A code or refresh token of an application was used a second time: its grant was revoked.',
  watched: { of: 'service', metric: 'TokenReuse', dimensions: {}, statistic: 'Sum' },
  periodMinutes: 5,
  periods: 1,
  threshold: 1,
};

export const ALARMS: readonly Alarm[] = [
  ...DEAD_LETTERS.map(deadLetters),
  overdue('run', 'runs', 'critical'),
  overdue('work', 'scopes', 'critical'),
  overdue('delivery', 'deliveries', 'critical'),
  overdue('other', 'chores', 'warning'),
  SWEEPER_SILENT,
  SWEEP_FAILURES,
  DELIVERY_LAG,
  TOKEN_REUSE,
  DROPPED_FIRINGS,
  ...API_ALARMS,
  ...THROTTLES,
  ...WORKERS.map(messageFailures),
  ...MANIFESTS.filter(({ isActive }) => isActive).flatMap(({ code }) => ofSource(code)),
];
