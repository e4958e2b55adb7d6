/**
 * Checks whether the service could have given an answer: relations between fields that no schema expresses, such as
 * statuses and their times, attempts, pages, months, sums. Each rule recognizes its objects by their keys, at any
 * depth.
 */

import { santiagoDay } from '#shared/values/dates.ts';
import { WEBHOOK_LIMITS } from '#shared/webhooks/limits.ts';
import { mediaOf, type Operation } from './description.ts';

// biome-ignore lint/suspicious/noExplicitAny: examples of every schema
type Any = any;

const FINAL = ['succeeded', 'partial', 'failed', 'cancelled'];
const DONE = ['ok', 'partial', 'failed', 'cancelled'];
const PAGE_ROWS = 50;

/** Sentence → whether it is true of the value. */
type Claims = Readonly<Record<string, boolean>>;
const untrue = (claims: Claims): string[] => Object.keys(claims).filter((sentence) => !claims[sentence]);

const inOrder = (...moments: (string | null)[]): boolean => {
  const known = moments.filter((moment) => moment !== null);
  return known.every((moment, at) => at === 0 || known[at - 1]! <= moment);
};

const endOf = (statuses: readonly string[]): string => {
  if (statuses.includes('cancelled')) return 'cancelled';
  if (statuses.every((status) => status === 'ok')) return 'succeeded';
  return statuses.some((status) => status === 'ok' || status === 'partial') ? 'partial' : 'failed';
};

const runClaims = (run: Any): Claims => {
  const isFinal = FINAL.includes(run.status);
  const statuses = run.scope_outcomes.map(({ status }: Any) => status);
  const sum = run.scope_outcomes.reduce((all: number, { records_found }: Any) => all + (records_found ?? 0), 0);
  return {
    'one outcome for each scope': run.scope_outcomes.map(({ scope }: Any) => scope).join() === run.scopes.join(),
    'it has an end when it is over': isFinal === (run.finished_at !== null),
    'it reports progress until it ends': isFinal === (run.progress === null),
    'it ends as its scopes ended': !isFinal || run.status === endOf(statuses),
    'no scope is at work when it is over': !isFinal || statuses.every((status: string) => DONE.includes(status)),
    'created, started, finished': inOrder(run.created_at, run.started_at, run.finished_at),
    'it was begun before it was queued no more': run.status === 'queued' || isFinal || run.started_at !== null,
    'its fault is one of a scope':
      run.error_code === null || run.scope_outcomes.some(({ error_code }: Any) => error_code === run.error_code),
    'nothing succeeded with a fault': run.status !== 'succeeded' || run.error_code === null,
    'it found what its scopes found': run.records_found === null || run.records_found === sum,
    'it changed no more than it found': run.records_created + run.records_updated <= (run.records_found ?? 0),
  };
};

const outcomeClaims = (outcome: Any): Claims => ({
  'a scope that is ok has no fault': outcome.status !== 'ok' || outcome.error_code === null,
  'a scope that failed has a fault': outcome.status !== 'failed' || outcome.error_code !== null,
  'a fault comes with words': (outcome.error_code === null) === (outcome.error_message === null),
  'the newest of its months': outcome.periods.length === 0 || outcome.period === outcome.periods.toSorted().at(-1),
  'a scope that is over took some time': outcome.status !== 'ok' || outcome.duration_ms !== null,
});

const keyClaims = (key: Any): Claims => ({
  'revoked, and since when': (key.status === 'revoked') === (key.revoked_at !== null),
  'created, then revoked': inOrder(key.created_at, key.revoked_at),
  'created, then expires': inOrder(key.created_at, key.expires_at),
  'shown by its beginning': key.key === undefined || key.key.startsWith(key.display_prefix),
});

const grantClaims = (grant: Any): Claims => ({
  'revoked, since when and by whom':
    (grant.status === 'revoked') === (grant.revoked_at !== null) &&
    (grant.revoked_at === null) === (grant.revoked_for === null),
  'created, used, revoked':
    inOrder(grant.created_at, grant.last_used_at) && inOrder(grant.created_at, grant.revoked_at),
  'created, then expires': inOrder(grant.created_at, grant.expires_at),
});

const reviewClaims = (review: Any): Claims => ({
  'asked with a digest, or sent back': (review.kind === 'consent') === (review.digest !== null && review.to === null),
  'a scope where somebody is asked': (review.kind === 'consent') === (review.scope !== null),
});

const connectionClaims = (connection: Any): Claims => ({
  'scopes as enabled': connection.scopes.map(({ name }: Any) => name).join() === connection.enabled_scopes.join(),
  'their data at this connection': connection.scopes.every(
    ({ data_url }: Any) => data_url === null || data_url.includes(connection.id) || data_url.includes('/procurement/'),
  ),
  'pending until a sync ended': connection.status !== 'pending' || connection.last_sync_status === null,
  'a schedule has a frequency': !connection.sync_schedule_enabled || connection.sync_frequency_minutes !== null,
  'what is scheduled has a next time':
    connection.status === 'disabled' ||
    connection.sync_schedule_enabled === (connection.next_scheduled_sync_at !== null),
  'what succeeded last succeeded once':
    connection.last_sync_status !== 'succeeded' || connection.last_successful_sync_at !== null,
});

const scheduleClaims = (schedule: Any): Claims => ({
  'on has a frequency': !schedule.enabled || schedule.frequency_minutes !== null,
  'on has a next time': schedule.enabled === (schedule.next_scheduled_sync_at !== null),
});

const endpointClaims = (endpoint: Any): Claims => ({
  'disabled, and since when': endpoint.enabled === (endpoint.disabled_at === null),
  'disabled for a reason': !endpoint.enabled || endpoint.disabled_reason === null,
  'created, then succeeded': inOrder(endpoint.created_at, endpoint.last_success_at),
});

const deliveryClaims = (delivery: Any): Claims => {
  const isReceived = delivery.response_status >= 200 && delivery.response_status < 300;
  return {
    'delivered by an answer 2xx':
      (delivery.status === 'delivered') === (delivery.response_status !== null && isReceived),
    'failed after every attempt':
      delivery.status !== 'failed' || delivery.test || delivery.attempts >= WEBHOOK_LIMITS.webhookAttemptsMax,
    'tried, and when': delivery.attempts > 0 === (delivery.last_attempt_at !== null),
    'created, then tried': inOrder(delivery.created_at, delivery.last_attempt_at),
    'an error in words unless delivered': delivery.status !== 'delivered' || delivery.error === null,
    'failed with a reason': delivery.status !== 'failed' || delivery.error !== null,
  };
};

const pageClaims = ({ data, pagination: { total, limit, offset, has_more } }: Any): Claims => ({
  'a page contains the rows of its offset': data.length === Math.max(0, Math.min(limit, total - offset)),
  'more where there are more': has_more === offset + data.length < total,
});

const eventClaims = ({ type, timestamp, data }: Any): Claims => {
  const statuses = data.scopeOutcomes.map(({ status }: Any) => status);
  return {
    'named by how it ended': type === `sync.${data.status}`,
    'it ends as its scopes ended': data.status === endOf(statuses),
    'one outcome for each scope': data.scopeOutcomes.map(({ scope }: Any) => scope).join() === data.scopes.join(),
    'a fault unless it succeeded': (data.errorCode === undefined) === (data.status === 'succeeded'),
    'it has a time': !Number.isNaN(Date.parse(timestamp)),
  };
};

const dayOf = (row: Any): string | undefined => {
  if (row.transferred_at) return santiagoDay(Date.parse(row.transferred_at));
  return row.fecha_contable ?? row.fecha_movimiento ?? row.nomina_date ?? row.date;
};
const pesos = (amount: string): number => Number(amount);

const rowClaims = (row: Any): Claims => ({
  'its day is in its month': dayOf(row) === undefined || dayOf(row)!.startsWith(row.period),
  'money out is issued':
    row.saldo_contable === undefined ||
    row.direction === undefined ||
    pesos(row.amount) < 0 === (row.direction === 'issued'),
  // For documents without other taxes, as in the examples.
  'its amounts add up':
    row.exempt_amount === undefined ||
    pesos(row.net_amount) + pesos(row.exempt_amount) + pesos(row.vat_amount) === pesos(row.total_amount),
});

const isOther = ({ institution, ours }: Any): boolean =>
  institution !== null && ours !== null && Number(institution) !== Number(ours);

const coverageClaims = (month: Any): Claims => ({
  'what is whole was read': month.state !== 'complete' || month.as_of !== null,
  'what is not whole has a reason': month.state === 'complete' || month.reason !== null,
  'differences are listed': !month.differences || (month.verdict === 'differs') === month.differences.length > 0,
});

const totalsClaims = ({ rows, groups }: Any): Claims => ({
  'the groups have all rows': groups.reduce((sum: number, group: Any) => sum + group.rows, 0) === rows,
});

const groupClaims = ({ verdict, figures }: Any): Claims => ({
  'a group differs by a figure': (verdict === 'differs') === figures.some(isOther),
});

const figureClaims = ({ institution, ours, difference }: Any): Claims => ({
  'a difference is one': Number(difference) !== 0 && Number(ours) - Number(institution) === Number(difference),
});

const KINDS: readonly (readonly [keys: readonly string[], claims: (value: Any) => Claims])[] = [
  [['scope_outcomes', 'trigger'], runClaims],
  [['scope', 'records_found'], outcomeClaims],
  [['display_prefix'], keyClaims],
  [['client_id', 'revoked_for'], grantClaims],
  [['digest', 'redirect_host'], reviewClaims],
  [['enabled_scopes', 'sync_schedule_enabled'], connectionClaims],
  [['enabled', 'frequency_minutes', 'next_scheduled_sync_at'], scheduleClaims],
  [['event_types', 'disabled_at'], endpointClaims],
  [['event_type', 'attempts'], deliveryClaims],
  [['data', 'pagination'], pageClaims],
  [['type', 'timestamp', 'data'], eventClaims],
  [['id', 'period'], rowClaims],
  [['state', 'verdict', 'as_of'], coverageClaims],
  [['rows', 'groups'], totalsClaims],
  [['group', 'verdict', 'figures'], groupClaims],
  [['group', 'figure', 'difference'], figureClaims],
];

const within = (value: Any, at: string): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  const own = Array.isArray(value)
    ? []
    : KINDS.filter(([keys]) => keys.every((key) => key in value)).flatMap(([, claims]) => untrue(claims(value)));
  return [
    ...own.map((sentence) => `${at}: ${sentence}`),
    ...Object.entries(value).flatMap(([key, each]) => within(each, `${at}.${key}`)),
  ];
};

/** Relations between an answer and the request of the same operation. */
const ANSWERS: Readonly<Record<string, (answer: Any, request: Any) => Claims>> = {
  createApiKey: ({ data }, request) => ({
    'a new key works': data.status === 'active',
    'a new key was never used': data.last_used_at === null,
    'by the name it was given': data.name === request.name,
  }),
  revokeApiKey: ({ data }) => ({ 'it is revoked': data.status === 'revoked' }),
  revokeGrant: ({ data }) => ({ 'a person revoked it': data.status === 'revoked' && data.revoked_for === 'person' }),
  decideAuthorization: ({ data }, request) => ({
    'the application learns what was decided':
      new URL(data.redirect_to).searchParams.get('error') === (request.decision === 'deny' ? 'access_denied' : null),
    'its state comes back':
      new URL(data.redirect_to).searchParams.get('state') === new URLSearchParams(request.query).get('state'),
  }),
  createConnection: (answer, request) => ({
    'a new connection is pending': answer.status === 'pending',
    'a new connection has no schedule': !answer.sync_schedule_enabled && answer.sync_frequency_minutes === null,
    'nothing succeeded yet': answer.last_successful_sync_at === null && answer.last_sync_status === null,
    'as it was asked for':
      answer.name === request.name &&
      answer.external_source_code === request.external_source_code &&
      answer.enabled_scopes.join() === request.enabled_scopes.join(),
  }),
  updateConnection: ({ data }, request) => ({ 'as it was asked for': data.name === request.name }),
  setSchedule: ({ data }, request) => ({
    'as it was asked for': data.enabled === request.enabled && data.frequency_minutes === request.frequency_minutes,
  }),
  startSync: (answer, request) => ({
    'it waits for its turn': answer.status === 'queued',
    'as it was asked for': answer.scopes.join() === request.scopes.join(),
  }),
  cancelSyncRun: ({ data }) => ({ 'it is cancelled': data.status === 'cancelled' }),
  createWebhook: ({ data }, request) => ({
    'a new endpoint is enabled': data.enabled,
    'a new endpoint got nothing yet': data.last_success_at === null,
    'as it was asked for': data.url === request.url && data.event_types.join() === request.event_types.join(),
  }),
  updateWebhook: ({ data }, request) => ({ 'as it was asked for': data.url === request.url }),
  testWebhook: ({ data }) => ({ 'it is a test that waits': data.test && data.status === 'pending' }),
  resendWebhookDelivery: ({ data }) => ({ 'it is tried again': ['pending', 'delivering'].includes(data.status) }),
};

const isMonths = (data: Any): boolean => Array.isArray(data) && data.every((month: Any) => /^\d{4}-\d\d$/.test(month));

const listClaims = ({ method, parameters = [], path }: Operation, answer: Any): Claims => {
  // Without `limit` this list has no pages.
  const isPaged = method === 'GET' && path !== '/connections' && parameters.some(({ name }) => name === 'offset');
  return {
    'a paged list describes its page': !isPaged || answer.pagination !== undefined,
    'a page is no larger than asked for': !isPaged || answer.data.length <= (answer.pagination?.limit ?? PAGE_ROWS),
    'months, newest first':
      !path.endsWith('/periods') ||
      (isMonths(answer.data) && answer.data.join() === [...new Set(answer.data)].toSorted().toReversed().join()),
  };
};

/** Why the service could not have given this answer, in words; empty if it could. */
export const answerFaults = (operation: Operation, answer: unknown): string[] => {
  const request = mediaOf(operation.requestBody)?.example;
  const own = ANSWERS[operation.id]?.(answer, request) ?? {};
  return [...untrue(own), ...untrue(listClaims(operation, answer)), ...within(answer, operation.id)];
};

/** The same check for an event. */
export const eventFaults = (event: unknown): string[] => within(event, 'event');
