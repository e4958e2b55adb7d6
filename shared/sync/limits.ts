import { TABLE_LIMITS } from '#shared/table/limits.ts';

/** Limits of runs, tasks, logins and readings (docs/decisions.md §5, docs/architecture.md §5). */
export const SYNC_LIMITS = {
  syncStartsPerMinute: 60,
  openRunsPerConnectionMax: 20,
  runsListed: 10,
  /** Months in the coverage of a scope: 30 years, about 8 KB. */
  coveragePeriodsMax: 360,
  /** Tenders of one run and scope; a notice reports the rest (decisions.md §5). */
  tendersPerRunMax: 1_000,
  leaseMs: 60_000,
  leaseRenewMs: 15_000,
  scopeAttemptsMax: 4,
  scopeMinutesMax: 60,
  /** A worker hands over to a new message when less time is left in its invocation. */
  invocationMarginMs: 30_000,
  /**
   * Due times that a sweep must find are set this much earlier. Without this margin, an entry due milliseconds after a
   * sweep starts waits for the following one.
   */
  sweepMarginMs: 10_000,
  /** Waiters read in one query when a lease or slot is released. Most lists hold one or two. */
  waitersReadAtOnce: 5,
  /** A waiter expires after a day. Its task is still found by its due entry. */
  waiterHours: 24,
  /**
   * How often a task that begins to wait checks again if the lease or slot changed, before other workers take over the
   * check.
   */
  waitAttemptsMax: 5,
  retryBackoffSeconds: 5,
  retryBackoffMaxSeconds: 300,
  noticesPerScopeMax: 20,
  /** Minimum time between two progress messages. One message costs as much as a lease renewal. */
  progressEveryMs: 10_000,
  yieldEveryMs: 50,
  /** Login requests without a clear verdict: per run, and for never accepted credentials also per Santiago day. */
  unclearLoginsMax: 2,
  /** Pause after a failed login: most faults of an institution last seconds or up to ten minutes. */
  loginPauseMs: 30_000,
  /**
   * Pause for credentials that were never accepted. It is longer than a usual fault, so that the second attempt of the
   * day does not meet the same one.
   */
  unprovenLoginPauseMs: 720_000,
  /** Passwords remembered per login. The one unused for longest is forgotten. */
  credentialsPerLoginMax: 20,
  keptSessionMs: 90_000,
  /** A longer wait for a call is not paid for: the task is handed over (docs/adr/0025). */
  paceWaitMsMax: 10_000,
  /**
   * A session survives a pause of this length: banks end idle sessions after 300 seconds at the earliest (banks.md
   * §3.1).
   */
  sessionRestMs: 60_000,
  /** Time limit of a logout, which must fit into the rest of an invocation. */
  logoutMs: 10_000,
  /** How often a run is read again after a conflict. Its writers are one worker per scope and the API. */
  runChangeAttemptsMax: 20,
  /** The sweeper checks a running run this often, in any state of its scopes. */
  runCheckMs: 300_000,
} as const;

/** Limits that the rules of a login need (login.rules.ts). */
export const LOGIN_LIMITS = { ...SYNC_LIMITS, leaseMarginMs: TABLE_LIMITS.leaseMarginMs };
