/**
 * Lets a client ask for access and a person allow or refuse it (docs/adr/0033). The request is validated when it is
 * shown and again when it is answered, because the page's reply only proves which question was shown.
 */
import { createHash } from 'node:crypto';
import { AGENT_LIMITS } from '#shared/agents/limits.ts';
import type { Cause } from '#shared/audit/audit.rules.ts';
import { newSecret } from '#shared/auth/token.store.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { keys } from '#shared/table/keys.ts';
import { countInMinute, type MinuteQuota } from '#shared/table/minute-quota.ts';
import { AppError } from '#shared/values/app-error.ts';
import type { OrganizationId } from '#shared/values/ids.ts';
import { retryOnConflict } from '#shared/values/retry-on-conflict.ts';
import { buildResourceUrl } from './addresses.ts';
import { countConsents, putConsent } from './authorization-code.store.ts';
import {
  type AuthorizationRequest,
  answerTo,
  consentDigest,
  judgeRequest,
  parseAddressee,
} from './authorization-request.rules.ts';
import type { FetchOptions } from './client-document.client.ts';
import type { Client } from './client-id.rules.ts';
import { clientPolicy } from './client-policy.ts';
import { findClient } from './find-client.ts';
import { type Grant, takesPlace } from './grant.rules.ts';
import * as grants from './grant.store.ts';
import { publicOrigin } from './public-origin.ts';
import type { RedirectTarget } from './redirect-uri.rules.ts';

/**
 * Most stored grants, including recently ended grants. Without this limit, repeated consents and revocations would make
 * the list endless.
 */
const STORED_GRANTS_MAX = 1_000;

/** The person who is asked, and the person's organization. */
export interface AuthorizationAsked {
  organizationId: OrganizationId;
  subject: string;
}

interface PersonConsent {
  kind: 'consent';
  client: Client;
  request: AuthorizationRequest;
  target: RedirectTarget;
  /** Digest of everything that was shown. The person's reply contains the digest to name the question. */
  digest: string;
}

export type ConsentQuestion =
  | PersonConsent
  /** There is no address for an answer, so the page shows the error. */
  | { kind: 'page'; finding: string }
  /** The client is redirected, with an error or an answer. */
  | { kind: 'redirect'; client: Client; to: string; target: RedirectTarget };

/** The question has changed after it was shown, because the client changed its published document. */
export class QuestionChanged extends AppError {}
export class TooManyGrants extends AppError {}

/**
 * Counts a question to the person or a reply of the person in the current minute.
 *
 * @throws QuotaSpent
 */
export const countConsent = ({ organizationId, subject }: AuthorizationAsked): Promise<MinuteQuota> => {
  const hash = createHash('sha256').update(subject).digest('hex');
  return countInMinute((minute) => keys.consents(organizationId, hash, minute), {
    starts: AGENT_LIMITS.consentsPerMinute,
  });
};

/**
 * Returns the question for the person, or the error.
 * @param query query of the page's address as the client opened it, without the question mark
 */
export const readQuestion = async (
  query: string,
  asked: AuthorizationAsked,
  options?: Omit<FetchOptions, 'isLoopbackAllowed'>,
): Promise<ConsentQuestion> => {
  const addressee = parseAddressee(query);
  if (addressee.finding !== undefined) return { kind: 'page', finding: addressee.finding };
  const { client, finding } = await findClient(addressee.clientId, options);
  if (client === undefined) return { kind: 'page', finding };
  const issuer = publicOrigin();
  const { appUris } = clientPolicy();
  const judged = judgeRequest(query, client, { issuer, resource: buildResourceUrl(issuer), appUris });
  if (judged.kind === 'page') return judged;
  if (judged.kind === 'redirect') return { ...judged, client };
  return { ...judged, client, digest: consentDigest(query, client, asked) };
};

const newGrant = (
  { client, request, target }: PersonConsent,
  { organizationId, subject }: AuthorizationAsked,
  id: string,
): Grant => ({
  id,
  organizationId,
  subject,
  clientId: client.id,
  clientName: client.name,
  publisher: client.publisher,
  redirectKind: target.kind,
  redirectHost: target.host,
  scope: request.scope,
  resource: request.resource,
  mayRefresh: client.mayRefresh,
  clientAuth: client.auth,
  createdAt: new Date(nowMs()).toISOString(),
  expiresAt: new Date(nowMs() + AGENT_LIMITS.grantMs).toISOString(),
  generation: 0,
  siblings: 0,
  rotatedAt: null,
  lastUsedAt: null,
  revokedAt: null,
  revokedFor: null,
});

const refuseTooMany = async (organizationId: OrganizationId): Promise<void> => {
  const limits = { codeMs: AGENT_LIMITS.authorizationCodeMs };
  const stored = await grants.list(organizationId);
  const holding = stored.filter((grant) => takesPlace(grant, nowMs(), limits));
  const isFull = holding.length >= AGENT_LIMITS.grantsPerOrganizationMax || stored.length >= STORED_GRANTS_MAX;
  if (isFull) throw new TooManyGrants();
};

/** Stores the consent and returns the code for the client. */
const allow = async (
  question: PersonConsent,
  asked: AuthorizationAsked,
  grantId: string,
  cause: Cause,
): Promise<string> => {
  const before = await countConsents(asked.organizationId);
  await refuseTooMany(asked.organizationId);
  const code = newSecret();
  const { clientId, redirectUri, challenge, resource } = question.request;
  const record = {
    organizationId: asked.organizationId,
    grantId,
    clientId,
    redirectUri,
    challenge,
    resource,
    expiresAt: new Date(nowMs() + AGENT_LIMITS.authorizationCodeMs).toISOString(),
    usedBy: null,
  };
  await putConsent({ grant: newGrant(question, asked, grantId), before }, { code, record }, cause);
  return code;
};

/**
 * Calls `allow` again if another person of the organization consented at the same moment, so that the grants are
 * counted again.
 */
const allowInTurn = (...allowed: Parameters<typeof allow>): Promise<string> =>
  retryOnConflict([grants.GrantConflict], AGENT_LIMITS.consentsPerMinute, () => allow(...allowed));

export interface PersonAnswer {
  query: string;
  digest: string;
  decision: 'allow' | 'deny';
  /** Id of the new grant if the person allows. */
  grantId: string;
}

/**
 * Handles the person's reply.
 * @returns the address for the browser, or the error to show
 * @throws QuestionChanged if the question would be different now
 * @throws TooManyGrants
 */
export const answerQuestion = async (
  answer: PersonAnswer,
  asked: AuthorizationAsked,
  cause: Cause,
): Promise<Exclude<ConsentQuestion, PersonConsent>> => {
  const question = await readQuestion(answer.query, asked);
  if (question.kind !== 'consent') return question;
  if (question.digest !== answer.digest) throw new QuestionChanged();
  const said =
    answer.decision === 'allow'
      ? { code: await allowInTurn(question, asked, answer.grantId, cause) }
      : { error: 'access_denied', error_description: 'the person did not allow it' };
  const { client, request, target } = question;
  return { kind: 'redirect', client, to: answerTo(request, said, publicOrigin()), target };
};
