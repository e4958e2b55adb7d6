import { judgeRegistration } from '#shared/agents/client-id.rules.ts';
import { clientPolicy } from '#shared/agents/client-policy.ts';
import { type ProtocolLogic, protocolEndpoint } from '#shared/http/protocol-endpoint.ts';
import { nowSeconds } from '#shared/platform/clock.ts';
import { oauthError, parseJsonBody } from '../oauth-answers.ts';
import { contract } from './contract.ts';

export const registerClient: ProtocolLogic = async ({ body }) => {
  const { client, error, description } = judgeRegistration(parseJsonBody(body), clientPolicy());
  if (client === undefined) throw oauthError(error, description);
  return {
    status: 201,
    body: {
      client_id: client.id,
      client_id_issued_at: nowSeconds(),
      ...(client.name === '' ? {} : { client_name: client.name }),
      redirect_uris: client.redirectUris,
      grant_types: ['authorization_code', ...(client.mayRefresh ? ['refresh_token'] : [])],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
  };
};

export const handler = protocolEndpoint(contract, registerClient);
