/**
 * Limits that more than one file needs, or that an operator would look for. Those of a source's wire, of a scope's
 * parameters, and of one file alone lie beside their use.
 */
export const LIMITS = {
  // Requests (decisions.md §1).
  bodyBytesMax: 256 * 1024,
  nameCharsMax: 120,
  requestIdCharsMax: 128,
  idempotencyKeyCharsMax: 128,
  /** After so long a request in flight is taken for dead: twice what the gateway lets a function work. */
  idempotencyClaimMs: 60_000,
  /** A cookie holds 4 KiB with its name and attributes: a longer token could never come back. */
  sessionTokenCharsMax: 3_800,
  /** Scopes of one source at most: so many a request may name. */
  scopesPerSourceMax: 16,
  syncMetadataBytesMax: 16 * 1024,
  /** Shorter answers are not packed: a packet is a packet. */
  answerPackBytesMin: 1024,
  syncStartsPerMinute: 60,
  openRunsPerConnectionMax: 20,
  runsListed: 10,
  /** Of changes: a place for each scope takes some 100. */
  cursorCharsMax: 2_048,
  connectionsPerOrganizationMax: 1_000,
  /** How often a change of a connection is decided anew when others change it meanwhile. */
  connectionChangeAttemptsMax: 10,
  apiKeysPerOrganizationMax: 1_000,

  // Calls of AWS: a test compares the worst case with leases, hand-overs and the gateway's patience.
  awsConnectMs: 1_000,
  awsAttemptsMax: 3,
  /** A write that hangs must be given up before another may take its lease. */
  tableCallMs: 3_500,
  queueCallMs: 2_000,
  keyCallMs: 2_000,
  /** With its body: 64 MiB at most. */
  objectCallMs: 8_500,

  // Table (architecture.md §4).
  tableCollisionAttemptsMax: 8,
  tableUnprocessedAttemptsMax: 12,
  /** Requests in flight per writer: with 25 items each this saturates dynoxide on 2 cores and stays polite on AWS. */
  tableParallelMax: 8,
  /** Rows that one lane of a writer handles at a time: as many as one batch of puts holds. */
  rowsPerWrite: 25,
  /** Stored rows of a month that may become something else at once: a source corrects a few, and a dozen are a lie. */
  rewrittenRowsMax: 12,
  /** After so long the same reading is believed: a schedule of once a day heals what a lie stored on its next day. */
  rewrittenRowsStandHours: 20,
  /** The same where the stored rows were read a second time as they are: two words against one. */
  rewrittenConfirmedStandHours: 7 * 24,
  /** Refused rows of a month that are known again, 8 bytes each: the first ones stand for the others. */
  doubtedRowsMax: 8_000,
  /** Changed numbers of a month that are told once, 8 bytes each: an item may hold 400 KB. Others are told again. */
  toldNumbersMax: 40_000,
  /** Rows that wait to be written, per compressed block and before compression: some 40 documents. */
  waitingBlockChars: 64 * 1024,
  /** Rows of a block of the page index at least: less than so many are read before a page's first one. */
  indexStrideRows: 2,
  /**
   * Counts by day of one period in the summary, where they weigh more than its totals would: some 500 days. Documents of a
   * month are of its days and a few before.
   */
  summaryDaysBytesMax: 2 * 1024,
  /** Rows of a period that was written no later may come from any replica: those are mostly a second behind. */
  rowsSettledMs: 60_000,
  /** A reader that meets two versions of an index reads again. */
  indexReadAttemptsMax: 8,
  /** Queries and indexes that one page of changes asks for: isolated changes take one each, and a call ends in time. */
  changeReadsMax: 100,
  /** Indexes of a page of changes that are read together: a part of its reads, so that each page comes further. */
  changeIndexesAtOnce: 20,
  /** Packed index of one period and its stamps: an item may hold 400 KB, and both together take 350 KB. */
  indexBytesMax: 250 * 1024,
  indexStampsBytesMax: 100 * 1024,
  /** Stored rows of a month that a reading does not show, read for its totals one by one; above, rows are counted alone. */
  totalsRowsReadMax: 1_000,
  /** Groups of totals that are kept of a month: some 10 KB. */
  totalGroupsMax: 300,
  /** Of a month, told in its coverage: rows of a group that its source shows no more, by id; figures that differ. */
  notShownNamedMax: 10,
  differencesMax: 10,
  /** Months in the coverage of a scope: thirty years, some 8 KB. */
  coveragePeriodsMax: 360,
  /** Search index of a period, per item and before compression: an item may hold 400 KB. */
  searchPartBytesMax: 360 * 1024,
  /** Removals in the transaction that makes a new index valid: 100 items in all, less those of the index. */
  transactRemovesMax: 90,
  /** Rows that one transaction removes: each with its tombstone, and the check of the lease. */
  rowsRemovedAtOnce: 49,
  /** Rows that belong to a row (payments of a batch) in one item: about 8 KB compressed, two items a page. */
  childRowsPerItem: 100,
  /** Compressed raw rows above this go to the bucket alone. */
  rawRowBytesMax: 200 * 1024,
  /** NAME_MAX of the usual disks: of a file's name as it is downloaded. */
  fileNameBytesMax: 255,
  /** Rows of tenders above this lie compressed in their item. */
  tenderRowCharsMax: 32 * 1024,
  /** Of a name in the list of tenders `q` looks in so much. */
  tenderSearchCharsMax: 4_000,
  /** Tenders that `q` looks through: some 15 MB of entries; more is refused until the days are narrowed. */
  tendersSearchedMax: 50_000,
  /** A change of a tender's place in the list is decided anew while other connections' readings are quicker. */
  tenderListAttemptsMax: 10,
  /** How often an announcement of a change asks for the next number of its organization; then the sweeper announces. */
  tenderAnnouncementAttemptsMax: 10,
  /** Tenders of one run and scope; the rest is told by a notice (decisions.md §5). */
  tendersPerRunMax: 1_000,
  /** How long a link to a stored file may be followed: by a client that was just redirected to it. */
  signedUrlSeconds: 60,
  documentReadMs: 10_000,
  parameterReadMs: 5_000,

  // Engine (decisions.md §5, architecture.md §5).
  leaseMs: 60_000,
  leaseRenewMs: 15_000,
  /** Nobody takes a lease before so long after it ended; row writes stop so long before. */
  leaseMarginMs: 15_000,
  scopeAttemptsMax: 4,
  scopeMinutesMax: 60,
  /** A worker hands over to a new message when less is left of its invocation. */
  invocationMarginMs: 30_000,
  /** How long a sent message may take before the sweeper looks. */
  messageGraceMs: 60_000,
  /** As the contract of `sweep` says. */
  sweepEveryMs: 60_000,
  /**
   * What a sweep is to meet again falls due so long before the one that shall: a sweep takes time itself, and what fell
   * due milliseconds after the next began would wait for another.
   */
  sweepMarginMs: 10_000,
  /** The sweeper's reminders of overdue work grow from one sweep to so many. */
  reminderSweepsMax: 2,
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
  sweepItemsPerShardMax: 100,
  sweepParallelMax: 10,
  /** A step of a purge that is not heard of: longer than its invocation lasts. */
  purgeStepMs: 360_000,
  /** SQS refuses more; fauxqs would not, so that our own queue module checks it. */
  messageDelaySecondsMax: 900,
  /**
   * A worker that was taken over may still write so long: three times what its invocation may last. Then a deleted
   * connection is purged, and a period whose index somebody else made is looked at again.
   */
  lateWriteMs: 900_000,
  /** A period whose writer died is re-indexed by whoever takes the scope next; the sweeper looks after so long. */
  dirtyPeriodMs: 150_000,
  /** How often a run is read again when others keep changing it: at most one writer per scope and the API. */
  runChangeAttemptsMax: 20,
  /** A running run is looked at so often, whatever its scopes do. */
  runCheckMs: 300_000,

  // Schedules (decisions.md §6).
  /** One call of Scheduler: create and update, tried twice each, fit into an API function's 29 s. */
  schedulerCallMs: 3_000,
  schedulerAttemptsMax: 2,
  schedulerPutAttemptsMax: 3,
  scheduleSettleAttemptsMax: 5,
  /** Scheduler is compared with the table so often. */
  scheduleCheckMs: 86_400_000,
  /** Scheduler lists no more at a time. */
  schedulesPerPage: 100,
  schedulePagesPerSweepMax: 20,

  // Webhooks (decisions.md §8).
  webhookEndpointsMax: 50,
  webhookAttemptsMax: 4,
  webhookRetryDelaysMs: [60_000, 1_800_000, 7_200_000],
  webhookConnectMs: 5_000,
  webhookAttemptMs: 20_000,
  webhookAnswerBytesMax: 64 * 1024,
  webhookFailuresInRowMax: 20,
  webhookClaimMs: 60_000,
  /** The sweeper's reminders of a delivery whose message was lost grow up to this. */
  webhookReminderMaxMs: 900_000,
  webhookInFlightPerEndpointMax: 5,
  /** Of an endpoint whose last attempt timed out. */
  webhookInFlightPerSlowEndpointMax: 1,
  /** Wait for one of the places in flight: half of what it waited already, within these. SQS delays by whole seconds. */
  webhookBusyWaitMs: 1_000,
  webhookBusyWaitMaxMs: 60_000,
  /** A success is stamped on its endpoint at most so often. */
  webhookSuccessStampMs: 60_000,
  webhookUrlCharsMax: 2_048,
  /** How often an outcome is decided anew when others change the endpoint meanwhile. */
  webhookChangeAttemptsMax: 10,
  /** How often a worker asks for a place that it was refused though one had been free, before it waits. */
  webhookClaimAttemptsMax: 3,
  /** As long as data keys are cached (decisions.md §2), and no more than a busy function meets in that time. */
  webhookSecretOpenMs: 300_000,
  webhookSecretsOpenMax: 200,
  /** Endpoints that a worker knows without asking: as many as secrets. */
  webhookEndpointsKnownMax: 200,
  /** A larger body is read from the table. SQS takes messages of 1 MiB; most bodies have less than 1 KiB. */
  webhookBodyToldBytesMax: 16 * 1024,
  deliveriesListedMax: 1_000,

  // Sandbox of a stage (docs/adr/0009).
  /** The gateway gives up after 30 s; what is remembered must be written by then. */
  sandboxAnswerMs: 25_000,
  /** How often a request is answered anew when others with the same credential were quicker. */
  sandboxAttemptsMax: 10,
  /** Of a credential that nobody uses: afterwards the institution has never seen it. */
  sandboxMemoryDays: 7,

  // Agents (docs/adr/0034).
  /** What a tool answers, as JSON: an agent pays for every byte. */
  agentAnswerBytesMax: 8_192,
  /** Of a text that a third party wrote, in code points. */
  agentTextCharsMax: 200,
  /** Of the same where a single row would not fit. */
  agentShortTextCharsMax: 40,
  agentRowsMax: 50,
  agentRowsDefault: 20,
  agentConnectionsMax: 10,
  /** Of one month: some 10 MB of items, which the function reads in two seconds. */
  agentSummedRowsMax: 20_000,
  agentCallsPerMinute: 60,
  agentCallsPerOrganizationAndMinute: 300,
  /** Of a cursor: an offset and a digest. */
  agentCursorCharsMax: 64,
  /** A scope that no sync ended well for so long is told as stale: two days of the slowest schedule. */
  agentStaleHours: 48,
  /** Lists of tools, prompts and resources are the same for every caller, and change with a release alone. */
  agentListsSeconds: 3_600,

  // Files of the dashboard (docs/adr/0011).
  pageFilesParallelMax: 8,
  /** CloudFormation must hear of it well before the function ends. */
  deploymentAnswerMs: 10_000,
  /** An answer to CloudFormation holds 4 KB. */
  deploymentReasonCharsMax: 1_000,
  /** As many as S3 lists, and deletes, in one call. */
  objectsRemovedAtOnceMax: 1_000,
  /** What must be left of an invocation to remove another thousand and to answer. */
  emptyingReserveMs: 60_000,

  // Agents (docs/adr/0033).
  /** Of a form or a registration: a client's own words, a code, a token. */
  oauthBodyBytesMax: 16 * 1024,
  authorizationCodeMs: 60_000,
  accessTokenMs: 3_600_000,
  refreshTokenMs: 30 * 86_400_000,
  grantMs: 180 * 86_400_000,
  /** A client whose answer was lost, and processes that share a token, come again within these. */
  refreshGraceMs: 30_000,
  refreshSiblingsMax: 5,
  /** Of one grant. Each leaves two items, one for a month: a client that refreshes in a circle fills the table. */
  refreshesPerMinute: 30,
  /** A code that comes again so late is an unknown one; a grant whose code nobody redeemed goes as late. */
  spentCodeDays: 1,
  /** Grants that hold, and those that still may be redeemed. */
  grantsPerOrganizationMax: 200,
  revokedGrantDays: 30,
  /** How often a refresh or a redemption is decided anew when another request was quicker. */
  grantChangeAttemptsMax: 3,
  consentsPerMinute: 30,
  consentQueryCharsMax: 12_000,
  clientDocumentMs: 3_000,
  clientDocumentBytesMax: 8 * 1024,
  /** A document is believed as long as its server says, within these. */
  clientDocumentKeptMinMs: 300_000,
  clientDocumentKeptMaxMs: 86_400_000,
  /** One that could not be had is asked for again after so long. */
  clientDocumentFailedMs: 60_000,

  // Retention (decisions.md §9).
  retentionDays: 90,
  idempotencyHours: 24,
} as const;

/** For the TTL of whatever goes after the retention. */
export const RETENTION_SECONDS = LIMITS.retentionDays * 86_400;
