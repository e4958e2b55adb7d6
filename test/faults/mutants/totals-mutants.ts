/**
 * Mutants that make totals, coverage and the walk of a month wrong. Two are too rare for histories and have their own tests: a change of
 * coverage without its version (`test/integration/engine/coverage.test.ts`), and an older reading that ends last and decides
 * (`test/unit/sync/coverage.test.ts`).
 */
import { type Mutant, one } from './mutant.ts';

const ENDS = 'shared/sync/end/finish-run.ts';
const TIED = 'shared/rows/write/tie-out.store.ts';

export const TOTALS_MUTANTS: readonly Mutant[] = [
  one(
    'credit notes netted',
    'shared/rows/item/totals.rules.ts',
    "return amount === undefined ? '' : (amount ?? '0');",
    "return amount === undefined ? '' : row.document_type === '61' && amount ? '-' + amount : (amount ?? '0');",
  ),
  one(
    'sums over only the rows that came',
    TIED,
    '.filter(({ known }) => isTold(told, known));',
    '.filter(() => told.totals.length < 0);',
  ),
  {
    name: 'totals retained by a repair',
    changes: [
      {
        file: 'shared/rows/index/store-index.store.ts',
        old: '        ...now.attributes,\n',
        new: '        ...(before?.totals ? { totals: before.totals } : {}),\n        ...now.attributes,\n',
      },
      {
        file: 'shared/rows/index/store-index.store.ts',
        old: '...searchHead(search), ...now.entry };',
        new: '...searchHead(search), ...(told?.tieOut ? { tieOut: told.tieOut } : {}), ...now.entry };',
      },
    ],
  },
  one(
    "coverage outside the end's transaction",
    ENDS,
    '    item,\n  ];',
    "  ];\n  await (await import('#shared/table/table.ts')).transact([item]);",
  ),
  one('coverage of a cancelled scope forgotten', ENDS, 'items: [item, ended] };', 'items: [ended] };'),
  one(
    'a half written month that a repair calls whole',
    'shared/rows/index/store-index.store.ts',
    'const isHalfWritten = !isSync && before?.isHalfWritten === true;',
    'const isHalfWritten = !isSync && before === undefined;',
  ),
  one(
    'a month with a break called whole',
    'shared/sync/coverage/coverage.rules.ts',
    'const reason = errorCode ?? gap ?? (done.breaks ? breaksCode(scope) : null);',
    'const reason = errorCode ?? gap ?? null;',
  ),
  one(
    'a checkpoint without the breaks of its month',
    'shared/sync/task/period-done.rules.ts',
    'breaks: breaks.length > 0 ? [...breaks] : undefined,',
    'breaks: undefined,',
  ),
  one(
    'a movement apart from the others not seen',
    'shared/rows/item/month-walk.rules.ts',
    'return resumesAt === undefined ? null : { stopsAt, resumesAt };',
    'return null;',
  ),
  one(
    'rows of an odd answer that stay for good',
    'shared/rows/write/heal-month.rules.ts',
    'healed.removed.push(...missing.filter((row) => !fitting.has(row)));',
    'healed.removed.push(...missing.filter(() => false));',
  ),
  one(
    'rows that left a month still counted',
    'shared/rows/item/totals-without.rules.ts',
    'Big(ours!).minus(less).toFixed()',
    'Big(ours!).toFixed()',
  ),
];
