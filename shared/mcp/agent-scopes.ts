/** Lists the scopes that agents may read, and finds the scope that a call names. */
import * as z from 'zod';
import type { Connection } from '#shared/connections/connection.rules.ts';
import * as connections from '#shared/connections/connection.store.ts';
import { ApiError, notFound } from '#shared/http/response/errors.ts';
import type { AgentView, ScopeDefinition } from '#shared/scopes/scope.ts';
import { SCOPES } from '#shared/scopes/scopes.gen.ts';
import { uuid } from '#shared/values/fields.ts';
import type { Agent } from './tool.ts';

export interface AgentScope extends ScopeDefinition {
  agent: AgentView;
}

const isRead = (scope: ScopeDefinition): scope is AgentScope => scope.agent !== null;

export const AGENT_SCOPES: readonly AgentScope[] = SCOPES.filter(isRead);

/** Names of the scopes. Each name is listed once, because several sources use the same scope names. */
const NAMES = [...new Set(AGENT_SCOPES.map(({ name }) => name))].sort();

export const connectionId = () => uuid().describe('UUID from list_connections.');
export const scopeName = () => z.enum(NAMES).describe("A scope of the connection's source.");

/** Returns the enabled scopes of a connection that agents may read, in the order in which they were chosen. */
export const readScopes = ({ source, enabledScopes }: Pick<Connection, 'source' | 'enabledScopes'>): AgentScope[] =>
  enabledScopes.flatMap((name) => AGENT_SCOPES.filter((scope) => scope.source === source && scope.name === name));

export const invalid = (finding: string): ApiError => new ApiError('validation_error', finding);

/** @throws ApiError 404 for an unknown or foreign connection */
export const findConnection = async (agent: Agent, id: string): Promise<Connection> => {
  const connection = await connections.find(agent.organizationId, id.toLowerCase());
  if (!connection) throw notFound('connection_not_found');
  return connection;
};

/** @throws ApiError 404, or a validation error that lists the scopes of the connection's source */
export const findScope = async (
  agent: Agent,
  call: { connection_id: string; scope: string },
): Promise<{ connection: Connection; scope: AgentScope }> => {
  const connection = await findConnection(agent, call.connection_id);
  const ofSource = AGENT_SCOPES.filter(({ source }) => source === connection.source);
  const scope = ofSource.find(({ name }) => name === call.scope);
  if (scope) return { connection, scope };
  if (ofSource.length === 0) throw invalid(`scope: agents read nothing of ${connection.source}`);
  throw invalid(`scope must be one of ${ofSource.map(({ name }) => name).join(', ')} for this connection`);
};
