/** What came of the requests of a login (shared/domain/logins.ts). Every change is conditional on its version. */
import type { LoginHistory } from '#shared/domain/logins.ts';
import { freshHistory } from '#shared/domain/logins.ts';
import { nowSeconds } from '#shared/platform/clock.ts';
import { RETENTION_SECONDS } from '#shared/platform/limits.ts';
import { keys } from './keys.ts';
import type { Login } from './leases.ts';
import { RunChanged } from './runs.ts';
import * as table from './table.ts';

/** Another worker changed it meanwhile: run and history are read again. */
export class LoginsChanged extends RunChanged {}

export const find = async (organizationId: string, { source, key }: Login): Promise<LoginHistory> => {
  const item = await table.get(keys.logins(organizationId, source, key));
  return item ? { version: item.version, underWay: item.under_way, credentials: item.credentials } : freshHistory();
};

/** For the transaction that counts a login, or takes it back. Of a login that nobody uses it goes by its TTL. */
export const change = (
  organizationId: string,
  { source, key }: Login,
  { version, underWay, credentials }: LoginHistory,
): table.TransactItem => ({
  update: keys.logins(organizationId, source, key),
  set: {
    version: version + 1,
    under_way: underWay,
    credentials,
    expires_at_epoch: nowSeconds() + RETENTION_SECONDS,
  },
  if: version === 0 ? 'attribute_not_exists(pk)' : '#version = :seen',
  ...(version === 0 ? {} : { values: { seen: version } }),
  otherwise: () => new LoginsChanged(),
});
