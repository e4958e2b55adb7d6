/**
 * Content of `/config.json`, which says how a person signs in at a stage's dashboard. The file is public and contains
 * no secret.
 */
import type { Stage } from '#infra/stages.ts';

type SignInStage = Pick<Stage, 'signIn'>;

const wayIn = ({ signIn }: SignInStage) => {
  if (signIn === null) return { kind: 'development' };
  if (signIn === 'session-token') return { kind: 'token' };
  return { kind: 'openid', authority: signIn.authority, client_id: signIn.clientId, scope: signIn.scope };
};

export const signInConfig = (stage: SignInStage) => ({ sign_in: wayIn(stage) });

/** Returns the origins that the page calls during a sign-in, in addition to its own origin. */
export const issuerOrigins = ({ signIn }: SignInStage): string[] => {
  if (signIn === null || signIn === 'session-token') return [];
  return [...new Set([new URL(signIn.authority).origin, ...(signIn.origins ?? [])])];
};
