/** Broken rules of the snapshot of connections (docs/adr/0043). */
import { type Mutant, one } from './mutant.ts';

const STORE = 'shared/connections/connection.store.ts';
const CHANGED = 'shared/connections/changed-connections.store.ts';
const SNAPSHOT = 'shared/connections/connection-snapshot.store.ts';
const PAGE = 'shared/connections/find-page-of-many.store.ts';
const END = 'shared/sync/end/connection-end.ts';

const LIST_RULES: readonly Mutant[] = [
  one(
    'a new connection is not noted',
    STORE,
    '        ...createEntries(connection),\n        noteChanged(organizationId, id),\n',
    '        ...createEntries(connection),\n',
  ),
  one(
    'a request does not note the change',
    STORE,
    '      ...(changesList(changes) ? [noteChanged(organizationId, id)] : []),\n',
    '',
  ),
  one(
    'an account is stored and not noted',
    STORE,
    '      noteChanged(organizationId, id),\n    ]);\n  } catch',
    '    ]);\n  } catch',
  ),
  one('an approval is not noted', STORE, '[update, noteChanged(organizationId, connectionId)]', '[update]'),
  one(
    'a deletion is not noted',
    STORE,
    '        noteChanged(organizationId, id),\n        counting.lessOne,\n',
    '        counting.lessOne,\n',
  ),
  one(
    'the end of a run does not note its connection',
    END,
    'isListedAsBefore ? [] : [noteChanged(organizationId, id)]',
    '[]',
  ),
  one('an end with another error code is not noted', END, 'status === was && code === lastCode', 'status === was'),
  {
    name: 'a connection that was noted again is forgotten',
    changes: [
      { file: CHANGED, old: "      if: '#note = :note',\n      values: { note },\n", new: '' },
      { file: SNAPSHOT, old: 'now?.note === note && isSame', new: 'isSame' },
    ],
  },
  one(
    'a snapshot replaces a newer one',
    SNAPSHOT,
    "was === undefined ? 'attribute_not_exists(pk)' : '#object_id = :was'",
    "was === undefined ? 'attribute_not_exists(pk)' : ':was = :was'",
  ),
  one('an old snapshot is read', SNAPSHOT, 'nowMs() - readAtMs >= CONNECTION_LIMITS.snapshotMs', 'nowMs() < 0'),
  one(
    'changes are forgotten before their snapshot is stored',
    SNAPSHOT,
    '    await putObject(organizationId, objectId, connections);\n',
    '    await forgetContained(organizationId, contained);\n    await putObject(organizationId, objectId, connections);\n',
  ),
  {
    name: 'the snapshot is read before the changes',
    changes: [
      {
        file: PAGE,
        old: '  const noted = await listChanged(',
        new: '  const { objectId, snapshot } = await findSnapshot(organizationId);\n  const noted = await listChanged(',
      },
      {
        file: PAGE,
        old: '  const { objectId, snapshot } = await findSnapshot(organizationId);\n  const changed',
        new: '  const changed',
      },
    ],
  },
  one('changes beyond those that are read one by one are left out', PAGE, '|| noted.length > changedReadMax', ''),
  one(
    'a connection is listed as the snapshot has it',
    PAGE,
    'isDeepStrictEqual(toListed(read), toListed(chosen))',
    'true',
  ),
  one(
    'an approval is not looked up',
    PAGE,
    'choice.filter.needsAttention ? await readWaiting(organizationId, all, choice.nowMs) : all',
    'all',
  ),
  one('a deleted connection stays in the snapshot', PAGE, '!replaced.has(id))', '!(replaced.has(id) && read.has(id)))'),
  one('a list with changes is in another order', PAGE, '.sort(newestFirst)', ''),
];

export const LIST_MUTANTS: readonly Mutant[] = LIST_RULES.map((mutant) => ({ ...mutant, of: 'lists' }));
