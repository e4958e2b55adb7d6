/**
 * Sums over rows, grouped by the fields that a scope names. The sums are exact, and amounts of one group
 * never offset amounts of another group. Pure.
 */
import { Big } from 'big.js';
import type { AgentView, Row } from '#shared/scopes/scope.ts';

export interface SummedGroup {
  /** Field values that all rows of the group share. */
  group: Record<string, unknown>;
  /** True if the group's amounts are subtracted from the other groups. The amounts themselves are positive. */
  isSubtracted: boolean;
  rows: number;
  /** Sum by field, over the rows that have an amount. */
  sums: Record<string, Big>;
}

/** Sums of rows that were read one by one. */
export interface GroupSums extends SummedGroup {
  /** Number of rows without an amount, by field. A field without such rows is absent. */
  withoutAmount: Record<string, number>;
}

export type Summed = Pick<AgentView, 'sums' | 'groups' | 'subtracted'>;

const fieldOf = (row: Row, field: string): unknown => row[field] ?? null;

/** Returns the group of a row, without rows. */
export const newGroup = ({ sums, groups, subtracted = {} }: Summed, row: Row): SummedGroup => ({
  group: Object.fromEntries(groups.map((field) => [field, fieldOf(row, field)])),
  isSubtracted: Object.entries(subtracted).some(([field, values]) => values.includes(String(fieldOf(row, field)))),
  rows: 0,
  sums: Object.fromEntries(sums.map((field) => [field, Big(0)])),
});

const addTo = (to: Record<string, Big>, amounts: Readonly<Record<string, Big>>, sign: 1 | -1 = 1): void => {
  for (const [field, amount] of Object.entries(amounts)) to[field] = (to[field] ?? Big(0)).plus(amount.times(sign));
};

const addRow = (to: GroupSums, fields: readonly string[], row: Row): void => {
  to.rows++;
  for (const field of fields) {
    const amount = fieldOf(row, field);
    if (amount === null) to.withoutAmount[field] = (to.withoutAmount[field] ?? 0) + 1;
    else addTo(to.sums, { [field]: Big(amount as string | number) });
  }
};

const keyOf = ({ group }: Pick<SummedGroup, 'group'>): string => JSON.stringify(Object.values(group));

const byGroup = (a: SummedGroup, b: SummedGroup): number => (keyOf(a) < keyOf(b) ? -1 : 1);

/** Returns the sums by group, sorted by the groups' values and independent of the order of the rows. */
export const sumRows = (view: Summed, rows: Iterable<Row>): GroupSums[] => {
  const found = new Map<string, GroupSums>();
  for (const row of rows) {
    const key = JSON.stringify(view.groups.map((field) => fieldOf(row, field)));
    const group = found.get(key) ?? { ...newGroup(view, row), withoutAmount: {} };
    found.set(key, group);
    addRow(group, view.sums, row);
  }
  return [...found.values()].sort(byGroup);
};

/** Adds up groups with the same values, for example of several months. Sorted as in `sumRows`. */
export const mergeGroups = (view: Summed, all: readonly SummedGroup[]): SummedGroup[] => {
  const merged = new Map<string, SummedGroup>();
  for (const each of all) {
    const to = merged.get(keyOf(each)) ?? newGroup(view, each.group);
    merged.set(keyOf(each), to);
    to.rows += each.rows;
    addTo(to.sums, each.sums);
  }
  return [...merged.values()].sort(byGroup);
};

/**
 * Combines groups that differ only in the fields that decide about subtraction: adds or subtracts their amounts.
 * Returns an empty list if the scope subtracts nothing.
 */
export const sumNet = (view: Summed, all: readonly SummedGroup[]): Pick<SummedGroup, 'group' | 'sums'>[] => {
  const signed = Object.keys(view.subtracted ?? {});
  if (signed.length === 0) return [];
  const nets = new Map<string, Pick<SummedGroup, 'group' | 'sums'>>();
  for (const { group, isSubtracted, sums } of all) {
    const kept = Object.fromEntries(Object.entries(group).filter(([field]) => !signed.includes(field)));
    const key = JSON.stringify(kept);
    const net = nets.get(key) ?? { group: kept, sums: Object.fromEntries(view.sums.map((field) => [field, Big(0)])) };
    nets.set(key, net);
    addTo(net.sums, sums, isSubtracted ? -1 : 1);
  }
  return [...nets.values()];
};
