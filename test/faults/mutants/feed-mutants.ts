// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are code, quoted unchanged
/**
 * Mutants that report changes wrongly, or not at all. Six more are too rare for histories and have their own tests: a
 * confirmed row with an unchanged sequence, and a row that stays next to a late copy and is not reported again
 * (`late-changes.test.ts`); a second look that uses the time of the store (`late-rows.test.ts`); the number of a
 * tender's change given twice, a reading that serves other rows and is not announced, and late rows of a tender that
 * are not announced again (`tender-changes.test.ts`).
 */
import { type Mutant, one } from './mutant.ts';

const STORE = 'shared/rows/index/store-index.store.ts';
const STAMPS = 'shared/rows/item/stamps.rules.ts';
const PLAN = 'shared/rows/write/write-plan.ts';
const GONE = 'shared/rows/write/tombstone.store.ts';
const FINISH = 'shared/sync/end/finish-run.ts';
const ROUND = 'shared/rows/read/read-round.store.ts';
const TENDER = 'shared/tenders/tender.store.ts';
const MARKS = 'shared/tenders/tender-marks.rules.ts';
const COPIES = 'shared/rows/write/late-copies.store.ts';

const OWN_NUMBER = 'updatedRun: lastChange(row, here), createdSequence });';
const LISTED = 'plan.settled.push(listedAs(row, { ...history, sequence }));';

export const FEED_MUTANTS: readonly Mutant[] = [
  one(
    'rows of a dead worker announced when they were put',
    STAMPS,
    '  for (const sequence of unannounced) if (sequence !== storedAt) all.set(sequence, storedAt);\n',
    '',
  ),
  one(
    'late announcements forgotten by the next store',
    STAMPS,
    'const all = new Map(before);',
    'const all = new Map();',
  ),
  one(
    'rows of a worker that was taken over not looked at again',
    STORE,
    '  return waits.length === 0 ? null : {',
    '  return waits.length >= 0 ? null : {',
  ),
  {
    name: 'a row that is confirmed is not announced',
    changes: [
      {
        file: PLAN,
        old: OWN_NUMBER,
        new: `${OWN_NUMBER.slice(0, -3)}, keeps: here?.hash === row.hash ? here.sequence : undefined });`,
      },
      { file: PLAN, old: LISTED, new: LISTED.replace('sequence }', 'sequence: history.keeps ?? sequence }') },
    ],
  },
  one(
    'a tombstone put after its row was removed',
    GONE,
    'await table.transact([stillHeld(lease), ...removals, ...documents, ...buried.values()]);',
    '{ await table.transact([stillHeld(lease), ...removals, ...documents]); await table.transact([stillHeld(lease), ...buried.values()]); }',
  ),
  one(
    'rows removed without the lease',
    GONE,
    'await table.transact([stillHeld(lease), ...removals, ...documents, ...buried.values()]);',
    'await table.transact([...removals, ...documents, ...buried.values()]);',
  ),
  {
    name: 'removed rows sent after the rows of the round',
    changes: [
      {
        file: ROUND,
        old: "phase: { kind: 'deleted', after: null } };",
        new: "phase: { kind: 'rows', after: null } };",
      },
      {
        file: ROUND,
        old: "    phase = { kind: 'rows', after: null };\n",
        new: '    return { c: upTo, round: null };\n',
      },
      {
        file: ROUND,
        old: '  return stop === null ? { c: upTo, round: null } :',
        new: "  return stop === null ? { c, round: { upTo, phase: { kind: 'deleted', after: null } } } :",
      },
    ],
  },
  one(
    'removed rows not sent to a reader that starts over',
    ROUND,
    "phase: { kind: 'deleted', after: null } };",
    "phase: { kind: c === 0 ? 'rows' : 'deleted', after: null } };",
  ),
  one(
    'a round that ends at the newest sequence',
    ROUND,
    'return stop === null ? { c: upTo, round: null }',
    'return stop === null ? { c: seq, round: null }',
  ),
  one(
    'changes read by an index of before',
    ROUND,
    'found !== undefined && found.seq >= (mustGet(summary, period).seq ?? 0);',
    'found !== undefined;',
  ),
  one(
    'rows of a mend not marked',
    COPIES,
    'begun: [stillHeld(lease), ...marks(address, [period, other ?? period], lease)]',
    'begun: [stillHeld(lease)]',
  ),
  one(
    'removed rows counted only by this worker',
    'shared/rows/write/write-period.ts',
    'firstFence === undefined || firstFence === lease.fence',
    'firstFence !== null',
  ),
  one(
    'a cancel that drops the notices of its scopes',
    FINISH,
    'const notices = await closingNotices(task, definition);',
    'const notices = definition ? [] : task.notices;',
  ),
  one(
    'a cancel that counts no rows of the month under way',
    FINISH,
    'const notices = await closingNotices(task, definition);',
    'const notices = definition ? task.notices : [];',
  ),
  one(
    'a cancel over a checkpoint that it did not read',
    'shared/sync/task/task.store.ts',
    "if: CHECKPOINT.map((attribute) => `#${attribute} = :${attribute}`).join(' AND '),",
    "if: CHECKPOINT.map((attribute) => `(#${attribute} = :${attribute} OR attribute_exists(pk))`).join(' AND '),",
  ),
  one(
    'rows of a tender put without a mark',
    TENDER,
    '  if (hasNews) await markUnannounced(address, scope, fence);\n',
    '',
  ),
  one('what a dead writer left of a tender not announced', MARKS, '  marks.some(', '  marks.length < 0 && marks.some('),
  one(
    'what a connection stored believed though older rows came late',
    'shared/tenders/tender-reads.store.ts',
    'remove: [digestOf(scope)],',
    "remove: ['none'],",
  ),
  one(
    'what a dead writer left of a tender announced and not listed',
    'shared/tenders/tender-changes.store.ts',
    "    if (scope === 'licitaciones') await listTender(address, procurementLicitaciones, undefined);\n",
    '',
  ),
  one(
    'the end of a connection not reported',
    'shared/tenders/tender-purge.store.ts',
    '  await announceDeleted(organizationId, connectionId);\n',
    '',
  ),
];
