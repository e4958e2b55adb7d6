import { revokeToken } from '#shared/agents/issue-tokens.ts';
import { type ProtocolLogic, protocolEndpoint } from '#shared/http/protocol-endpoint.ts';
import { oauthError, parseForm, required } from '../oauth-answers.ts';
import { readPresentedClient, refuseClient } from '../presented-client.ts';
import { contract } from './contract.ts';

export const answerRevocation: ProtocolLogic = async (request) => {
  const form = parseForm(request);
  const client = readPresentedClient(form);
  const result = await revokeToken(required(form, 'token'), client, request.source).catch(refuseClient);
  if (result === 'not_revocable')
    throw oauthError('unsupported_token_type', 'an API key is revoked in the dashboard, not here');
  if (result === 'another_client') throw oauthError('invalid_grant', 'the token is of another client');
  return { status: 200, body: {} };
};

export const handler = protocolEndpoint(contract, answerRevocation);
