/** Decides what a person must do about a connection, and on which page. */
import type { Connection } from '../api/client.ts';
import { MONTHLY_SCOPES, NEEDS_CREDENTIALS } from '../connections/codes.gen.ts';
import { lastEndedMonth } from '../text/month.ts';

/** From the most severe: the first step of a company is shown for the company. */
const STEPS = ['approve', 'credentials', 'check', 'months', 'look', 'first', 'schedule'] as const;

const OPTIONAL: ReadonlySet<NextStep['kind']> = new Set(['look', 'first', 'schedule']);

/** Steps that a person may leave out: nothing is wrong. */
export const isOptional = ({ kind }: NextStep): boolean => OPTIONAL.has(kind);

export interface NextStep {
  kind: (typeof STEPS)[number];
  /** Code of `attention`; null for a step about months. */
  code: string | null;
  path: string;
}

const needsCredentials: ReadonlySet<string> = new Set(['connection.error', ...NEEDS_CREDENTIALS]);
const monthlyScopes: ReadonlySet<string> = new Set(MONTHLY_SCOPES);

/** True if some enabled scope is read by month, so that `last_complete_period` may be present. */
export const isReadByMonth = ({ external_source_code: source, enabled_scopes: scopes }: Connection): boolean =>
  scopes.some((scope) => monthlyScopes.has(`${source}.${scope}`));

const stepFor = (code: string): NextStep['kind'] => {
  if (code === 'connection.approval_pending') return 'approve';
  return needsCredentials.has(code) ? 'credentials' : 'check';
};

/** True if the last month that is over is known not to be complete, or its totals differ. */
export const isBehind = (connection: Connection, nowMs: number): boolean => {
  const { last_complete_period: last, status } = connection;
  return status !== 'disabled' && last !== undefined && last < lastEndedMonth(nowMs);
};

/**
 * A connection without `last_complete_period` has no complete month, or a sync is open and may rewrite the months. The
 * list cannot distinguish the two, so the step only leads to the months.
 */
const mayLackMonths = (connection: Connection): boolean =>
  connection.status === 'active' &&
  connection.last_complete_period === undefined &&
  connection.last_sync_status !== null &&
  isReadByMonth(connection);

/** True if no sync has ended yet. The list does not say whether one is under way. */
const isFirstSyncMissing = ({ status, last_sync_status: last }: Connection): boolean =>
  status === 'pending' && last === null;

/** True if the connection is synchronized only when somebody asks for it. */
const isUnscheduled = ({ status, sync_schedule_enabled: isScheduled }: Connection): boolean =>
  status === 'active' && !isScheduled;

/** Returns the most important step; null if there is nothing to do. */
export const findNextStep = (connection: Connection, nowMs: number): NextStep | null => {
  const page = `/connections/${connection.id}`;
  const [code] = connection.attention ?? [];
  if (code !== undefined) {
    const kind = stepFor(code);
    return { kind, code, path: kind === 'credentials' ? `${page}/credentials` : page };
  }
  if (isBehind(connection, nowMs)) return { kind: 'months', code: null, path: `${page}/coverage` };
  if (mayLackMonths(connection)) return { kind: 'look', code: null, path: `${page}/coverage` };
  if (isFirstSyncMissing(connection)) return { kind: 'first', code: null, path: page };
  return isUnscheduled(connection) ? { kind: 'schedule', code: null, path: page } : null;
};

/** A state of the list: the connection's status, or that it waits for an approval. */
export type ShownState = Connection['status'] | 'approve';
const FROM_WORST: readonly ShownState[] = ['approve', 'error', 'pending', 'active', 'disabled'];

export const findState = ({ attention = [], status }: Connection): ShownState =>
  attention.includes('connection.approval_pending') ? 'approve' : status;

/**
 * Returns what one line says of several connections: the worst state, the most severe step and the number of steps,
 * without optional ones.
 */
export const summarize = (
  connections: readonly Connection[],
  nowMs: number,
): { state: ShownState; step: NextStep | null; steps: number } => {
  const states = new Set(connections.map(findState));
  const steps = connections
    .flatMap((connection) => findNextStep(connection, nowMs) ?? [])
    .filter((step) => !isOptional(step));
  steps.sort((a, b) => STEPS.indexOf(a.kind) - STEPS.indexOf(b.kind));
  return {
    state: FROM_WORST.find((state) => states.has(state)) ?? 'disabled',
    step: steps[0] ?? null,
    steps: steps.length,
  };
};
