/**
 * Readers of changes in a history and the checks of what they receive: they mirror exactly what the lists show, and
 * exactly the removed rows have tombstones.
 */

import { buildFittingIndex, descending } from '#shared/rows/index/page-index.rules.ts';
import {
  findPeriods,
  findSummary,
  periodItem,
  storedPeriods,
  unpackStoredStamps,
} from '#shared/rows/index/page-index.store.ts';
import { rowSortKeyParts } from '#shared/rows/item/row-keys.ts';
import { announced, buildFittingStamps } from '#shared/rows/item/stamps.rules.ts';
import { ROW_LIMITS } from '#shared/rows/limits.ts';
import { readPeriod } from '#shared/rows/write/write-period.ts';
import type { Row, ScopeDefinition } from '#shared/scopes/scope.ts';
import { isTerminal } from '#shared/sync/run.rules.ts';
import { keys } from '#shared/table/keys.ts';
import { randomFrom } from '#test/helpers/random.ts';
import { virtual } from '../machine/virtual-process.ts';
import type { Item } from '../table/values.ts';
import { ChangeReader, type Feed, type MirroredRow } from './change-reader.ts';
import { OrganizationReader } from './organization-reader.ts';
import { TenderMirror } from './tender-mirror.ts';
import type { Check, Violation, World } from './world.ts';

const ROWS = 'ROWS';
const TOMBSTONE = 'GONE#';

/** `connection|scope` of a key of rows or of an index. */
const scopeOf = ({ pk }: Item): string => pk.split('#').slice(3, 5).join('|');

/** What one command of the table did to rows. */
interface Done {
  /** `connection|scope|row` of list rows that were deleted. */
  removed: Set<string>;
  buried: Set<string>;
}

const keyOf = (scope: string, id: string): string => `${scope}|${id}`;

/** A list row without the fields that depend on the time of the sync. */
const lasting = (scope: ScopeDefinition, row: Row): string => {
  const derived = new Set(Object.keys(scope.derived?.(row, '') ?? {}));
  return JSON.stringify(Object.entries(row).filter(([field]) => !derived.has(field)));
};

export const mirrorFeed = (world: World, seed: number): Feed => {
  const { machine, table, organizationId, connection, scopes } = world;
  const whose = { organizationId, connectionId: connection.id };
  const random = randomFrom(seed ^ 0xfeed);
  /**
   * `hasty` reads now and then, and loses its place; `patient` reads at once after most stores, and never loses its
   * place.
   */
  const hasty = new ChangeReader(whose, random);
  const patient = new ChangeReader(whose, randomFrom(seed ^ 0xfeed5));
  /** Both follow only the organization's feed, as the two readers above. */
  const hastyOfAll = new OrganizationReader(organizationId, randomFrom(seed ^ 0xa11f));
  const patientOfAll = new OrganizationReader(organizationId, randomFrom(seed ^ 0xa11fe));
  /** How often the patient reader looks after a store or the end of a run. */
  const attention = world.theme?.reads ?? random.pick([0.2, 0.7]);
  const eagerness = world.theme?.reads ? 0.3 : random.pick([0, 0.02, 0.2]);
  const tenders = scopes[0]!.source === 'procurement' ? new TenderMirror(world) : null;
  const violations: Violation[] = [];
  const blame = (line: string): void => {
    machine.tell(`VIOLATION ${line}`);
    violations.push(line);
  };
  /** `connection|scope|row` → the list partitions that hold it. */
  const places = new Map<string, Set<string>>();
  let done: Done = { removed: new Set(), buried: new Set() };
  let hasEnded = false;
  let hasStored = false;
  let isPurged = false;
  table.isStale = () => random.chance(0.4);

  const readsAfter = world.theme?.readsAfter;
  const isStore = (before: Item | undefined, { pk, sk, seq }: Item): boolean =>
    pk.includes('#INDEX#') && sk.startsWith(keys.periodPrefix + (readsAfter ?? '')) && seq !== before?.seq;

  const isEndOfRun = (before: Item | undefined, after: Item): boolean => {
    const hasStatus = (item: Item | undefined): boolean =>
      item !== undefined && isTerminal({ status: item.status as never });
    return after.sk.startsWith('RUN#') && after.pk.endsWith(connection.id) && hasStatus(after) && !hasStatus(before);
  };

  const listed = (scope: ScopeDefinition, connectionId: string): Map<string, MirroredRow> => {
    const prefix = keys.rows({ organizationId, connectionId, scope: scope.name }, '', '').slice(0, -1);
    const rows = new Map<string, MirroredRow>();
    for (const { pk, sk, row } of table.items()) {
      if (!pk.startsWith(prefix)) continue;
      const period = pk.slice(prefix.length).split('#')[0]!;
      rows.set(keyOf(scope.name, rowSortKeyParts(sk).rowId), {
        scope: scope.name,
        period,
        row: JSON.parse(row as string) as Row,
      });
    }
    return rows;
  };

  /** No worker holds the scope's lease, and no earlier holder may still write rows. */
  const isSettled = (scope: ScopeDefinition, connectionId: string): boolean => {
    const address = { organizationId, connectionId, scope: scope.name };
    const lease = table.find(keys.lease(organizationId, connectionId, scope.name));
    if (Number(lease?.expires_at_ms ?? 0) > 0 || Number(lease?.late_until_ms ?? 0) > virtual.nowMs) return false;
    for (const item of table.items())
      if (item.pk === keys.index(address) && item.sk.startsWith(keys.periodPrefix)) {
        const { dirty, lookAgainMs } = periodItem.fromItem(item);
        if (dirty || lookAgainMs !== null) return false;
      }
    return true;
  };

  const compare = (mirror: ReadonlyMap<string, MirroredRow>, when: string, of = connection.id): Violation[] =>
    scopes.flatMap((scope) => {
      if (!isSettled(scope, of)) return [];
      const there = listed(scope, of);
      const here = new Map([...mirror].filter(([, row]) => row.scope === scope.name));
      return [...new Set([...there.keys(), ...here.keys()])].flatMap((id) => {
        const [shown, mirrored] = [there.get(id), here.get(id)];
        if (!shown) return [`${when}: ${id} is mirrored and not listed`];
        if (!mirrored) return [`${when}: ${id} is listed and not mirrored`];
        const isSame =
          shown.period === mirrored.period &&
          lasting(scope, scope.derived ? { ...shown.row, ...scope.derived(shown.row, '') } : shown.row) ===
            lasting(scope, mirrored.row);
        return isSame ? [] : [`${when}: ${id} is mirrored as it was`];
      });
    });

  const countPeriodic = (received: ReadonlyMap<string, number>): number =>
    scopes.reduce((sum, { name, periodic }) => sum + (periodic ? (received.get(name) ?? 0) : 0), 0);

  const compareOfAll = (reader: OrganizationReader, when: string): Violation[] =>
    [connection, world.second].flatMap((one) =>
      one ? compare(reader.mirrorOf(one.id), `${when}, by the feed of all`, one.id) : [],
    );

  const checkDeleted = async (): Promise<Violation[]> => {
    const readers = [hastyOfAll, patientOfAll];
    for (const reader of readers) await reader.catchUp();
    const times = patientOfAll.deletions.length;
    return [
      ...readers.flatMap((reader) => reader.violations),
      ...readers.flatMap((reader) => [...reader.mirrorOf(connection.id).keys()]).map((id) => `${id} is still mirrored`),
      ...(times > 1 ? [`the deletion of a connection is reported ${times} times`] : []),
    ];
  };

  return {
    violations,
    onStored: (before, after) => {
      const item = after ?? before!;
      const [, , area] = item.pk.split('#');
      if (area === ROWS) {
        const id = keyOf(scopeOf(item), rowSortKeyParts(item.sk).rowId);
        const at = places.get(id) ?? new Set();
        places.set(id, at);
        if (after) at.add(`${item.pk}|${item.sk}`);
        else {
          at.delete(`${item.pk}|${item.sk}`);
          done.removed.add(id);
        }
      }
      if (area === 'INDEX' && item.sk.startsWith(TOMBSTONE)) {
        if (after && before === undefined) done.buried.add(keyOf(scopeOf(item), String(item.id)));
        if (!after) isPurged = true;
      }
      if (after && isStore(before, after)) hasStored ||= random.chance(attention);
      if (item.sk.startsWith('PURGE#')) isPurged = true;
      if (after && isEndOfRun(before, after)) hasEnded ||= readsAfter === undefined && random.chance(attention);
    },
    onSent: () => {
      if (done.removed.size + done.buried.size === 0) return;
      if (!isPurged) {
        for (const id of done.removed)
          if (places.get(id)!.size === 0 && !done.buried.has(id)) blame(`${id} was removed without a tombstone`);
        for (const id of done.buried) {
          if (!done.removed.has(id)) blame(`${id} has a tombstone and was not removed`);
          if (places.get(id)!.size > 0) blame(`${id} has a tombstone and is listed`);
        }
      }
      done = { removed: new Set(), buried: new Set() };
    },
    onStep: async () => {
      hasty.step(eagerness);
      hastyOfAll.step(eagerness);
      if (tenders && random.chance(0.05)) await tenders.catchUp();
      if (isPurged || !(hasEnded || hasStored)) return;
      await patient.catchUp();
      await patientOfAll.catchUp();
      hasStored = false;
      if (!hasEnded) return;
      hasEnded = false;
      for (const line of compare(patient.mirror, 'at the end of a run')) blame(line);
      for (const line of compareOfAll(patientOfAll, 'at the end of a run')) blame(line);
    },
    catchUp: async () => {
      const count = (): number =>
        [patient.changes, patientOfAll.entries].reduce((sum, received) => sum + countPeriodic(received), 0);
      const before = count();
      await patient.catchUp();
      await patientOfAll.catchUp();
      return count() - before + ((await tenders?.catchUp()) ?? 0);
    },
    check: async () => {
      const ofTenders = (await tenders?.check(world.isDeleted ? 1 : 0)) ?? [];
      if (world.isDeleted) return [...ofTenders, ...(await checkDeleted())];
      for (const reader of [hasty, patient, hastyOfAll, patientOfAll]) await reader.catchUp();
      return [
        ...ofTenders,
        ...violations,
        ...hasty.violations,
        ...patient.violations,
        ...hastyOfAll.violations,
        ...patientOfAll.violations,
        ...compare(hasty.mirror, 'in the end, to a hasty reader'),
        ...compare(patient.mirror, 'in the end'),
        ...compareOfAll(hastyOfAll, 'in the end, to a hasty reader'),
        ...compareOfAll(patientOfAll, 'in the end'),
      ];
    },
  };
};

/** The stored stamps equal those computed from the rows, and every sequence is listed where a reader looks for it. */
export const stampsEqualRows: Check = async (world) => {
  if (world.isDeleted) return [];
  const { organizationId, connection, table } = world;
  const faults: Violation[] = [];
  const newest = table.find(keys.changes(organizationId, connection.id)) ?? {};
  for (const scope of world.scopes) {
    const address = { organizationId, connectionId: connection.id, scope: scope.name };
    const seq = Number(table.find(keys.summary(address))?.seq ?? 0);
    if (Number((newest as Record<string, unknown>)[scope.name] ?? 0) !== seq)
      faults.push(`${scope.name}: the newest sequence is not the one of its summary`);
    const summary = await findSummary(address);
    const periods = await storedPeriods(address);
    const indexes = await findPeriods(address, periods);
    for (const period of periods) {
      const stored = indexes.get(period)!;
      const rows = (await readPeriod(address, scope, period)).sort(descending);
      const { late } = unpackStoredStamps(stored);
      const { index } = buildFittingIndex(rows, ROW_LIMITS.indexStrideRows, ROW_LIMITS.indexBytesMax);
      const fresh = buildFittingStamps(index, rows, late, ROW_LIMITS.indexStampsBytesMax);
      if (rows.length > 0 && !(stored.stamps && Buffer.from(stored.stamps).equals(Buffer.from(fresh))))
        faults.push(`${scope.name} ${period}: the stamps are not those of its rows`);
      if (stored.packed && (summary[period]?.seq ?? 0) !== stored.seq)
        faults.push(`${scope.name} ${period}: index and summary are of different writes`);
      if (rows.some((row) => announced(late, row.sequence) > seq))
        faults.push(`${scope.name} ${period}: a row is newer than its scope`);
    }
  }
  return faults;
};
