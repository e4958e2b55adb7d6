/** The audit trail, each rule broken once: an event is left out, or reports a change that was not made. */
import { type Mutant, one } from './mutant.ts';

const AUDIT = 'shared/audit/audit.store.ts';
const COMMIT = 'await table.transact([...items, putEvent(event)]);';

export const AUDIT_MUTANTS: readonly Mutant[] = [
  one('trail: changes without their events', AUDIT, COMMIT, 'await table.transact([...items]);'),
  one(
    'trail: events written after their changes',
    AUDIT,
    COMMIT,
    'if (items.length > 0) await table.transact([...items]);\n  await table.transact([putEvent(event)]);',
  ),
  one(
    'trail: events written before their changes',
    AUDIT,
    COMMIT,
    'await table.transact([putEvent(event)]);\n  if (items.length > 0) await table.transact([...items]);',
  ),
  one(
    'trail: a connection that fails without an event',
    'shared/sync/end/connection-end.ts',
    '    ...(failed === null ? [] : [putEvent(failed)]),\n',
    '',
  ),
  one(
    'trail: a connection said to fail with each failed run',
    'shared/sync/end/connection-end.ts',
    "const isFailure = status === 'error' && was !== 'error';",
    "const isFailure = status === 'error';",
  ),
  one(
    'trail: an endpoint disabled without an event',
    'shared/webhooks/record-outcome.ts',
    'if (disabled !== null) also.push(putEvent(disabled));',
    'if (disabled !== null) also.push();',
  ),
  one(
    'trail: a purge that ends twice, each time with an event',
    'shared/recovery/purge.store.ts',
    "[{ remove: keys.purge(organizationId, connectionId), if: 'attribute_exists(pk)' }],",
    '[{ remove: keys.purge(organizationId, connectionId) }],',
  ),
  one(
    'trail: a key revoked twice, each time with an event',
    'shared/auth/api-key.store.ts',
    "if: 'attribute_exists(pk) AND attribute_not_exists(#revoked_at)',",
    "if: 'attribute_exists(pk)',",
  ),
  one(
    'trail: an event of a request that repeats what is so',
    'shared/connections/change-connection.ts',
    'const changes = effectiveChange(before, await decide(before));',
    'const changes = await decide(before);',
  ),
  one(
    'trail: two requests that set the same name, each with an event',
    'shared/connections/connection.store.ts',
    'connectionItem.toChanges({ ...changing, status, credentialsVersion })',
    'connectionItem.toChanges({ status, credentialsVersion })',
  ),
  one(
    'trail: a part of a change left out of its event',
    'shared/connections/connection.rules.ts',
    "    ['credentials', change.credentials],\n",
    '',
  ),
  one('trail: the event of the cursor listed twice', AUDIT, '.filter(({ id }) => id !== before)', ''),
  one('trail: a list that ends after its second page', AUDIT, 'limit: limit + 2', 'limit: limit + 1'),
  {
    ...one(
      'trail: a grant ended without an event',
      'shared/agents/grant.store.ts',
      "await audit.commit([end], audit.newEvent({ organizationId, action: 'grant.revoked', targetId: id }, cause));",
      "await table.transact([end]).then(() => audit.newEvent({ organizationId, action: 'grant.revoked' }, cause));",
    ),
    of: 'grants',
  },
];
