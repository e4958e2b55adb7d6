/** What is missing or stale of a connection, in words: code, who acts, what to do. Pure. */
import type { Connection } from '#shared/connections/connection.rules.ts';
import type { OutcomeNotice } from '#shared/sync/run.rules.ts';
import { ERROR_CATALOGUE } from '#shared/values/error-catalogue.ts';
import { NOTICE_CATALOGUE } from '#shared/values/notice-catalogue.ts';
import type { ScopeState } from './scope-states.rules.ts';

export type Who = 'owner' | 'source' | 'us' | 'nobody';

export interface Gap {
  /** Null: of the whole connection. */
  scope: string | null;
  /** A code of runs, of notices, or one of `OWN`. */
  code: string;
  who: Who;
  what_to_do: string;
  /** What the run said of this very case. */
  detail: string | null;
  /** When it was seen; null where no run tells. */
  since: string | null;
}

const OWN = {
  connection_disabled: ['owner', 'Enable the connection in the dashboard: until then nothing is synchronized.'],
  scope_not_enabled: ['owner', 'Enable this scope of the connection in the dashboard to have its data.'],
  never_synchronized: ['owner', 'Start a sync of the connection in the dashboard: nothing of this scope came in yet.'],
  sync_under_way: ['nobody', 'Ask again in some minutes: a sync of this scope is under way.'],
  stale: ['owner', 'Start a sync, or enable the schedule of the connection: newer rows may exist at the source.'],
} as const satisfies Record<string, readonly [Who, string]>;

const own = (scope: string | null, code: keyof typeof OWN, since: string | null = null): Gap => {
  const [who, what_to_do] = OWN[code];
  return { scope, code, who, what_to_do, detail: null, since };
};

const errorGap = (scope: string, code: string, detail: string | null, since: string): Gap => {
  const about = ERROR_CATALOGUE.find((each) => each.code === code);
  const what_to_do = about?.en ?? 'Look at the newest run in the dashboard.';
  return { scope, code, who: about?.mender ?? 'us', what_to_do, detail, since };
};

const noticeGap = (scope: string, { code, message }: OutcomeNotice, since: string): Gap => {
  const about = NOTICE_CATALOGUE.find((each) => each.code === code);
  const what_to_do = about ? `${about.en} ${about.todo}` : 'Look at the newest run in the dashboard.';
  return { scope, code, who: about?.mender ?? 'us', what_to_do, detail: message, since };
};

const isStale = ({ syncedAt }: ScopeState, nowMs: number, staleMs: number): boolean =>
  syncedAt === null || nowMs - Date.parse(syncedAt) > staleMs;

export interface Judged {
  connection: Pick<Connection, 'status' | 'syncedScopes' | 'enabledScopes'>;
  /** Those that agents read of the source, enabled or not → what the runs say. */
  scopes: Readonly<Record<string, ScopeState>>;
  nowMs: number;
  staleMs: number;
}

const gapsOfScope = (scope: string, state: ScopeState, { connection, nowMs, staleMs }: Judged): Gap[] => {
  if (!connection.enabledScopes.includes(scope)) return [own(scope, 'scope_not_enabled')];
  const gaps: Gap[] = state.isUnderWay ? [own(scope, 'sync_under_way')] : [];
  const { last } = state;
  if (last === null) {
    const isKnown = connection.syncedScopes.includes(scope);
    if (isKnown) return [...gaps, own(scope, 'stale')];
    return state.isUnderWay ? gaps : [...gaps, own(scope, 'never_synchronized')];
  }
  const { outcome, endedAt } = last;
  if (outcome.errorCode !== null) gaps.push(errorGap(scope, outcome.errorCode, outcome.errorMessage, endedAt));
  gaps.push(...outcome.notices.map((each) => noticeGap(scope, each, endedAt)));
  if (isStale(state, nowMs, staleMs) && connection.syncedScopes.includes(scope))
    gaps.push(own(scope, 'stale', state.syncedAt));
  else if (state.syncedAt === null && !connection.syncedScopes.includes(scope))
    gaps.push(own(scope, 'never_synchronized'));
  return gaps;
};

/** Of the connection first, then scope by scope. Empty: all that was asked for is here and fresh. */
export const gapsOf = (judged: Judged): Gap[] => [
  ...(judged.connection.status === 'disabled' ? [own(null, 'connection_disabled')] : []),
  ...Object.entries(judged.scopes).flatMap(([scope, state]) => gapsOfScope(scope, state, judged)),
];
