/** The requests with which a person allows an application. */
import { AUTHORIZATION_QUERY } from '#shared/http/views/grant.ts';
import type { StackFile } from '#tools/local/stack-file.ts';
import type { Recorder } from './recorder.ts';

/** Verifier of the challenge in the description's example (RFC 7636, appendix B). */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';

interface ApplicationStage extends Recorder {
  stack: StackFile;
}

/**
 * Exchanges the authorization code for tokens, as a client does, because the API lists a grant only after this
 * exchange.
 */
const redeem = async ({ stack }: ApplicationStage, redirectTo: string, query: URLSearchParams): Promise<void> => {
  const code = new URL(redirectTo).searchParams.get('code')!;
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    code_verifier: VERIFIER,
    client_id: query.get('client_id')!,
  });
  const answer = await fetch(`${stack.api}/oauth/token`, { method: 'POST', body });
  if (!answer.ok) throw new Error(`token: ${answer.status} ${await answer.text()}`);
};

/** Records an application that asks for access, is denied, asks again, reads data and is revoked. */
export const recordApplication = async (stage: ApplicationStage): Promise<void> => {
  const { record, ask } = stage;
  const { data: asked } = await record('reviewAuthorization');
  const query = AUTHORIZATION_QUERY;
  const decide = (decision: string) => ({ body: { query, digest: asked.digest, decision } });
  await record('decideAuthorization', decide('deny'));
  const { data: allowed } = await ask('decideAuthorization', decide('allow'));
  await redeem(stage, allowed.redirect_to, new URLSearchParams(query));
  const { data: grants } = await record('listGrants');
  await record('revokeGrant', { params: { id: grants[0].id } });
};
