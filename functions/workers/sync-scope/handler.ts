/** Trigger: the scope's queue. Makes attempts at a scope of runs, or logs out sessions that no later task used. */
import { env } from '#shared/platform/env.ts';
import { VARIABLES } from '#shared/platform/needs.ts';
import { type ScopeDefinition, scopeId } from '#shared/scopes/scope.ts';
import { SCOPES } from '#shared/scopes/scopes.gen.ts';
import { makeScopeWorker } from '#shared/sync/scope-worker.ts';
import { source } from '#source';

const ownScope = (): ScopeDefinition => {
  const scope = SCOPES.find((candidate) => scopeId(candidate) === env(VARIABLES.scope));
  if (!scope) throw new Error(`no scope ${env(VARIABLES.scope)}`);
  return scope;
};

export const handler = makeScopeWorker(source, ownScope);
