/**
 * Sums of a whole month from its stored totals, so that no row is read. The stored totals compare the institution's
 * figures with the sums of the stored rows (`totals.rules.ts`); only the latter are used. Pure.
 */
import { Big } from 'big.js';
import { relation } from '#shared/rows/index/page-index.rules.ts';
import type { StoredSummary } from '#shared/rows/index/summary.ts';
import { joinFacets } from '#shared/rows/item/facets.ts';
import type { ComparedGroup, PeriodTotals } from '#shared/rows/item/totals.rules.ts';
import type { ScopeDefinition, SummedScope } from '#shared/scopes/scope.ts';
import { mergeGroups, newGroup, type SummedGroup } from './period-sums.rules.ts';
import type { RowFilter } from './row-page.ts';

const ROWS = 'rows';

const ours = ({ figures }: ComparedGroup, name: string): string | null =>
  figures.find(({ figure }) => figure === name)?.ours ?? null;

/** True if each row of the month is in exactly one of the groups. */
const areParts = (scope: ScopeDefinition, { totals }: StoredSummary, groups: readonly ComparedGroup[]): boolean => {
  const names = new Set(groups.map(({ group }) => Object.keys(group).sort().join()));
  const values = new Set(groups.map(({ group }) => JSON.stringify(Object.entries(group).sort())));
  if (names.size > 1 || values.size < groups.length) return false;
  const left = { ...totals };
  for (const each of groups) {
    const facets = joinFacets(scope, each.group);
    left[facets] = (left[facets] ?? 0) - Number(ours(each, ROWS));
  }
  return Object.values(left).every((rows) => rows === 0);
};

/**
 * Returns the sums of a month by group, or null if the stored totals do not give them: the filter wants a part of a
 * group, the institution reported no such totals, or the groups do not contain each row once.
 */
export const sumStored = (
  scope: SummedScope,
  { q, facets, days }: RowFilter,
  entry: StoredSummary,
  totals: PeriodTotals | null,
): SummedGroup[] | null => {
  if (q !== undefined || totals === null || totals.leftOut > 0 || relation(entry, days) !== 'inside') return null;
  const { groups: fields, sums } = scope.agent;
  const asked = Object.entries(facets).filter(([, value]) => value !== undefined);
  const needed = [...fields, ...Object.keys(scope.facets), ...asked.map(([field]) => field)];
  const groups = totals.groups.filter((each) => ours(each, ROWS) !== '0');
  const isGiven = (each: ComparedGroup): boolean =>
    [ROWS, ...sums].every((figure) => ours(each, figure) !== null) &&
    needed.every((field) => each.group[field] !== undefined);
  if (!groups.every(isGiven) || !areParts(scope, entry, groups)) return null;
  const summed = groups
    .filter(({ group }) => asked.every(([field, value]) => group[field] === value))
    .map((each) => ({
      ...newGroup(scope.agent, each.group),
      rows: Number(ours(each, ROWS)),
      sums: Object.fromEntries(sums.map((field) => [field, Big(ours(each, field) ?? 0)])),
    }));
  return mergeGroups(scope.agent, summed);
};
