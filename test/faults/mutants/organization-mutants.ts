/**
 * Mutants of the organization's feed: a reader that follows only this feed misses a change or still has deleted rows. Two
 * more are too rare for histories, because two workers must announce within milliseconds, and have their own test
 * (`numbered-entries.test.ts`): a number that is taken before its entry is stored, and a number given twice.
 */
import { type Mutant, one } from './mutant.ts';

const STORE = 'shared/rows/index/store-index.store.ts';
const ANNOUNCE = 'shared/rows/index/announce-scope.store.ts';
const READ = 'shared/rows/read/read-organization-changes.store.ts';
const PURGE = 'shared/recovery/purge-connection.ts';

const ANNOUNCED = 'await transact({ attributes: { [ENTRY]: n }, items: [...items, ...replaced] });';
const ALONE = 'await table.transact([...items, ...replaced]);';
const BARE = 'await transact({ attributes: { [ENTRY]: n }, items: [] });';

export const ORGANIZATION_MUTANTS: readonly Mutant[] = [
  one('changes of a scope not announced to the organization', STORE, '      ...items,\n', ''),
  one('changes of a scope announced before they are stored', ANNOUNCE, ANNOUNCED, `${ALONE} ${BARE}`),
  one('changes of a scope announced after they are stored, without a mark', ANNOUNCE, ANNOUNCED, `${BARE} ${ALONE}`),
  one('an entry of another scope removed', ANNOUNCE, 'remove: list.entry(former)', 'remove: list.entry(n - 1)'),
  one('a cursor after entries that were not sent', READ, 'of shown) after[part] = n;', 'of found) after[part] = n;'),
  one(
    'the end of a connection not reported to the organization',
    PURGE,
    '    await announceDeletedConnection(organizationId, connectionId, names);\n',
    '',
  ),
];
