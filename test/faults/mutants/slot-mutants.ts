/** Mutants of who may take a slot of a login, and when. */
import { type Mutant, one } from './mutant.ts';

const MAY_TAKE = 'shared/sync/task/may-take.ts';

export const SLOT_MUTANTS: readonly Mutant[] = [
  one(
    'two logouts of one instant hold a slot under one name',
    'shared/sync/login/source-logout.ts',
    '`logout:${newId()}`',
    '`logout:${nowMs()}`',
  ),
  one(
    'scopes of a run hold a slot under one name',
    'shared/sync/task/lease.store.ts',
    '  `${runId}:${scope}:${generation}`;',
    '  `${runId}::${generation}`;',
  ),
  one('a slot taken while it rests', MAY_TAKE, ' || restsUntilMs > nowMs();', ' || restsUntilMs < 0;'),
  one(
    'a login taken while it is reserved for another run',
    MAY_TAKE,
    '(runId !== null && wasHeldBy(runId, slot))',
    'runId !== null',
  ),
  one(
    'a session logged out between two scopes of its run',
    MAY_TAKE,
    '(runId !== null && wasHeldBy(runId, slot))',
    'runId === null || wasHeldBy(runId, slot)',
  ),
  one(
    'a scope that ends leaves its login to all',
    'shared/sync/end/finish-run.ts',
    'release(lease, status === null ? reserveForRun() : {}),',
    'release(lease),',
  ),
];
