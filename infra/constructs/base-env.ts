/** Variables of every function, independent of its needs, and the one permission that they may require. */
import { Aws } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Stage } from '#infra/stages.ts';
import type { BASE_ENV } from '#shared/platform/needs.ts';

/** The local runner replaces this value by its own. */
export const SET_BY_RUNNER = 'set-by-the-local-runner';

/**
 * Holds the name of the SecureString. It must not be called `SESSION_SECRET`: if the name were used as the secret,
 * anyone could sign sessions.
 */
const SECRET_PARAMETER_VARIABLE = 'SESSION_SECRET_PARAMETER';

const secretVariables = ({ session }: Stage): Record<string, string> => {
  if (session.algorithm !== 'HS256') return {};
  return session.secretParameter === null
    ? { SESSION_SECRET: SET_BY_RUNNER }
    : { [SECRET_PARAMETER_VARIABLE]: session.secretParameter };
};

/** Variables without a value are omitted, because Lambda would set an empty string. */
export const baseEnvironment = (stage: Stage): Record<string, string> => {
  const { session } = stage;
  const all: Record<Exclude<(typeof BASE_ENV)[number], 'SESSION_SECRET'>, string> = {
    STAGE: stage.name,
    SESSION_ALGORITHM: session.algorithm,
    SESSION_ISSUER: session.issuer,
    SESSION_AUDIENCE: session.audience,
    SESSION_JWKS_URL: session.algorithm === 'HS256' ? '' : session.jwksUrl,
    PUBLIC_ORIGINS: stage.publicOrigins.join(','),
    ...secretVariables(stage),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
};

/**
 * Permission to read the shared secret of sessions. The account's SSM key decrypts it for everyone who may read the
 * parameter.
 */
export const sessionStatements = (stage: Stage): PolicyStatement[] => {
  if (stage.session.algorithm !== 'HS256' || stage.session.secretParameter === null) return [];
  const arn = `arn:${Aws.PARTITION}:ssm:${Aws.REGION}:${Aws.ACCOUNT_ID}:parameter${stage.session.secretParameter}`;
  return [new PolicyStatement({ actions: ['ssm:GetParameter'], resources: [arn] })];
};
