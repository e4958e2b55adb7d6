/**
 * Sums over the rows of a month, grouped by the fields that a scope names. The sums are exact, and amounts of one group
 * never offset amounts of another group. Pure.
 */
import { Big } from 'big.js';
import type { AgentView, Row } from '#shared/scopes/scope.ts';

export interface GroupSums {
  /** Field values that all rows of the group share. */
  group: Record<string, unknown>;
  /** True if the group's amounts are subtracted from the other groups. The amounts themselves are positive. */
  isSubtracted: boolean;
  rows: number;
  /** Sum by field, over the rows that have an amount. */
  sums: Record<string, Big>;
  /** Number of rows without an amount, by field. A field without such rows is absent. */
  withoutAmount: Record<string, number>;
}

type Summed = Pick<AgentView, 'sums' | 'groups' | 'subtracted'>;

const fieldOf = (row: Row, field: string): unknown => row[field] ?? null;

const emptyGroup = ({ sums, groups, subtracted = {} }: Summed, row: Row): GroupSums => ({
  group: Object.fromEntries(groups.map((field) => [field, fieldOf(row, field)])),
  isSubtracted: Object.entries(subtracted).some(([field, values]) => values.includes(String(fieldOf(row, field)))),
  rows: 0,
  sums: Object.fromEntries(sums.map((field) => [field, Big(0)])),
  withoutAmount: {},
});

const addRow = (to: GroupSums, fields: readonly string[], row: Row): void => {
  to.rows++;
  for (const field of fields) {
    const amount = fieldOf(row, field);
    if (amount === null) to.withoutAmount[field] = (to.withoutAmount[field] ?? 0) + 1;
    else to.sums[field] = to.sums[field]!.plus(amount as string | number);
  }
};

const byGroup = (a: GroupSums, b: GroupSums): number =>
  JSON.stringify(Object.values(a.group)) < JSON.stringify(Object.values(b.group)) ? -1 : 1;

/** Returns the sums by group, sorted by the groups' values and independent of the order of the rows. */
export const sumRows = (view: Summed, rows: Iterable<Row>): GroupSums[] => {
  const found = new Map<string, GroupSums>();
  for (const row of rows) {
    const key = JSON.stringify(view.groups.map((field) => fieldOf(row, field)));
    const group = found.get(key) ?? emptyGroup(view, row);
    found.set(key, group);
    addRow(group, view.sums, row);
  }
  return [...found.values()].sort(byGroup);
};

/**
 * Combines groups that differ only in the fields that decide about subtraction: adds or subtracts their amounts.
 * Returns an empty list if the scope subtracts nothing.
 */
export const sumNet = (view: Summed, all: readonly GroupSums[]): Pick<GroupSums, 'group' | 'sums'>[] => {
  const signed = Object.keys(view.subtracted ?? {});
  if (signed.length === 0) return [];
  const nets = new Map<string, Pick<GroupSums, 'group' | 'sums'>>();
  for (const { group, isSubtracted, sums } of all) {
    const kept = Object.fromEntries(Object.entries(group).filter(([field]) => !signed.includes(field)));
    const key = JSON.stringify(kept);
    const net = nets.get(key) ?? { group: kept, sums: Object.fromEntries(view.sums.map((field) => [field, Big(0)])) };
    nets.set(key, net);
    for (const field of view.sums)
      net.sums[field] = isSubtracted ? net.sums[field]!.minus(sums[field]!) : net.sums[field]!.plus(sums[field]!);
  }
  return [...nets.values()];
};
