/**
 * Open and closed statements (decisions.md §5). Rows of an open statement are provisional. A complete closed statement
 * replaces all rows of its account and month. Pure.
 */
export interface Statement {
  /** Account in the spelling of `accountKey`. */
  account: string;
  isOpen: boolean;
}

interface StatementRowRef {
  id: string;
  statement: Statement | null;
  /** Present in scopes whose rows form a trail of balances. */
  step?: { account: string };
}

/** Returns the row's account in the spelling of `accountKey`; undefined in scopes without accounts. */
const accountIn = ({ statement, step }: StatementRowRef): string | undefined => statement?.account ?? step?.account;

/**
 * Returns the only spelling of an account number. Answers differ in dashes, blanks and leading zeros (banks.md part 2).
 */
export const accountKey = (number: string): string => number.replaceAll(/^[-\s0]+(?=[^-\s])|[-\s]/g, '');

/** True if parts of an account number are hidden, such as `****1234`. Such a number does not identify the account. */
export const isMasked = (number: string): boolean => /[*•]|x{2,}/i.test(number);

/**
 * Returns the rows that may be written. Rows of an open statement are dropped if the closed statement of the account is
 * stored. A month that is not over has no closed statement, even if a statement is stored as closed.
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
 * Returns the rows of doubtful statements that may be written. These rows may only add to the stored rows of their
 * account. If a doubtful statement does not show every stored row, none of its rows is written, because the same
 * movements would count twice. `contradicted` names the accounts of such statements.
 */
export const onlyAdding = <R extends StatementRowRef>(
  stored: readonly StatementRowRef[],
  incoming: readonly R[],
  doubtfulAccounts: readonly string[],
): { rows: readonly R[]; asStored: number; leftOut: number; contradicted: ReadonlySet<string> } => {
  if (doubtfulAccounts.length === 0) return { rows: incoming, asStored: 0, leftOut: 0, contradicted: new Set() };
  const doubtful = new Set(doubtfulAccounts.map(accountKey));
  const shown = new Set(incoming.map(({ id }) => id));
  const known = new Set(stored.map(({ id }) => id));
  const isOf = (accounts: ReadonlySet<string>, row: StatementRowRef) => accounts.has(accountIn(row) ?? '');
  const notShown = stored.filter(({ id }) => !shown.has(id)).flatMap((row) => accountIn(row) ?? []);
  const contradicted = new Set(notShown.filter((account) => doubtful.has(account)));
  const isDoubtful = (row: R) => isOf(doubtful, row);
  const isLeftOut = (row: R) => isOf(contradicted, row);
  const kept = incoming.filter((row) => !isLeftOut(row));
  const rows = kept.filter((row) => !isDoubtful(row) || !known.has(row.id));
  return { rows, asStored: kept.length - rows.length, leftOut: incoming.length - kept.length, contradicted };
};

/**
 * Returns the stored rows of the given accounts, from open and closed statements, that the closed statements do not
 * show.
 */
export const replacedRows = <R extends StatementRowRef>(
  stored: readonly R[],
  incoming: readonly StatementRowRef[],
  closedAccounts: readonly string[],
): R[] => {
  const closed = new Set(closedAccounts.map(accountKey));
  const shown = new Set(incoming.map(({ id }) => id));
  return stored.filter(({ id, statement }) => statement && closed.has(statement.account) && !shown.has(id));
};
