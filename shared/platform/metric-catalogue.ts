/**
 * Declares every metric of the service once. Functions write the metrics, and alarms, dashboard and docs/cost.md are
 * derived from them. No dimension may name an organization, a connection or a run: each value of a dimension is a
 * separately paid metric, and monitoring must not reveal whose data it is.
 */
export const SERVICE = 'data-connections';

/** Returns the namespace of a stage. It separates the stages within one account. */
export const metricNamespace = (stage: string): string => `${SERVICE}/${stage}`;

/** The party that must act after a scope ended. `unexpected`: the institution answered in an unknown form. */
export const SCOPE_CAUSES = ['none', 'owner', 'source', 'unexpected', 'us'] as const;
export type ScopeCause = (typeof SCOPE_CAUSES)[number];

/** Kinds of overdue items. `other` means stored sessions, dirty periods, purges and schedules. */
export const OVERDUE_KINDS = ['run', 'work', 'delivery', 'other'] as const;
export type OverdueKind = (typeof OVERDUE_KINDS)[number];

/**
 * The kind whose age every sweep reports even if nothing is overdue. The alarm `sweeper-silent` counts these reports.
 */
export const HEARTBEAT_KIND: OverdueKind = 'run';

export const METRICS = {
  RunsEnded: { unit: 'Count', dimensions: ['source', 'status'], says: 'runs that reached an end' },
  ScopesEnded: { unit: 'Count', dimensions: ['source', 'cause'], says: 'scopes that reached an end, by who must act' },
  ScopeDuration: {
    unit: 'Milliseconds',
    dimensions: ['scope'],
    says: 'time from the first lease of a scope to its outcome',
  },
  ScopeRetries: { unit: 'Count', dimensions: ['source'], says: 'attempts of a scope after a failed one' },
  RowsCreated: { unit: 'Count', dimensions: ['source'], says: 'rows that were new' },
  RowsUpdated: { unit: 'Count', dimensions: ['source'], says: 'rows whose content changed' },
  OldestDueAge: { unit: 'Seconds', dimensions: ['kind'], says: 'how long the oldest overdue item waits' },
  OverdueItems: { unit: 'Count', dimensions: ['kind'], says: 'overdue items that a sweep found' },
  SweepFailures: { unit: 'Count', dimensions: [], says: 'overdue items that could not be handled' },
  DeliveryLag: {
    unit: 'Milliseconds',
    dimensions: [],
    says: 'time from the due time of a webhook attempt to its start',
  },
  WebhookAttempts: { unit: 'Count', dimensions: ['outcome'], says: 'webhook attempts, by how they ended' },
  EndpointsDisabled: { unit: 'Count', dimensions: [], says: 'webhook endpoints disabled after failures in a row' },
  AgentCalls: { unit: 'Count', dimensions: ['tool'], says: 'tools that agents called' },
  AgentCallErrors: { unit: 'Count', dimensions: ['code'], says: 'such calls that ended in an error, by its code' },
  AccessTokensIssued: { unit: 'Count', dimensions: [], says: 'OAuth access tokens given to applications' },
  TokenReuse: { unit: 'Count', dimensions: [], says: 'codes and refresh tokens that were used a second time' },
  MessageFailures: { unit: 'Count', dimensions: ['worker'], says: 'messages that a worker returned to its queue' },
} as const satisfies Record<
  string,
  { unit: 'Count' | 'Seconds' | 'Milliseconds'; dimensions: readonly string[]; says: string }
>;

export type MetricName = keyof typeof METRICS;
export type Dimensions<N extends MetricName> = Record<(typeof METRICS)[N]['dimensions'][number], string>;
