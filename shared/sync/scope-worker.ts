/**
 * Handles the messages of a scope's queue. Tasks of one event run side by side, because most of a task's time is waiting
 * for its institution. If a task needs the invocation for itself, the other messages of its event are sent again.
 */
import { TaskMessage } from '#shared/messaging/queues.ts';
import { sendTask } from '#shared/messaging/send.ts';
import { type WorkerHandler, worker } from '#shared/messaging/worker.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import type { SourceAdapter } from '#shared/sources/source.ts';
import { logOutKept } from '#shared/sync/login/source-logout.ts';
import { mustRunAlone } from '#shared/sync/task/task.rules.ts';
import * as tasks from '#shared/sync/task/task.store.ts';
import { runTask, type WorkMessage } from './run-task.ts';

interface EventPlan {
  /** The message whose task has the invocation for itself; null if all tasks run. */
  alone: WorkMessage | null;
  isShared: boolean;
}

const isWork = (message: TaskMessage): message is WorkMessage => message.kind === 'work';

const planEvent = async (messages: readonly TaskMessage[], scope: string): Promise<EventPlan> => {
  const work = messages.filter(isWork);
  if (work.length < 2) return { alone: null, isShared: false };
  // A message may have come twice.
  const named = new Map(work.map((message) => [message.runId, { ...message, scope }]));
  const found = await tasks.findAll([...named.values()]);
  const alone = work.find(({ runId, generation }) => {
    const task = found.find((one) => one.runId === runId);
    return task?.generation === generation && mustRunAlone(task);
  });
  return { alone: alone ?? null, isShared: alone === undefined };
};

/** Returns the handler of the queue of one scope. */
export const makeScopeWorker = (source: SourceAdapter, findScope: () => ScopeDefinition): WorkerHandler =>
  worker<typeof TaskMessage, EventPlan>(
    'sync-scope',
    TaskMessage,
    async (message, { ahead: { alone, isShared }, ...context }) => {
      if (!isWork(message)) return logOutKept(message, source);
      const scope = findScope();
      if (alone !== null && message !== alone) return sendTask(scope.source, scope.name, message);
      return runTask(message, { ...context, isShared }, source, scope);
    },
    (messages) => planEvent(messages, findScope().name),
  );
