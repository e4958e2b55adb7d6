/** Variables of every function, whatever it needs, and the one permission that may come with them. */
import { Aws } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Stage } from '#infra/stages.ts';
import type { BASE_ENV } from '#shared/platform/needs.ts';

/** Marks a value that names where the secret is. The local runner puts the secret itself in place of it. */
export const SSM_PREFIX = 'ssm:';
const SET_BY_RUNNER = 'set-by-the-local-runner';

/** Variables without a value are left out: Lambda would hand over an empty string. */
export const baseEnvironment = (stage: Stage): Record<string, string> => {
  const { session } = stage;
  const all: Record<(typeof BASE_ENV)[number], string> = {
    STAGE: stage.name,
    SESSION_ALGORITHM: session.algorithm,
    SESSION_ISSUER: session.issuer,
    SESSION_AUDIENCE: session.audience,
    SESSION_JWKS_URL: session.algorithm === 'HS256' ? '' : session.jwksUrl,
    SESSION_SECRET:
      session.algorithm !== 'HS256'
        ? ''
        : session.secretParameter === null
          ? SET_BY_RUNNER
          : `${SSM_PREFIX}${session.secretParameter}`,
    PUBLIC_ORIGINS: stage.publicOrigins.join(','),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
};

/** To read the shared secret of sessions. The SSM key of the account opens it for whoever may read the parameter. */
export const sessionStatements = (stage: Stage): PolicyStatement[] => {
  if (stage.session.algorithm !== 'HS256' || stage.session.secretParameter === null) return [];
  const arn = `arn:${Aws.PARTITION}:ssm:${Aws.REGION}:${Aws.ACCOUNT_ID}:parameter${stage.session.secretParameter}`;
  return [new PolicyStatement({ actions: ['ssm:GetParameter'], resources: [arn] })];
};
