/**
 * Plans how a reading changes a stored month (decisions.md §5): which rows are stored, which stored rows are removed,
 * and which contradictions keep rows as they are.
 */
import { nowMs } from '#shared/platform/clock.ts';
import { readPeriod } from '#shared/rows/index/row-partition.store.ts';
import { type Diff, diffRows, type IncomingRow, type StoredRow } from '#shared/rows/item/row-diff.rules.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { santiagoPeriod } from '#shared/values/dates.ts';
import type { MonthHeads } from '#shared/values/known-accounts.ts';
import type { ToldTotals } from '#shared/values/source-totals.ts';
import { accountKey, admissible, onlyAdding, replacedRows } from '#shared/values/statements.ts';
import { findRowsOutsideBook } from './complete-books.ts';
import { type Healed, healMonth } from './heal-month.rules.ts';
import { type FactsOptions, holdFacts } from './hold-facts.ts';
import { type KnownRows, matchStoredRows } from './match-stored-rows.ts';
import type { WaitingRows } from './pending-rows.ts';
import type { PeriodCounts } from './period-counts.ts';
import type { Writer } from './row.store.ts';
import { rowsNotShown } from './rows-not-shown.rules.ts';

/** What a reading of a bank's month says about its accounts. Accounts are in the spelling of `accountKey`. */
export interface ReadStatements {
  /** Accounts in the bank's list. */
  listed: ReadonlySet<string>;
  /** Heads of the statements that this reading shows. */
  shown: MonthHeads;
  /** Heads of the statements as they were stored before. */
  before: MonthHeads;
  /** False if the reading leaves out days of the month, or accounts. */
  isWhole: boolean;
}

export const NO_STATEMENTS: ReadStatements = { listed: new Set(), shown: {}, before: {}, isWhole: true };

export interface WriteOptions {
  /** False if no row of the scope was ever stored. In this case new rows are not looked up in other periods. */
  mayBeElsewhere?: boolean;
  /**
   * Accounts whose closed statement of this period was read completely. Stored rows of these accounts that the
   * statement does not show are deleted. A statement without rows deletes nothing.
   */
  closed?: readonly string[];
  /** Accounts with a doubtful statement of this period. The rows of such a statement do not change stored data. */
  doubtful?: readonly string[];
  statements?: ReadStatements;
  facts?: FactsOptions;
  /** Totals of the period as the source reported them. */
  told?: ToldTotals;
  /** Months whose totals the same run has compared. They are compared again when rows leave them. */
  compared?: ReadonlySet<string>;
  /** True to recognize stored rows whose number at the source changed, in scopes that define how to recognize them. */
  recognizes?: boolean;
  /**
   * Receives the number of stored rows that will be replaced by other data. Called before the first write, because
   * after a crash the next worker cannot count these rows any more.
   */
  beforeWriting?: (counts: Pick<PeriodCounts, 'rewritten' | 'corrected'>) => Promise<void>;
}

/** How the rows of one reading change the stored month. */
export interface MonthPlan {
  stored: StoredRow[];
  known: KnownRows;
  /** Rows of the reading that may be stored. */
  incoming: readonly IncomingRow[];
  diff: Diff<IncomingRow>;
  /** Stored rows that this reading deletes. */
  replaced: StoredRow[];
  /** The counts that are known before anything is written. */
  counts: Omit<
    PeriodCounts,
    'created' | 'updated' | 'removed' | 'removedChildRows' | 'completed' | 'totals' | 'isOpen' | 'walks'
  >;
}

/** Without information about earlier readings, no contradiction is believed. */
const NO_FACTS_KNOWN: FactsOptions = {
  isSecondReading: true,
  findLastReading: async () => ({ runId: null, isDoubted: false }),
};

/** Reads the stored rows. Facts are read of rows that changed, or of all rows if rows are recognized without their number. */
const readStored = (
  { address, scope, period }: Writer,
  { list }: WaitingRows,
  recognizes: boolean,
): Promise<StoredRow[]> => {
  if (!scope.facts) return readPeriod(address, scope, period);
  const hashes = new Map(list.map(({ id, hash }) => [id, hash]));
  const isCompared = recognizes && scope.numbered ? () => true : (id: string, hash: string) => hashes.get(id) !== hash;
  return readPeriod(address, scope, period, isCompared);
};

/** Returns the accounts with a closed statement that has no rows while rows are stored. */
const findEmptied = (
  stored: readonly StoredRow[],
  shown: readonly IncomingRow[],
  closed: readonly string[],
): Set<string> => {
  const shownAccounts = new Set(shown.map(({ statement }) => statement?.account));
  const storedAccounts = new Set(stored.map(({ statement }) => statement?.account));
  return new Set(
    closed.map(accountKey).filter((account) => storedAccounts.has(account) && !shownAccounts.has(account)),
  );
};

const NOTHING_HEALED: Healed<StoredRow> = { removed: [], shorter: new Set() };

/** Returns the accounts whose rows another rule retains or replaces, so that the trail of balances does not decide. */
const decidedAccounts = ({ closed = [], doubtful = [] }: WriteOptions): Set<string> =>
  new Set([...closed, ...doubtful].map(accountKey));

/** Returns the ids of stored rows that this month does not show. Another month of the run may show them. */
const findNotShown = (stored: readonly StoredRow[], list: readonly IncomingRow[]): string[] => {
  const shown = new Set(list.map(({ id }) => id));
  return list.length === 0 ? [] : stored.flatMap(({ id }) => (shown.has(id) ? [] : [id]));
};

interface NotShown {
  /** Stored rows of accounts whose reading is an older or cut copy. */
  shorter: number;
  /** Stored rows of accounts whose closed statement has no rows. */
  emptied: number;
  /** Other stored rows that the reading should show. */
  kept: number;
}

const countNotShown = (
  scope: ScopeDefinition,
  stored: readonly StoredRow[],
  list: readonly IncomingRow[],
  {
    removed,
    silent,
    shorter,
    emptied,
    statements,
  }: {
    removed: readonly StoredRow[];
    /** Accounts whose rows another notice reports. */
    silent: ReadonlySet<string>;
    shorter: ReadonlySet<string>;
    emptied: ReadonlySet<string>;
    statements: ReadStatements;
  },
): NotShown => {
  if (!scope.periodic) return { shorter: 0, emptied: 0, kept: 0 };
  const showsAll = scope.isShownIn === 'month' && statements.isWhole;
  const isListed = ({ step }: StoredRow) =>
    step === undefined || list.length === 0 || statements.listed.has(step.account);
  const count = (isCounted: (account: string) => boolean): number =>
    rowsNotShown(
      stored.filter((row) => isListed(row) && isCounted(row.step?.account ?? '')),
      list,
      { removed, showsAll },
    );
  return {
    shorter: count((account) => shorter.has(account)),
    emptied: count((account) => emptied.has(account)),
    kept: count((account) => !shorter.has(account) && !emptied.has(account) && !silent.has(account)),
  };
};

/**
 * @throws RowsRewritten if too many rows would change identity and the reading is not accepted yet
 * @throws FactsContradicted if a first reading changes the facts of too many rows
 */
export const planMonth = async (writer: Writer, reading: WaitingRows, options: WriteOptions): Promise<MonthPlan> => {
  const { scope, period } = writer;
  const { recognizes = false, closed = [], doubtful = [], statements = NO_STATEMENTS } = options;
  const stored = await readStored(writer, reading, recognizes);
  const known = await matchStoredRows(writer, recognizes ? scope.numbered : undefined, stored, reading);
  const { list } = known.rows;
  const admitted = admissible(stored, list, { isOver: period < santiagoPeriod(nowMs()) });
  const adding = onlyAdding(stored, admitted, doubtful);
  const facts = await holdFacts(
    writer,
    { stored, rows: adding.rows, waiting: known.rows, others: known.others },
    options.facts ?? NO_FACTS_KNOWN,
  );
  const incoming = facts.rows;
  const emptied = findEmptied(stored, list, closed);
  const twins = new Set(known.twins);
  const present = stored.filter((row) => !twins.has(row));
  const stated = new Map(Object.entries(statements.shown));
  const healed = scope.walk
    ? healMonth(present, incoming, stated, { isWhole: statements.isWhole, decided: decidedAccounts(options) })
    : NOTHING_HEALED;
  const isReplacing = (account: string) => !emptied.has(accountKey(account));
  const replaced = [
    ...replacedRows(stored, incoming, closed.filter(isReplacing)),
    ...healed.removed,
    ...known.twins,
    ...findRowsOutsideBook(scope, options.told, stored, incoming),
  ];
  const notShown = countNotShown(scope, stored, list, {
    ...{ removed: replaced, silent: adding.contradicted, shorter: healed.shorter, emptied, statements },
  });
  return {
    ...{ stored, known, incoming, replaced, diff: diffRows(stored, incoming) },
    counts: {
      found: incoming.length + adding.asStored + facts.held,
      ignored: list.length - admitted.length,
      doubtful: adding.leftOut,
      renumbered: known.renumbered,
      rewritten: known.rewritten,
      notes: known.notes,
      corrected: facts.corrected,
      held: facts.held,
      heldHours: facts.heldHours,
      ...notShown,
      healed: healed.removed.length,
      notShown: scope.isShownIn === 'run' && statements.isWhole ? findNotShown(stored, list) : [],
      unread: [...healed.shorter, ...emptied, ...adding.contradicted],
    },
  };
};
