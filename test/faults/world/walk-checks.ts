/**
 * A month that does not add up is never called complete (docs/adr/0036), also if a worker died in it. Checked when a
 * scope's coverage is stored, independently of the service's own walk.
 */
import { Big } from 'big.js';
import { contextFields } from '#shared/platform/log-context.ts';
import { summaryFromItem } from '#shared/rows/index/summary.ts';
import { unpackJson } from '#shared/rows/item/page-index-codec.ts';
import type { Row, ScopeDefinition } from '#shared/scopes/scope.ts';
import type { CoveredPeriods } from '#shared/sync/coverage/coverage.rules.ts';
import { keys, type ScopeAddress } from '#shared/table/keys.ts';
import type { Item } from '../table/values.ts';
import type { Violation, World } from './world.ts';

const isCoverage = ({ sk }: Item, scope: string): boolean =>
  sk === keys.coverage({ organizationId: '', connectionId: '', scope }).sk;

/** Follows the movements of one account in any order. Returns true if one path uses all of them. */
const isOnePath = (rows: readonly Row[]): boolean => {
  const steps = rows.map((row) => {
    const after = new Big(String(row.saldo_contable));
    return { from: after.minus(String(row.amount)).toFixed(), to: after.toFixed() };
  });
  const degrees = new Map<string, number>();
  const add = (balance: string, by: number) => degrees.set(balance, (degrees.get(balance) ?? 0) + by);
  for (const { from, to } of steps) {
    add(from, 1);
    add(to, -1);
  }
  const odd = [...degrees.values()].filter((degree) => degree !== 0);
  if (odd.length > 2 || odd.some((degree) => Math.abs(degree) > 1)) return false;
  const reached = new Set(steps.slice(0, 1).map(({ from }) => from));
  for (let before = -1; before !== reached.size; ) {
    before = reached.size;
    for (const { from, to } of steps) {
      if (!reached.has(from) && !reached.has(to)) continue;
      reached.add(from);
      reached.add(to);
    }
  }
  return steps.every(({ from }) => reached.has(from));
};

const storedRows = (items: Iterable<Item>, partition: string): Row[] =>
  [...items].filter(({ pk }) => pk.startsWith(partition)).map(({ row }) => JSON.parse(row as string) as Row);

/** True if the API calls the month partial, or will once the index of a dirty month is rebuilt. */
const isHalfWritten = (table: World['table'], address: ScopeAddress, period: string): boolean => {
  const index = table.find(keys.period(address, period));
  const told = summaryFromItem(table.find(keys.summary(address)))[period]?.isHalfWritten;
  return told === true || (index?.dirty === true && index.is_half_written === true);
};

/** Returns the violations found so far, filled while the history runs. */
export const watchWalks = (world: Pick<World, 'table' | 'scopes' | 'organizationId'>): Violation[] => {
  const violations: Violation[] = [];
  const { table, organizationId } = world;
  const { onStored } = table;
  const look = (scope: ScopeDefinition, { pk, packed, last_attempt }: Item): void => {
    const { runId } = last_attempt as { runId: string };
    const periods = unpackJson(packed as Uint8Array) as CoveredPeriods;
    for (const [period, { isWhole, readBy }] of Object.entries(periods)) {
      // Another run may be in the middle of a month that this run did not read.
      if (!isWhole || readBy !== runId) continue;
      const connectionId = pk.slice(pk.lastIndexOf('#') + 1);
      const address = { organizationId, connectionId, scope: scope.name };
      if (isHalfWritten(table, address, period)) continue;
      const partition = keys.rows(address, period, '');
      for (const [account, rows] of Map.groupBy(storedRows(table.items(), partition), (row) => row.numero_cuenta))
        if (!isOnePath(rows))
          violations.push(`${scope.name} ${period}: complete, and account ${account} does not add up`);
    }
  };
  table.onStored = (before, after) => {
    onStored?.(before, after);
    for (const scope of world.scopes) if (scope.walk && after && isCoverage(after, scope.name)) look(scope, after);
  };
  return violations;
};

/** Compares each right answer about movements with the stored ones. */
export const watchRightAnswers = ({ institution, table, organizationId, connection }: World): void => {
  institution.onRight = (scope, period, rows) => {
    if (contextFields().connection_id !== connection.id) return;
    const partition = keys.rows({ organizationId, connectionId: connection.id, scope }, period, '');
    institution.phantoms.decide(rows, storedRows(table.items(), partition));
  };
};
