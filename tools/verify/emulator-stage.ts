/**
 * The stage that is deployed to the emulator. It is `dev` with the institutions on loopback, sessions with a shared
 * secret in the parameter store, and webhooks to receivers on loopback. Everything else is as on AWS.
 */
import { NO_PACE, parseStage, type Stage, stageNamed } from '#infra/stages.ts';
import { SELF } from '#shared/platform/needs.ts';

export const SESSION_SECRET_PARAMETER = '/verify-deploy/session-secret';

/** Domain of a stage that has one. No resolver knows names under `invalid` (RFC 2606). */
export const DOMAIN_WITHOUT_DNS = 'data.invalid';

interface EmulatorSettings {
  tableGeneration?: number;
  /** True if the stage retains its data, as `prod` does, and has a domain. */
  isRetaining?: boolean;
}

const CERTIFICATE = 'arn:aws:acm:us-east-1:000000000000:certificate/11111111-1111-4111-8111-111111111111';

/** Returns the stage. @param sandboxes source code → base URL of its institution */
export const emulatorStage = (
  sandboxes: Readonly<Record<string, string>>,
  { tableGeneration = 1, isRetaining = false }: EmulatorSettings = {},
): Stage =>
  parseStage({
    ...stageNamed('dev'),
    name: 'emulator',
    tableGeneration,
    retainsData: isRetaining,
    domain: isRetaining ? { name: DOMAIN_WITHOUT_DNS, certificateArn: CERTIFICATE } : null,
    session: {
      algorithm: 'HS256',
      issuer: 'http://127.0.0.1/dev-issuer',
      audience: 'authenticated',
      secretParameter: SESSION_SECRET_PARAMETER,
    },
    publicOrigins: [SELF],
    sandbox: { session: null },
    signIn: 'session-token',
    sources: Object.fromEntries(Object.entries(sandboxes).map(([code, baseUrl]) => [code, { baseUrl, pace: NO_PACE }])),
    // Uses the concurrency of prod, because the stories would otherwise wait in queues.
    concurrency: stageNamed('prod').concurrency,
    syncStartsPerMinute: 600,
    readsPerMinute: 10_000,
    webhookLoopbackAllowed: true,
  });
