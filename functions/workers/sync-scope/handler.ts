/** Trigger: the scope's queue. Makes one attempt at a scope of a run, or logs out a session that no later task used. */

import { TaskMessage } from '#shared/messaging/queues.ts';
import { worker } from '#shared/messaging/worker.ts';
import { env } from '#shared/platform/env.ts';
import { VARIABLES } from '#shared/platform/needs.ts';
import { scopeId } from '#shared/scopes/scope.ts';
import { SCOPES } from '#shared/scopes/scopes.gen.ts';
import { logOutKept } from '#shared/sync/login/source-logout.ts';
import { runTask } from '#shared/sync/run-task.ts';
import { source } from '#source';

const ownScope = () => {
  const scope = SCOPES.find((candidate) => scopeId(candidate) === env(VARIABLES.scope));
  if (!scope) throw new Error(`no scope ${env(VARIABLES.scope)}`);
  return scope;
};

export const handler = worker('sync-scope', TaskMessage, async (message, context) =>
  message.kind === 'logout' ? logOutKept(message, source) : runTask(message, context, source, ownScope()),
);
