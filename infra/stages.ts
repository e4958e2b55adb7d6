/**
 * The settings in which stages differ: the only file that an operator edits before a first deploy. Synth validates the
 * settings. Stacks read only the validated stage, neither environment variables nor files.
 */
import * as z from 'zod';
import { SELF } from '#shared/platform/needs.ts';
import { MANIFESTS } from '#shared/sources/manifests.gen.ts';
import { Concurrency } from './concurrency-settings.ts';
import { Session } from './session-settings.ts';
import { SignIn } from './sign-in-settings.ts';
import { WarmThroughput } from './warm-throughput-settings.ts';

const isOrigin = (text: string): boolean =>
  text === SELF || (/^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text);

/** True for an https address, and also for plain http to this machine if a test or the local stage permits it. */
const maySpeakTo = (baseUrl: string, isLoopbackAllowed: boolean): boolean => {
  const { protocol, hostname } = new URL(baseUrl);
  const isLoopback = /^(?:localhost|\[::1\]|127(?:\.\d{1,3}){3})$/.test(hostname);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback && isLoopbackAllowed);
};

const SourceOverride = z.strictObject({
  baseUrl: z.url().optional(),
  pace: z.strictObject({ callDelayMs: z.int().min(0), callsMax: z.int().min(0), windowMs: z.int().min(0) }).optional(),
});

/** Redirect address with the scheme of an app; schemes that a browser executes or a website uses are rejected. */
const AppRedirectUri = z
  .string()
  .regex(/^(?!(?:https?|javascript|data|vbscript|file|blob|about|filesystem):)[a-z][a-z0-9+.-]*:\/\/[\x21-\x7e]+$/)
  .refine((uri) => URL.canParse(uri) && !/[#\\@]/.test(uri), 'appRedirectUris: an address of an app, no fragment');

/** Redirect address that Cursor needs (docs/adr/0033). */
const CURSOR = 'cursor://anysphere.cursor-mcp/oauth/callback';

/**
 * A stage's name contains no dash, because in a queue's name a dash separates the stage's name from the rest. It is
 * short enough for the longest queue name.
 */
const STAGE_NAME = /^[a-z][a-z0-9]{1,11}$/;

export const isStageName = (name: string): boolean => STAGE_NAME.test(name);
const Stage = z
  .strictObject({
    /** `emulator` is a stage on an emulator of AWS on this machine, created only by `npm run verify:deploy`. */
    name: z.string().regex(STAGE_NAME, 'a stage is named with 2 to 12 small letters and digits, a letter first'),
    /** CloudWatch accepts only these numbers of days. */
    logRetentionDays: z.literal([1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365]),
    /**
     * True if table, buckets and keys survive their stack. The table is then protected from deletion, and so is every
     * stack after a deploy by `deploy:stage` that succeeded.
     */
    retainsData: z.boolean(),
    /** Generation in the name of the current table. A restored table gets the next generation (docs/runbook.md). */
    tableGeneration: z.int().min(1).default(1),
    /**
     * True if the data stack no longer manages the previous table. An operator sets this after the import of a restored
     * table, because an import must be the only change of its deploy.
     */
    leavesFormerTable: z.boolean().default(false),
    /** Null for a table that starts as AWS starts it. */
    warmThroughput: WarmThroughput.nullable().default(null),
    /** Limits of the gateway, above our own limits, because the gateway's 429 lacks our envelope (decisions.md §1). */
    throttling: z.strictObject({ requestsPerSecond: z.int().min(1), burstRequests: z.int().min(1) }),
    /** True if X-Ray records requests and webhooks in addition to syncs, but never the sweeper (docs/adr/0022). */
    tracesRequests: z.boolean(),
    session: Session,
    /**
     * Origins whose pages may send unsafe requests with the session cookie. `self` means the dashboard's own origin, as
     * the browser reports it; browsers before 2023 do not report it (docs/adr/0012).
     */
    publicOrigins: z.array(z.string().refine(isOrigin, 'publicOrigins: self, or scheme and host without a path')),
    signIn: SignIn,
    /** Domain of the dashboard, with a certificate of us-east-1; null for a name that CloudFront assigns. */
    domain: z
      .strictObject({
        name: z.hostname(),
        certificateArn: z.string().regex(/^arn:aws:acm:us-east-1:\d{12}:certificate\//, 'domain.certificateArn'),
      })
      .nullable(),
    /** Code of a source → base URL or pace that replaces the manifest's value. */
    sources: z.record(z.string(), SourceOverride),
    concurrency: Concurrency,
    syncStartsPerMinute: z.int().min(1),
    readsPerMinute: z.int().min(1),
    /** E-mail addresses for alarms, and the address of the runbook, to which `#<section>` is appended. */
    alarms: z.strictObject({
      emails: z.strictObject({ critical: z.email().nullable(), warning: z.email().nullable() }),
      runbookUrl: z.string().min(1),
    }),
    /** Where a stranger reports a vulnerability: the contact in `/.well-known/security.txt`. */
    securityContact: z
      .string()
      .regex(/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, 'securityContact: mailto: or https:'),
    /** Budget for everything with the stage's tag; null for none. The warning goes to the topic of warnings. */
    budget: z.strictObject({ dollarsAMonth: z.number().min(1) }).nullable(),
    /**
     * Null if the stage refuses simulated institutions. Otherwise it may be deployed with `-c sandbox=true`
     * (docs/adr/0009) and then uses the `session` of this object, or the stage's own `session` if this object's
     * `session` is null.
     */
    sandbox: z.strictObject({ session: Session.nullable() }).nullable(),
    /**
     * Redirect addresses that agents' applications may use in addition to https and loopback addresses. Addresses are
     * compared character by character.
     */
    appRedirectUris: z.array(AppRedirectUri).default([CURSOR]),
    /** True if webhooks may be sent to literal loopback addresses. */
    webhookLoopbackAllowed: z.boolean(),
  })
  .superRefine((stage, context) => {
    const refuse = (message: string, ...path: string[]) => context.addIssue({ code: 'custom', message, path });
    const isLocal = stage.name === 'local';
    if (stage.session.algorithm === 'HS256' && (stage.session.secretParameter === null) !== isLocal) {
      refuse('a deployed stage needs a parameter name, the local one none', 'session', 'secretParameter');
    }
    const sandboxSession = stage.sandbox?.session;
    if (sandboxSession?.algorithm === 'HS256' && sandboxSession.secretParameter === null) {
      refuse('a deployed stage needs a parameter name', 'sandbox', 'session', 'secretParameter');
    }
    if (stage.name === 'prod' && stage.sandbox !== null) {
      refuse('customer data must never come from a simulated institution', 'sandbox');
    }
    if (stage.signIn === null && !isLocal) refuse('nobody could sign in at the dashboard', 'signIn');
    if (stage.webhookLoopbackAllowed && !isLocal && stage.name !== 'emulator')
      refuse('only the local stage may allow this', 'webhookLoopbackAllowed');
    for (const origin of stage.publicOrigins.filter((each) => !isLocal && each.startsWith('http:')))
      refuse(`${origin} is not https`, 'publicOrigins');
  })
  .superRefine(({ sources, webhookLoopbackAllowed }, context) => {
    for (const [code, { baseUrl }] of Object.entries(sources)) {
      const refuse = (message: string, ...path: string[]) =>
        context.addIssue({ code: 'custom', message, path: ['sources', code, ...path] });
      if (baseUrl !== undefined && !maySpeakTo(baseUrl, webhookLoopbackAllowed))
        refuse('a base URL must be https: credentials are sent there', 'baseUrl');
      if (!MANIFESTS.some((manifest) => manifest.code === code)) refuse('no source has this code');
    }
  });

export type Stage = z.output<typeof Stage>;
type StageInput = z.input<typeof Stage>;

/** Pace without limits, because a sandbox accepts any number of calls. */
export const NO_PACE = { callDelayMs: 0, callsMax: 0, windowMs: 0 };

/** A placeholder like the issuers below. */
const SECURITY_CONTACT = 'mailto:security@example.com';

/** Alarms without recipients. The runbook is a path in the repository; a stage may use a page's address instead. */
const NOBODY = { emails: { critical: null, warning: null }, runbookUrl: 'docs/runbook.md' };

const STAGES = {
  dev: {
    name: 'dev',
    logRetentionDays: 14,
    retainsData: false,
    throttling: { requestsPerSecond: 200, burstRequests: 400 },
    tracesRequests: true,
    session: {
      algorithm: 'ES256',
      issuer: 'https://auth.dev.example.com',
      audience: 'authenticated',
      jwksUrl: 'https://auth.dev.example.com/.well-known/jwks.json',
    },
    publicOrigins: [SELF],
    signIn: { authority: 'https://auth.dev.example.com', clientId: 'dashboard', scope: 'openid' },
    domain: null,
    sources: {},
    // A team with only an AWS account has no issuer. People who may read the secret's parameter sign sessions with
    // `npm run -s session`.
    sandbox: {
      session: {
        algorithm: 'HS256',
        issuer: 'urn:data-connections:dev',
        audience: 'authenticated',
        secretParameter: '/data-connections/dev/session-secret',
      },
    },
    concurrency: { account: 100, apiReserve: 50, scope: 2, webhooks: 3, dispatch: 2, purge: 2 },
    syncStartsPerMinute: 60,
    readsPerMinute: 1_000,
    alarms: NOBODY,
    securityContact: SECURITY_CONTACT,
    budget: { dollarsAMonth: 50 },
    webhookLoopbackAllowed: false,
  },
  prod: {
    name: 'prod',
    logRetentionDays: 90,
    retainsData: true,
    throttling: { requestsPerSecond: 1_000, burstRequests: 2_000 },
    tracesRequests: false,
    session: {
      algorithm: 'ES256',
      issuer: 'https://auth.example.com',
      audience: 'authenticated',
      jwksUrl: 'https://auth.example.com/.well-known/jwks.json',
    },
    publicOrigins: [SELF],
    signIn: { authority: 'https://auth.example.com', clientId: 'dashboard', scope: 'openid' },
    domain: null,
    sources: {},
    sandbox: null,
    concurrency: { account: 1_000, apiReserve: 500, scope: 15, webhooks: 50, dispatch: 5, purge: 2 },
    syncStartsPerMinute: 60,
    readsPerMinute: 1_000,
    alarms: NOBODY,
    securityContact: SECURITY_CONTACT,
    budget: { dollarsAMonth: 500 },
    webhookLoopbackAllowed: false,
  },
  /** This stage needs no AWS account and no environment variables: the runner adds secret, key file and ports. */
  local: {
    name: 'local',
    logRetentionDays: 1,
    retainsData: false,
    throttling: { requestsPerSecond: 1_000, burstRequests: 2_000 },
    tracesRequests: true,
    session: {
      algorithm: 'HS256',
      issuer: 'urn:data-connections:local',
      audience: 'authenticated',
      secretParameter: null,
    },
    publicOrigins: [],
    signIn: null,
    domain: null,
    sources: Object.fromEntries(MANIFESTS.map(({ code }) => [code, { pace: NO_PACE }])),
    // No sandbox is deployed, because the runner starts the simulated institutions itself.
    sandbox: null,
    // As one machine, the runner handles at most five batches of each queue at a time.
    concurrency: { account: 1_000, apiReserve: 500, scope: 15, webhooks: 50, dispatch: 5, purge: 2 },
    syncStartsPerMinute: 60,
    readsPerMinute: 1_000,
    alarms: NOBODY,
    securityContact: SECURITY_CONTACT,
    budget: null,
    webhookLoopbackAllowed: true,
  },
} satisfies Record<string, StageInput>;

export const STAGE_NAMES = Object.keys(STAGES) as (keyof typeof STAGES)[];

/** @throws Error that names every invalid field of the stage. */
export const parseStage = (input: unknown): Stage => {
  const result = Stage.safeParse(input);
  if (result.success) return result.data;
  throw new Error(`infra/stages.ts: this stage is not valid\n${z.prettifyError(result.error)}`);
};

/** True if `STAGES` defines the stage. Any other name means a stage like `dev`. */
export const isKnownStage = (name: string): boolean => STAGE_NAMES.some((known) => known === name);

/** Returns the settings of `dev` without values that two stages cannot share: domain, signing secret, generation. */
export const likeDev = (name: string, dev: StageInput = STAGES.dev): StageInput => {
  const signed = dev.sandbox?.session;
  const own = { issuer: `urn:data-connections:${name}`, secretParameter: `/data-connections/${name}/session-secret` };
  const session = dev.session.algorithm === 'HS256' ? { ...dev.session, ...own } : dev.session;
  const sandbox = signed?.algorithm === 'HS256' ? { session: { ...signed, ...own } } : dev.sandbox;
  return { ...dev, name, domain: null, session, sandbox, tableGeneration: 1, leavesFormerTable: false };
};

/** @throws Error for an invalid name, or for a stage with invalid settings. */
export const stageNamed = (name: string): Stage => {
  if (name === 'emulator') throw new Error('stage emulator is only created by `npm run verify:deploy`');
  return parseStage(isKnownStage(name) ? STAGES[name as keyof typeof STAGES] : likeDev(name));
};

/**
 * Returns the stage with its simulated institutions.
 * @throws Error for a stage that refuses them.
 */
export const withSandbox = (stage: Stage): Stage => {
  if (stage.sandbox === null) {
    throw new Error(
      `stage ${stage.name} has no sandbox: leave -c sandbox=true away, or choose another stage. Simulated institutions must never be taken for real ones`,
    );
  }
  if (stage.sandbox.session === null) return stage;
  return { ...stage, session: stage.sandbox.session, signIn: 'session-token' };
};

/** Directs every source to the stage's sandbox, except sources for which an operator named another server. */
export const servedBySandbox = (stage: Stage, sandboxUrl: string): Stage => ({
  ...stage,
  sources: {
    ...Object.fromEntries(MANIFESTS.map(({ code }) => [code, { baseUrl: `${sandboxUrl}/${code}`, pace: NO_PACE }])),
    ...Object.fromEntries(Object.entries(stage.sources).filter(([, { baseUrl }]) => baseUrl !== undefined)),
  },
});

/** True if the issuer of sessions has the placeholder domain, with which nobody can sign in; a deploy then warns. */
export const hasPlaceholders = ({ session }: Stage): boolean => JSON.stringify(session).includes('example.com');

/** Returns the severities of alarms without a recipient in `prod`, where customers rely on a response. */
export const unheardAlarms = ({ name, alarms }: Stage): string[] =>
  name === 'prod'
    ? Object.entries(alarms.emails).flatMap(([severity, email]) => (email === null ? [severity] : []))
    : [];
