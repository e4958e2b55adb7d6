import { AGENT_PATHS } from '#shared/agents/addresses.ts';
import { resourceMetadata, serverMetadata } from '#shared/agents/metadata.ts';
import { publicOrigin } from '#shared/agents/public-origin.ts';
import { type ProtocolLogic, protocolEndpoint } from '#shared/http/protocol-endpoint.ts';
import { contract } from './contract.ts';

const HEADERS = { 'cache-control': 'max-age=300' };

export const getOauthMetadata: ProtocolLogic = async ({ path }) => {
  const describe = path === AGENT_PATHS.serverMetadata ? serverMetadata : resourceMetadata;
  return { status: 200, headers: HEADERS, body: describe(publicOrigin()) };
};

export const handler = protocolEndpoint(contract, getOauthMetadata);
