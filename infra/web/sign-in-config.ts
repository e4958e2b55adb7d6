/** `/config.json`: how one signs in at the dashboard of a stage. It is served to everybody: nothing secret in it. */
import type { Stage } from '#infra/stages.ts';

export const signInConfig = ({ signIn }: Pick<Stage, 'signIn'>) => ({
  sign_in:
    signIn === null
      ? { kind: 'development' }
      : { kind: 'openid', authority: signIn.authority, client_id: signIn.clientId, scope: signIn.scope },
});
