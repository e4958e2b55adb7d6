/** Records that a person opened or closed a dashboard session. Sessions themselves are stored nowhere. */
import type { RequestSource } from '#shared/audit/audit.rules.ts';
import * as audit from '#shared/audit/audit.store.ts';
import type { Caller } from './caller.ts';

export const recordSession = (
  { organizationId, id }: Caller,
  action: 'session.opened' | 'session.closed',
  source: RequestSource,
): Promise<void> =>
  audit.commit([], audit.newEvent({ organizationId, action }, { author: { kind: 'person', id }, source }));
