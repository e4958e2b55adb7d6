/** Rules of connections with one login and company, and of their index, each broken once. */
import { type Mutant, one } from './mutant.ts';

const STORE = 'shared/connections/connection.store.ts';
const COMPANIES = 'shared/sync/login/mixes-companies.ts';
const INDEX = 'shared/connections/connection-index.store.ts';

export const ACCOUNT_MUTANTS: readonly Mutant[] = [
  one('account: a created connection that is no member', STORE, '        ...createEntries(connection),\n', ''),
  one(
    'account: a deleted connection that stays a member',
    STORE,
    '        ...moveEntries(connection, undefined),\n',
    '',
  ),
  one(
    'account: new credentials that leave the connection in its former account',
    INDEX,
    '...without(old, fresh).map(',
    '...(after === undefined ? without(old, fresh) : []).map(',
  ),
  one(
    'account: an older connection that is stored as no member',
    STORE,
    '      ...moveEntries(connection, { ...connection, accountKey: key }),\n',
    '',
  ),
  one(
    'index: a deletion that does not notice a new reference',
    STORE,
    'stillAsRead({ account_key: accountKey, metadata });',
    'stillAsRead({ account_key: accountKey });',
  ),
  one(
    'account: credentials of another company while rows are stored',
    COMPANIES,
    'isOtherCompany(connection.accountKey, sent) && (await mayHaveRows(connection));',
    'isOtherCompany(connection.accountKey, sent) && connection.openRuns.length > 0;',
  ),
  one(
    'account: credentials of another company while a run is open',
    COMPANIES,
    'openRuns.length > 0 || syncedScopes',
    'syncedScopes',
  ),
  one(
    'account: credentials of another company after a cancelled run, which writes late',
    COMPANIES,
    " || lastSyncStatus === 'cancelled'",
    '',
  ),
  one(
    'account: a run that begins after the credentials were judged',
    STORE,
    '...(credentials ? readSyncState(connection) : {}),',
    '...(credentials ? { account_key: connection.accountKey } : {}),',
  ),
  one(
    'account: a shared login that no run reports',
    'shared/sync/login/login-shared.ts',
    'return { ...changes, notices };',
    'return changes;',
  ),
];
