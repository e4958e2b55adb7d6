/** `/config.json`: how one signs in at the dashboard of a stage. It is served to everybody: nothing secret in it. */
import type { Stage } from '#infra/stages.ts';

const wayIn = ({ signIn }: Pick<Stage, 'signIn'>) => {
  if (signIn === null) return { kind: 'development' };
  if (signIn === 'session-token') return { kind: 'token' };
  return { kind: 'openid', authority: signIn.authority, client_id: signIn.clientId, scope: signIn.scope };
};

export const signInConfig = (stage: Pick<Stage, 'signIn'>) => ({ sign_in: wayIn(stage) });
