import { AGENT_PATHS, nameOrigin } from '#shared/agents/addresses.ts';
import { resourceMetadata, serverMetadata } from '#shared/agents/metadata.ts';
import { publicOrigin } from '#shared/agents/public-origin.ts';
import { type ProtocolLogic, protocolEndpoint } from '#shared/http/protocol-endpoint.ts';
import { contract } from './contract.ts';

const HEADERS = { 'cache-control': 'max-age=300' };

export const getOauthMetadata: ProtocolLogic = async ({ path, headers: { host } }) => {
  const origin = publicOrigin();
  const body =
    path === AGENT_PATHS.serverMetadata ? serverMetadata(origin) : resourceMetadata(origin, nameOrigin(origin, host));
  return { status: 200, headers: HEADERS, body };
};

export const handler = protocolEndpoint(contract, getOauthMetadata);
