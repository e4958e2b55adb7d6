/**
 * Open and closed statements (decisions.md §5): rows of an open one are provisional; a whole closed one replaces all
 * rows of its account and month. Pure.
 */
export interface Statement {
  /** As `accountKey` spells it. */
  account: string;
  isOpen: boolean;
}

interface StatementRow {
  id: string;
  statement: Statement | null;
}

/** Spellings of one account differ between answers: dashes, blanks and leading zeros do not count (banks.md part 2). */
export const accountKey = (number: string): string => number.replaceAll(/[-\s]/g, '').replace(/^0+(?=.)/, '');

/**
 * Rows that may be written: an open statement says nothing any more about an account whose closed one is stored. A month
 * that is not over has no closed statement, whatever was stored of it.
 */
export const admissible = <R extends StatementRow>(
  stored: readonly StatementRow[],
  incoming: readonly R[],
  isOver: boolean,
): readonly R[] => {
  if (!isOver) return incoming;
  const closed = new Set(stored.flatMap(({ statement }) => (statement?.isOpen === false ? [statement.account] : [])));
  return incoming.filter(({ statement }) => !statement?.isOpen || !closed.has(statement.account));
};

/** Stored rows, open and closed, that the closed statements of these accounts do not show. */
export const replacedRows = <R extends StatementRow>(
  stored: readonly R[],
  incoming: readonly StatementRow[],
  closedAccounts: readonly string[],
): R[] => {
  const closed = new Set(closedAccounts.map(accountKey));
  const shown = new Set(incoming.map(({ id }) => id));
  return stored.filter(({ id, statement }) => statement && closed.has(statement.account) && !shown.has(id));
};
