import { newSecret, tokenHash } from '#shared/auth/token.store.ts';
import { CONNECT_LINK_LIMITS } from '#shared/connect-links/limits.ts';
import { type ConnectLink, deriveLinkStatus } from '#shared/connect-links/link.rules.ts';
import { findByToken, findSecret } from '#shared/connect-links/link.store.ts';
import { buildLinkCookie } from '#shared/connect-links/link-cookie.ts';
import { isLinkToken } from '#shared/connect-links/link-token.ts';
import { readVerdict } from '#shared/connect-links/read-verdict.ts';
import { isSigned } from '#shared/connect-links/signed-reference.rules.ts';
import { ASKED, takesCredentials, type Verdict } from '#shared/connect-links/verdict.rules.ts';
import type { LinkVisit } from '#shared/connect-links/visit.rules.ts';
import * as visits from '#shared/connect-links/visit.store.ts';
import { endpoint, type Logic } from '#shared/http/endpoint.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { decryptSecret, secretResource } from '#shared/platform/crypto.ts';
import { OWN_METADATA } from '#shared/values/own-metadata.ts';
import { linkEnded, showSession } from '../link-session.ts';
import { contract } from './contract.ts';

type SignedParts = Partial<Record<'reference' | 'expires' | 'signature', string | null | undefined>>;

/** Returns the reference of a standing link's signed address, or undefined if it is not one that the integrator signed. */
const signedReference = async (link: ConnectLink, sent: SignedParts): Promise<string | undefined> => {
  const [reference, expires, signature] = [sent.reference ?? '', sent.expires ?? '', sent.signature ?? ''];
  const judged = OWN_METADATA.reference.safeParse(reference);
  // Only the exact text that was signed counts, not one that becomes it by trimming.
  if (!judged.success || judged.data !== reference || !/^\d{1,12}$/.test(expires)) return undefined;
  const encrypted = await findSecret(link.organizationId, link.id);
  if (encrypted === undefined) return undefined;
  const secret = await decryptSecret(link.organizationId, secretResource.connectLink(link.id), encrypted);
  const signed = { reference, expires: Number(expires), signature };
  return isSigned(secret, link.id, signed, nowMs()) ? reference : undefined;
};

/** True if the customer has nothing left to do or to see. */
const isOver = ({ connectionsMax, connectionsMade }: ConnectLink, visit: LinkVisit | undefined, verdict: Verdict) => {
  if (verdict.state === 'accepted') return true;
  const isExhausted = visit !== undefined && visit.submissions >= CONNECT_LINK_LIMITS.submissionsMax;
  const isFull = connectionsMax !== null && connectionsMade >= connectionsMax;
  return (isExhausted && takesCredentials(verdict)) || (isFull && !visit?.connectionId);
};

export const openConnectSession: Logic<typeof contract> = async ({ body: { token, ...sent } }) => {
  const link = isLinkToken(token) ? await findByToken(tokenHash(token)) : undefined;
  if (link === undefined || deriveLinkStatus(link, false, nowMs()) !== 'open') throw linkEnded();
  const reference = link.kind === 'standing' ? await signedReference(link, sent) : null;
  if (reference === undefined) throw linkEnded();
  const known = await visits.find(link.organizationId, link.id, reference);
  const verdict = known === undefined ? ASKED : await readVerdict(known);
  if (verdict === undefined || isOver(link, known, verdict)) throw linkEnded();
  const cookie = newSecret();
  await visits.openSession(link, reference, tokenHash(cookie));
  const visit = await visits.find(link.organizationId, link.id, reference);
  if (visit === undefined) throw linkEnded();
  const body = await showSession({ link, visit }, verdict);
  return { status: 200, body, headers: { 'set-cookie': buildLinkCookie(cookie), 'cache-control': 'no-store' } };
};

export const handler = endpoint(contract, openConnectSession);
