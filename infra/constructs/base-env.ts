/**
 * Variables that every function gets independent of its needs, and the one permission that these variables may require.
 */
import { Aws } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Stage } from '#infra/stages.ts';
import { BASE_VARIABLES } from '#shared/platform/needs.ts';

/** Placeholder value of variables that the local runner sets itself. */
export const SET_BY_RUNNER = 'set-by-the-local-runner';

const secretVariables = ({ session }: Stage): Record<string, string> => {
  if (session.algorithm !== 'HS256') return {};
  return session.secretParameter === null
    ? { [BASE_VARIABLES.sessionSecret]: SET_BY_RUNNER }
    : { [BASE_VARIABLES.sessionSecretParameter]: session.secretParameter };
};

/** Variables without a value are omitted, because Lambda would set an empty string. */
export const baseEnvironment = (stage: Stage): Record<string, string> => {
  const { session } = stage;
  const all: Record<string, string> = {
    [BASE_VARIABLES.stage]: stage.name,
    [BASE_VARIABLES.sessionAlgorithm]: session.algorithm,
    [BASE_VARIABLES.sessionIssuer]: session.issuer,
    [BASE_VARIABLES.sessionAudience]: session.audience,
    [BASE_VARIABLES.sessionJwksUrl]: session.algorithm === 'HS256' ? '' : session.jwksUrl,
    [BASE_VARIABLES.publicOrigins]: stage.publicOrigins.join(','),
    ...secretVariables(stage),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
};

/**
 * Returns the permission to read the shared secret of sessions. The account's SSM key decrypts the secret for everyone
 * who may read the parameter.
 */
export const sessionStatements = (stage: Stage): PolicyStatement[] => {
  if (stage.session.algorithm !== 'HS256' || stage.session.secretParameter === null) return [];
  const arn = `arn:${Aws.PARTITION}:ssm:${Aws.REGION}:${Aws.ACCOUNT_ID}:parameter${stage.session.secretParameter}`;
  return [new PolicyStatement({ actions: ['ssm:GetParameter'], resources: [arn] })];
};
