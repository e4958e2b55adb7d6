/**
 * Variables in a function's environment that replace or extend the template's variables on this machine: endpoints,
 * dummy credentials, the key file, the development issuer, the sandboxes.
 */
import { sourceBaseUrlVariable, sourcePaceVariable, VARIABLES } from '#shared/platform/needs.ts';

/** The SDK needs credentials to sign requests, but the local endpoints check no signature. */
export const LOCAL_CREDENTIALS = { accessKeyId: 'local', secretAccessKey: 'local' } as const;

const SYNC_STARTS_PER_MINUTE = '600';
const READS_PER_MINUTE = '10000';
const NO_PACE = '0,0,0';

export interface Endpoints {
  dynamodb: string;
  sqs: string;
  s3: string;
  scheduler: string;
}

export interface DevelopmentIssuer {
  algorithm: 'HS256';
  issuer: string;
  audience: string;
  secret: string;
}

export const developmentIssuer = (secret: string): DevelopmentIssuer => ({
  algorithm: 'HS256',
  issuer: 'http://127.0.0.1/dev-issuer',
  audience: 'authenticated',
  secret,
});

export interface OverlayInput {
  region: string;
  endpoints: Endpoints;
  /** Origin of the HTTP API. */
  apiUrl: string;
  encryptionKeyFile: string;
  issuer: DevelopmentIssuer;
  /** Code of a source → its sandbox. */
  sandboxes: Readonly<Record<string, { url: string }>>;
  /**
   * The operator's environment variables. A base URL or a pace of a source in these variables replaces the sandbox's
   * value.
   */
  operator: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns the variables for all sources, which are the same for every function. If the operator names another server
 * for a source, that server is used instead of the sandbox.
 */
const sourceVariables = ({ sandboxes, operator }: OverlayInput): Record<string, string> => {
  const fromOperator = Object.entries(operator).filter(
    (entry): entry is [string, string] => /^SOURCE_[A-Z0-9]+_(?:BASE_URL|PACE)$/.test(entry[0]) && !!entry[1],
  );
  const fromSandboxes = Object.entries(sandboxes).flatMap(([code, { url }]): [string, string][] =>
    // A source with the operator's server gets neither the sandbox's URL nor its pace.
    operator[sourceBaseUrlVariable(code)]
      ? []
      : [
          [sourceBaseUrlVariable(code), url],
          [sourcePaceVariable(code), NO_PACE],
        ],
  );
  return { ...Object.fromEntries(fromSandboxes), ...Object.fromEntries(fromOperator) };
};

/** Returns the variables that are added for every function. */
const additions = (input: OverlayInput): Record<string, string> => ({
  AWS_REGION: input.region,
  AWS_ACCESS_KEY_ID: LOCAL_CREDENTIALS.accessKeyId,
  AWS_SECRET_ACCESS_KEY: LOCAL_CREDENTIALS.secretAccessKey,
  AWS_ENDPOINT_URL_DYNAMODB: input.endpoints.dynamodb,
  AWS_ENDPOINT_URL_SQS: input.endpoints.sqs,
  AWS_ENDPOINT_URL_S3: input.endpoints.s3,
  AWS_ENDPOINT_URL_SCHEDULER: input.endpoints.scheduler,
  SESSION_ALGORITHM: input.issuer.algorithm,
  SESSION_ISSUER: input.issuer.issuer,
  SESSION_AUDIENCE: input.issuer.audience,
  SESSION_SECRET: input.issuer.secret,
  PUBLIC_ORIGINS: [input.apiUrl, input.apiUrl.replace('127.0.0.1', 'localhost')].join(','),
  [VARIABLES.syncStartsPerMinute]: input.operator[VARIABLES.syncStartsPerMinute] || SYNC_STARTS_PER_MINUTE,
  [VARIABLES.readsPerMinute]: input.operator[VARIABLES.readsPerMinute] || READS_PER_MINUTE,
  ...sourceVariables(input),
});

/**
 * Returns the environment of one function. As on AWS, a function gets no variables of a need that it does not declare.
 */
export const overlaid = (template: Readonly<Record<string, string>>, input: OverlayInput): Record<string, string> => {
  const { [VARIABLES.encryptionKeyArn]: keyArn, ...rest } = template;
  const hasKey = keyArn !== undefined || VARIABLES.encryptionKeyFile in template;
  return {
    ...rest,
    ...additions(input),
    ...(VARIABLES.publicOrigin in template ? { [VARIABLES.publicOrigin]: input.apiUrl } : {}),
    ...(hasKey ? { [VARIABLES.encryptionKeyFile]: input.encryptionKeyFile } : {}),
    ...(VARIABLES.webhookLoopbackAllowed in template ? { [VARIABLES.webhookLoopbackAllowed]: 'true' } : {}),
  };
};
