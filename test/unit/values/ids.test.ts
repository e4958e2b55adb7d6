/** Ids of two kinds cannot be confused: the compiler refuses it (`npm run check`). */
import { expect, test } from 'vitest';
import { keys } from '#shared/table/keys.ts';
import type { ConnectionId, OrganizationId } from '#shared/values/ids.ts';

test('an id of another kind does not compile where a plain string does', () => {
  const organization: OrganizationId = '11111111-1111-4111-8111-111111111111';
  const connection: ConnectionId = '22222222-2222-4222-8222-222222222222';
  // @ts-expect-error: the two ids are exchanged
  const exchanged = keys.connection(connection, organization);
  expect(exchanged).not.toEqual(keys.connection(organization, connection));
});
