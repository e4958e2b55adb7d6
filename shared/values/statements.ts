/**
 * Open and closed statements (decisions.md §5): rows of an open one are provisional; a whole closed one replaces all
 * rows of its account and month. Pure.
 */
export interface Statement {
  /** As `accountKey` spells it. */
  account: string;
  isOpen: boolean;
}

interface StatementRowRef {
  id: string;
  statement: Statement | null;
}

/** Spellings of one account differ between answers: dashes, blanks and leading zeros do not count (banks.md part 2). */
export const accountKey = (number: string): string => number.replaceAll(/^[-\s0]+(?=[^-\s])|[-\s]/g, '');

/**
 * Rows that may be written: an open statement says nothing any more about an account whose closed one is stored. A month
 * that is not over has no closed statement, whatever was stored of it.
 */
export const admissible = <R extends StatementRowRef>(
  stored: readonly StatementRowRef[],
  incoming: readonly R[],
  { isOver }: { isOver: boolean },
): readonly R[] => {
  if (!isOver) return incoming;
  const closed = new Set(stored.flatMap(({ statement }) => (statement?.isOpen === false ? [statement.account] : [])));
  return incoming.filter(({ statement }) => !statement?.isOpen || !closed.has(statement.account));
};

/**
 * Rows of closed statements in doubt may only add to what is stored of their account. Where such a statement does not show
 * all that is stored, its rows beside the stored ones would count twice: none of them is written.
 */
export const onlyAdding = <R extends StatementRowRef>(
  stored: readonly StatementRowRef[],
  incoming: readonly R[],
  doubtfulAccounts: readonly string[],
): { rows: readonly R[]; asStored: number; leftOut: number } => {
  if (doubtfulAccounts.length === 0) return { rows: incoming, asStored: 0, leftOut: 0 };
  const doubtful = new Set(doubtfulAccounts.map(accountKey));
  const shown = new Set(incoming.map(({ id }) => id));
  const known = new Set(stored.map(({ id }) => id));
  const notShown = stored.filter(({ id }) => !shown.has(id)).flatMap(({ statement }) => statement?.account ?? []);
  const contradicted = new Set(notShown.filter((account) => doubtful.has(account)));
  const isDoubtful = ({ statement }: R) => statement !== null && doubtful.has(statement.account);
  const isLeftOut = ({ statement }: R) => statement !== null && contradicted.has(statement.account);
  const kept = incoming.filter((row) => !isLeftOut(row));
  const rows = kept.filter((row) => !isDoubtful(row) || !known.has(row.id));
  return { rows, asStored: kept.length - rows.length, leftOut: incoming.length - kept.length };
};

/** Stored rows, open and closed, that the closed statements of these accounts do not show. */
export const replacedRows = <R extends StatementRowRef>(
  stored: readonly R[],
  incoming: readonly StatementRowRef[],
  closedAccounts: readonly string[],
): R[] => {
  const closed = new Set(closedAccounts.map(accountKey));
  const shown = new Set(incoming.map(({ id }) => id));
  return stored.filter(({ id, statement }) => statement && closed.has(statement.account) && !shown.has(id));
};
