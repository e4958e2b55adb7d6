/** Limits of webhooks (docs/decisions.md §8). */
export const WEBHOOK_LIMITS = {
  webhookEndpointsMax: 50,
  webhookAttemptsMax: 4,
  webhookRetryDelaysMs: [60_000, 1_800_000, 7_200_000],
  webhookConnectMs: 5_000,
  webhookAttemptMs: 20_000,
  /** Time that is left in an invocation when an attempt is claimed: for the request and for its outcome. */
  webhookAttemptReserveMs: 30_000,
  webhookAnswerBytesMax: 64 * 1024,
  webhookFailuresInRowMax: 20,
  webhookClaimMs: 60_000,
  /** Longest interval between the sweeper's reminders of a delivery whose message was lost. */
  webhookReminderMaxMs: 900_000,
  webhookInFlightPerEndpointMax: 5,
  /** Most attempts in flight for an endpoint whose last attempt timed out. */
  webhookInFlightPerSlowEndpointMax: 1,
  /**
   * A delivery that finds no free slot waits for half of the time that it already waited, within these bounds. SQS
   * delays by whole seconds.
   */
  webhookBusyWaitMs: 1_000,
  webhookBusyWaitMaxMs: 60_000,
  /** Minimum time between two success stamps on an endpoint. */
  webhookSuccessStampMs: 60_000,
  webhookUrlCharsMax: 2_048,
  /** Most attempts to decide an outcome if other workers change the endpoint in the meantime. */
  webhookChangeAttemptsMax: 10,
  /** Most attempts of a worker to claim a slot that seemed free. After that, the delivery waits. */
  webhookClaimAttemptsMax: 3,
  /**
   * A secret is cached for the same time as a data key (decisions.md §2). The number of cached secrets is the number
   * that a busy function needs in that time.
   */
  webhookSecretOpenMs: 300_000,
  webhookSecretsOpenMax: 200,
  /** A worker caches as many endpoints as it caches secrets. */
  webhookEndpointsKnownMax: 200,
  /**
   * Largest body that is sent in the message. The worker reads a larger body from the table. SQS accepts messages of 1
   * MiB; most bodies are below 1 KiB.
   */
  webhookBodyToldBytesMax: 16 * 1024,
  deliveriesListedMax: 1_000,
  /** Attempts that are shown of a delivery. Only resends make more than four. */
  webhookAttemptsShownMax: 10,
  /** Test deliveries per minute and organization. */
  webhookTestsPerMinute: 10,
} as const;
