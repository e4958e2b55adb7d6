import { readVerdict } from '#shared/connect-links/read-verdict.ts';
import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { linkEnded, requireSession, showSession } from '../link-session.ts';
import { contract } from './contract.ts';

export const showConnectSession: Logic<typeof contract> = async ({ cookies }) => {
  const session = await requireSession(cookies);
  const verdict = await readVerdict(session.visit);
  if (verdict === undefined) throw linkEnded();
  return { status: 200, body: await showSession(session, verdict), headers: { 'cache-control': 'no-store' } };
};

export const handler = endpoint(contract, showConnectSession);
