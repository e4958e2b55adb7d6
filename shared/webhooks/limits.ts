/** Limits of webhooks (docs/decisions.md §8). */
export const WEBHOOK_LIMITS = {
  webhookEndpointsMax: 50,
  webhookAttemptsMax: 4,
  webhookRetryDelaysMs: [60_000, 1_800_000, 7_200_000],
  webhookConnectMs: 5_000,
  webhookAttemptMs: 20_000,
  webhookAnswerBytesMax: 64 * 1024,
  webhookFailuresInRowMax: 20,
  webhookClaimMs: 60_000,
  /** Longest interval between the sweeper's reminders of a delivery whose message was lost. */
  webhookReminderMaxMs: 900_000,
  webhookInFlightPerEndpointMax: 5,
  /** Limit for an endpoint whose last attempt timed out. */
  webhookInFlightPerSlowEndpointMax: 1,
  /** Wait for a free slot: half of the time already waited, within these bounds. SQS delays by whole seconds. */
  webhookBusyWaitMs: 1_000,
  webhookBusyWaitMaxMs: 60_000,
  /** Minimum time between two success stamps on an endpoint. */
  webhookSuccessStampMs: 60_000,
  webhookUrlCharsMax: 2_048,
  /** How often an outcome is decided again if other workers change the endpoint in the meantime. */
  webhookChangeAttemptsMax: 10,
  /** How often a worker tries to claim a slot that seemed free, before it waits. */
  webhookClaimAttemptsMax: 3,
  /**
   * The same time as data keys are cached (decisions.md §2), and as many secrets as a busy function needs in that time.
   */
  webhookSecretOpenMs: 300_000,
  webhookSecretsOpenMax: 200,
  /** Endpoints that a worker caches: as many as secrets. */
  webhookEndpointsKnownMax: 200,
  /**
   * A larger body is not sent in the message but read from the table. SQS accepts messages of 1 MiB; most bodies are
   * below 1 KiB.
   */
  webhookBodyToldBytesMax: 16 * 1024,
  deliveriesListedMax: 1_000,
} as const;
