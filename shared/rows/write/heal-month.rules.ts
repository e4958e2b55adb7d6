/**
 * Compares a reading of a month with the stored movements, account by account, by the trail of balances that they form
 * (ADR 36). A stored row that is not shown is removed only if the trail breaks with it and holds without it. Pure.
 */
import { type MonthWalk, type WalkEnds, type WalkStep, walkMonth } from '#shared/rows/item/month-walk.rules.ts';
import { rowSortKeyParts } from '#shared/rows/item/row-keys.ts';

export interface MovementRef {
  id: string;
  sortKey: string;
  step?: WalkStep;
}

/** Balances that the source states for an account. An account without a statement has unknown ends. */
export type StatedEnds = ReadonlyMap<string, WalkEnds>;

export const UNKNOWN_ENDS: WalkEnds = { opening: null, closing: null };

const stepOf = ({ step }: MovementRef): WalkStep => {
  if (step === undefined) throw new Error('a row of a scope with a trail of balances has no step');
  return step;
};

export const groupByAccount = <R extends MovementRef>(rows: readonly R[]): Map<string, R[]> =>
  Map.groupBy(rows, (row) => stepOf(row).account);

/** Walks the rows of one account, oldest first. */
export const walkRows = (rows: readonly MovementRef[], ends: WalkEnds): MonthWalk =>
  walkMonth(rows.toSorted((a, b) => (a.sortKey < b.sortKey ? -1 : 1)).map(stepOf), ends);

export interface Healed<R> {
  /** Stored rows to remove. */
  removed: R[];
  /** Accounts whose reading leaves out stored rows that fit, because it is an older or cut copy of the month. */
  shorter: Set<string>;
}

const dayOf = ({ sortKey }: MovementRef): string => rowSortKeyParts(sortKey).day;

/**
 * True if a stored row that is not shown continues the trail where the reading ends. Then the reading is older than the
 * stored month, and the other rows that it leaves out may be right.
 */
const endsEarlier = (
  shown: readonly MovementRef[],
  missing: readonly MovementRef[],
  closing: string | null,
): boolean => {
  const lastDay = shown.map(dayOf).reduce((last, day) => (day > last ? day : last));
  return missing.some((row) => {
    const [before, after] = stepOf(row).balances ?? [];
    return before === closing && after !== before && dayOf(row) >= lastDay;
  });
};

const spellStep = (row: MovementRef): string => JSON.stringify(stepOf(row).balances);

/** True if the reading shows one of the stored rows, or the same step under another number. */
const confirmsSome = (shown: readonly MovementRef[], stored: readonly MovementRef[]): boolean => {
  const known = new Set(stored.flatMap((row) => [row.id, spellStep(row)]));
  return shown.some((row) => known.has(row.id) || known.has(spellStep(row)));
};

/** Returns movements of zero at a balance that the reading reaches. With them the trail holds as well as without them. */
const findFittingZeros = <R extends MovementRef>(shown: readonly MovementRef[], missing: readonly R[]): R[] => {
  const reached = new Set(shown.flatMap((row) => stepOf(row).balances ?? []));
  return missing.filter((row) => {
    const [before, after] = stepOf(row).balances ?? [];
    return before !== undefined && before === after && reached.has(before);
  });
};

/**
 * A reading that confirms no stored row may be the statement of another month that begins with the same balance. It
 * removes nothing: the month is stored with both, is reported as broken, and the next reading decides.
 *
 * @param shown rows of the reading that are about to be stored
 * @param options.isWhole true if the reading covers the month from its first day on
 * @param options.decided accounts whose stored rows another rule retains or replaces
 */
export const healMonth = <R extends MovementRef>(
  stored: readonly R[],
  shown: readonly MovementRef[],
  stated: StatedEnds,
  { isWhole, decided }: { isWhole: boolean; decided: ReadonlySet<string> },
): Healed<R> => {
  const healed: Healed<R> = { removed: [], shorter: new Set() };
  const ids = new Set(shown.map(({ id }) => id));
  const shownByAccount = groupByAccount(shown);
  for (const [account, rows] of groupByAccount(stored)) {
    const own = shownByAccount.get(account);
    const missing = rows.filter(({ id }) => !ids.has(id));
    if (own === undefined || missing.length === 0 || decided.has(account)) continue;
    const ends = stated.get(account) ?? UNKNOWN_ENDS;
    const joint = walkRows([...own, ...missing], { opening: ends.opening, closing: null });
    const fitting = new Set(joint.state === 'holds' ? missing : findFittingZeros(own, missing));
    if (fitting.size > 0) healed.shorter.add(account);
    if (joint.state !== 'broken' || !isWhole || !confirmsSome(own, rows)) continue;
    const alone = walkRows(own, ends);
    if (alone.state !== 'holds' || endsEarlier(own, missing, alone.closing)) continue;
    healed.removed.push(...missing.filter((row) => !fitting.has(row)));
  }
  return healed;
};

/** Returns the balance with which the shown rows of each of the accounts begin, if it is known. */
export const findOpenings = (
  shown: readonly MovementRef[],
  stated: StatedEnds,
  accounts: Iterable<string>,
): Map<string, string> => {
  const openings = new Map<string, string>();
  const byAccount = groupByAccount(shown);
  for (const account of accounts) {
    const opening = stated.get(account)?.opening ?? walkOpening(byAccount.get(account) ?? []);
    if (opening !== null) openings.set(account, opening);
  }
  return openings;
};

const walkOpening = (rows: readonly MovementRef[]): string | null => {
  const walk = walkRows(rows, UNKNOWN_ENDS);
  return walk.state === 'holds' ? walk.opening : null;
};

/** The trail of one account in a stored month. */
export interface AccountWalk {
  account: string;
  /** Number of stored movements. */
  rows: number;
  walk: MonthWalk;
}

/** @param stated the balances that the source stated for the rows as they are stored now */
export const walkAccounts = (stored: readonly MovementRef[], stated: StatedEnds): AccountWalk[] => {
  const byAccount = groupByAccount(stored);
  const accounts = [...new Set([...byAccount.keys(), ...stated.keys()])].sort();
  return accounts.map((account) => ({
    account,
    rows: byAccount.get(account)?.length ?? 0,
    walk: walkRows(byAccount.get(account) ?? [], stated.get(account) ?? UNKNOWN_ENDS),
  }));
};
