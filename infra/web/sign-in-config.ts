/** `/config.json`: how one signs in at the dashboard of a stage. It is served to everybody: nothing secret in it. */
import type { Stage } from '#infra/stages.ts';

type SignInStage = Pick<Stage, 'signIn'>;

const wayIn = ({ signIn }: SignInStage) => {
  if (signIn === null) return { kind: 'development' };
  if (signIn === 'session-token') return { kind: 'token' };
  return { kind: 'openid', authority: signIn.authority, client_id: signIn.clientId, scope: signIn.scope };
};

export const signInConfig = (stage: SignInStage) => ({ sign_in: wayIn(stage) });

/** Whom the page asks while somebody signs in, besides its own origin. */
export const issuerOrigins = ({ signIn }: SignInStage): string[] => {
  if (signIn === null || signIn === 'session-token') return [];
  return [...new Set([new URL(signIn.authority).origin, ...(signIn.origins ?? [])])];
};
