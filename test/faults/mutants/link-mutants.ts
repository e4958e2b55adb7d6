/** Rules of connect links, each broken once. */
import { type Mutant, one } from './mutant.ts';

const SUBMIT = 'shared/connect-links/submit-credentials.store.ts';

export const LINK_MUTANTS: readonly Mutant[] = [
  one(
    'link: credentials sent twice by one session',
    SUBMIT,
    "if: '#session_sha256 = :session AND #submissions = :submissions AND #submissions < :max',",
    "if: '#session_sha256 = :session AND #submissions >= :submissions AND #submissions < :max',",
  ),
  one(
    'link: a visit that forgets the connection it made',
    SUBMIT,
    'set: visitItem.toChanges({ connectionId: run.connectionId, runId: run.id, credentialsVersion }),',
    'set: visitItem.toChanges({ runId: run.id, credentialsVersion }),',
  ),
  one('link: a connection whose link does not count it', SUBMIT, '  add: { connections_made: 1 },\n', ''),
  one(
    'link: more connections than the link allows',
    SUBMIT,
    'if: `${isOpen} AND #connections_made < :max`,',
    'if: `${isOpen} AND #connections_made <= :max`,',
  ),
  one(
    'link: the first sync written after its connection',
    SUBMIT,
    '    submitted(visit, run, connection.credentialsVersion),\n    runs.putQueued(run),\n  ]);',
    '    submitted(visit, run, connection.credentialsVersion),\n  ]).then(() => runs.create(run));',
  ),
  one(
    'link: a repair that its visit does not count',
    SUBMIT,
    'submitted(visit, run, connection.credentialsVersion + 1)',
    'submitted(visit, run, connection.credentialsVersion)',
  ),
  one(
    'link: a repair with the login of another account',
    'shared/connect-links/connect.ts',
    "if (link.kind === 'repair' && readAccountHash(connection.accountKey) !== readAccountHash(accountKey))\n      throw new OtherAccount();",
    '',
  ),
  one(
    'link: a cancelled link that counts down twice',
    'shared/connect-links/link.store.ts',
    "if: 'attribute_exists(pk) AND attribute_not_exists(#cancelled_at)',",
    "if: 'attribute_exists(pk)',",
  ),
];
