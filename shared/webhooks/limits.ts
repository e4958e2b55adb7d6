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
} as const;
