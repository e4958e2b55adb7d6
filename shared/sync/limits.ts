import { TABLE_LIMITS } from '#shared/table/limits.ts';

/** Limits of runs, tasks, logins and readings (docs/decisions.md §5, docs/architecture.md §5). */
export const SYNC_LIMITS = {
  syncStartsPerMinute: 60,
  openRunsPerConnectionMax: 20,
  runsListed: 10,
  /** Months in the coverage of a scope: thirty years, some 8 KB. */
  coveragePeriodsMax: 360,
  /** Tenders of one run and scope; the rest is told by a notice (decisions.md §5). */
  tendersPerRunMax: 1_000,
  leaseMs: 60_000,
  leaseRenewMs: 15_000,
  scopeAttemptsMax: 4,
  scopeMinutesMax: 60,
  /** A worker hands over to a new message when less is left of its invocation. */
  invocationMarginMs: 30_000,
  /**
   * What a sweep is to meet again falls due so long before the one that shall: a sweep takes time itself, and what fell
   * due milliseconds after the next began would wait for another.
   */
  sweepMarginMs: 10_000,
  /** Waiters looked at in one query by whoever gives something back: most lists hold one or two. */
  waitersReadAtOnce: 5,
  /** A waiter that nobody takes out goes after a day; its task is found by its due entry. */
  waiterHours: 24,
  /** How often a task that finds things changed while it begins to wait looks again, before it leaves that to others. */
  waitAttemptsMax: 5,
  retryBackoffSeconds: 5,
  retryBackoffMaxSeconds: 300,
  noticesPerScopeMax: 20,
  /** A message of a run's progress costs as much as a renewal of its lease. */
  progressEveryMs: 10_000,
  yieldEveryMs: 50,
  /** Login requests without a clear verdict, per run and, of credentials that were never accepted, per Santiago day. */
  unclearLoginsMax: 2,
  /** From a login that failed to the next one: most faults of an institution are over in seconds or in ten minutes. */
  loginPauseMs: 30_000,
  /** Of credentials that were never accepted: the second try of the day must not meet the fault of the first. */
  unprovenLoginPauseMs: 720_000,
  /** Passwords of a login that are told apart; the one unused for longest is forgotten. */
  credentialsPerLoginMax: 20,
  keptSessionMs: 90_000,
  /** A longer wait for a login's turn is not paid for: the work is handed over (docs/adr/0025). */
  paceWaitMsMax: 10_000,
  /** A pause that a session outlives: banks end idle ones after 300 seconds at the earliest (banks.md §3.1). */
  sessionRestMs: 60_000,
  /** A logout must fit into what is left of an invocation. */
  logoutMs: 10_000,
  /** How often a run is read again when others keep changing it: at most one writer per scope and the API. */
  runChangeAttemptsMax: 20,
  /** A running run is looked at so often, whatever its scopes do. */
  runCheckMs: 300_000,
} as const;

/** What the rules of a login are given (login.rules.ts). */
export const LOGIN_LIMITS = { ...SYNC_LIMITS, leaseMarginMs: TABLE_LIMITS.leaseMarginMs };
