import { TABLE_LIMITS } from '#shared/table/limits.ts';

/** Limits of runs, tasks, logins and readings (docs/decisions.md §5, docs/architecture.md §5). */
export const SYNC_LIMITS = {
  syncStartsPerMinute: 60,
  openRunsPerConnectionMax: 20,
  runsListed: 10,
  /** Most months in the coverage of a scope: 30 years, about 8 KB. */
  coveragePeriodsMax: 360,
  /** Connections whose coverage is read at once: some 40 MB of unpacked summaries of large companies. */
  coverageConnectionsAtOnce: 50,
  /** Most months of the coverage of many connections. With 200 connections, the answer stays below 5.5 MB. */
  coverageMonthsMax: 36,
  /** Months of the coverage of many connections if the caller names no first month. */
  coverageMonthsDefault: 12,
  /** Most tenders of one run and scope. A notice reports the number of tenders beyond the limit (decisions.md §5). */
  tendersPerRunMax: 1_000,
  leaseMs: 60_000,
  leaseRenewMs: 15_000,
  scopeAttemptsMax: 4,
  scopeMinutesMax: 60,
  /** If less time than this is left in its invocation, a worker hands its task over to a new message. */
  invocationMarginMs: 30_000,
  /**
   * Due times that a sweep must find are set this much earlier. Without this margin, an entry that is due milliseconds
   * after a sweep starts waits for the next sweep.
   */
  sweepMarginMs: 10_000,
  /** Waiters read in one query when a lease or slot is released. Most lists hold one or two waiters. */
  waitersReadAtOnce: 5,
  /** A waiter expires after a day. After that, the sweeper still finds the waiting task by the task's due entry. */
  waiterHours: 24,
  /**
   * A task that begins to wait checks at most this many times whether the lease or slot changed. After these checks,
   * the worker that releases the lease or slot, or the sweeper, wakes the task.
   */
  waitAttemptsMax: 5,
  /** Pause of a task that was handed over because AWS was busy until the margin of its lease. */
  busyHandOverMs: 10_000,
  retryBackoffSeconds: 5,
  retryBackoffMaxSeconds: 300,
  noticesPerScopeMax: 20,
  /** Most breaks in the balances of one month that a run and the coverage name. */
  breaksPerMonthMax: 10,
  /** Most rows of one month that a run remembers until a later month shows them: 36 bytes each. */
  notShownPerMonthMax: 100,
  /** Minimum time between two progress messages. One message costs as much as a lease renewal. */
  progressEveryMs: 10_000,
  yieldEveryMs: 50,
  /**
   * Bytes of raw answers of a month or tender from which its task needs an invocation for itself: 5,000 documents of a
   * file. Ten months of 7,000 that are read at the same time take 165 MiB.
   */
  sharedAnswerBytesMax: 2_000_000,
  /** Raw answers are stored in packs. The death of a worker costs the answers of at most one pack. */
  answersPerPackMax: 16,
  /** Size from which a pack is stored, before compression. */
  packBytes: 1_000_000,
  /** Age of its first answer from which a pack is stored, when the next answer arrives. */
  packMs: 30_000,
  /**
   * Most login requests without a clear verdict. The limit applies per run, and for credentials that were never
   * accepted also per Santiago day.
   */
  unclearLoginsMax: 2,
  /**
   * Most login requests of a run over all its scopes, with any verdict: each one may end a session of the owner.
   */
  loginsPerRunMax: 2,
  /**
   * A token may be renewed this often without being counted as a login. Bank two allows 10 token calls a minute
   * (banks.md §3.2).
   */
  renewalEveryMs: 6_000,
  /** Pause after a failed login: most faults of an institution last seconds or up to ten minutes. */
  loginPauseMs: 30_000,
  /**
   * Pause for credentials that were never accepted. The pause is longer than a usual fault, so that the second attempt
   * of the day does not meet the same fault.
   */
  unprovenLoginPauseMs: 720_000,
  /** Most passwords remembered per login. Beyond the limit, the password that was unused for longest is forgotten. */
  credentialsPerLoginMax: 20,
  keptSessionMs: 90_000,
  /**
   * Longest wait for a call inside an invocation. For a longer wait the task is handed over, because waiting would cost
   * compute time (docs/adr/0025).
   */
  paceWaitMsMax: 10_000,
  /**
   * A session survives a pause of this length. Banks end idle sessions after 300 seconds at the earliest (banks.md
   * §3.1).
   */
  sessionRestMs: 60_000,
  /**
   * A login stays reserved this long for a run that goes on: its next task begins within a minute, and its message takes
   * some seconds.
   */
  slotReservedMs: 75_000,
  /** Time limit of a logout, which must fit into the rest of an invocation. */
  logoutMs: 10_000,
  /** Most times that a run is read again after conflicts. The writers of a run are one worker per scope and the API. */
  runChangeAttemptsMax: 20,
  /** Time between two checks of a running run by the sweeper, which reports the run. Its scopes have due times of their own. */
  runCheckMs: 3_600_000,
} as const;

/** Limits that the rules of a login need (login.rules.ts). */
export const LOGIN_LIMITS = { ...SYNC_LIMITS, leaseMarginMs: TABLE_LIMITS.leaseMarginMs };
