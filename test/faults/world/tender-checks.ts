/** Checks after every history that the list of an organization's tenders agrees with each tender as served. */
import { procurementLicitaciones } from '#shared/scopes/procurement-licitaciones.ts';
import type { Row } from '#shared/scopes/scope.ts';
import { keys } from '#shared/table/keys.ts';
import { findTender } from '#shared/tenders/read-tender.store.ts';
import { readTenderList } from '#shared/tenders/read-tender-list.store.ts';
import { countName, locateTender, toMonth } from '#shared/tenders/tender-list.rules.ts';
import type { Item } from '../table/values.ts';
import type { Check, Violation, World } from './world.ts';

const ALL = { limit: 1_000, offset: 0 };

const sorted = (row: Row): string => JSON.stringify(Object.entries(row).sort());

/** Served tenders by code, without the fields that the list leaves out. */
const servedTenders = async ({ table, organizationId }: World): Promise<Map<string, Row>> => {
  const prefix = keys.tender(organizationId, '');
  const read = [...table.items()].filter(({ pk, sk }) => pk.startsWith(prefix) && sk.startsWith('READ#'));
  const served = new Map<string, Row>();
  for (const codigo of new Set(read.map(({ pk }) => pk.slice(prefix.length)))) {
    const found = await findTender(organizationId, codigo, procurementLicitaciones);
    if (!found) continue;
    const { raw_ficha: _, ...row } = found;
    served.set(codigo, row);
  }
  return served;
};

/** Each tender is once in the list, in its own month, and the counts of each month are right. */
const isInItsPlace = ({ table, organizationId }: World, shown: readonly Row[]): Violation[] => {
  const { pk } = keys.tenderMonths(organizationId);
  const stored = [...table.items()].filter((item) => item.pk === pk);
  const entries = new Set(stored.map(({ sk }) => sk).filter((sk) => sk.startsWith('ENTRY#')));
  const counts = new Map<string, number>();
  const faults: Violation[] = [];
  for (const row of shown) {
    const place = locateTender(row);
    const { sk } = keys.tenderEntry(organizationId, place.state, place, String(row.codigo));
    if (!entries.delete(sk)) faults.push(`tenders: no entry ${sk}`);
    const count = `${toMonth(place.day)} ${countName(place)}`;
    counts.set(count, (counts.get(count) ?? 0) + 1);
  }
  faults.push(...[...entries].map((sk) => `tenders: ${sk} is shown of no tender`));
  const ofMonth = ({ pk: _, sk, ...days }: Item): [string, unknown][] =>
    Object.entries(days).map(([name, count]) => [`${sk.slice('MONTH#'.length)} ${name}`, count]);
  for (const [count, told] of stored.filter(({ sk }) => sk.startsWith('MONTH#')).flatMap(ofMonth)) {
    if (told !== (counts.get(count) ?? 0)) faults.push(`tenders: ${told} of ${counts.get(count) ?? 0} in ${count}`);
    counts.delete(count);
  }
  return [...faults, ...[...counts.keys()].map((count) => `tenders: ${count} is not counted`)];
};

const lasting = ({ observed_at: _, id: __, ...row }: Row): Row => row;

/** After a calm sync the list equals the institution's. */
const equalsLedger = ({ ledger }: World, shown: readonly Row[]): Violation[] => {
  const held = new Map(ledger.all('licitaciones').map((row) => [row.codigo, row]));
  return shown.flatMap((row) => {
    const own = held.get(row.codigo) ?? {};
    const told = Object.fromEntries(Object.keys(own).map((field) => [field, lasting(row)[field]]));
    return sorted(told) === sorted(own)
      ? []
      : [`tenders: ${row.codigo} is listed as ${sorted(told)}, not ${sorted(own)}`];
  });
};

/** The list contains each served tender once, counted. Where clocks differ, the newest reading may not be the last. */
export const tendersAreListed: Check = async (world) => {
  const { scopes, organizationId, machine, finalRun, hasWrongPassword } = world;
  if (!scopes.includes(procurementLicitaciones)) return [];
  const served = await servedTenders(world);
  const prefix = keys.tender(organizationId, '');
  const listed = [...world.table.items()].filter(({ pk, sk }) => pk.startsWith(prefix) && sk === 'LISTED');
  const codes = listed.map(({ pk }) => pk.slice(prefix.length)).sort();
  if (codes.join() !== [...served.keys()].sort().join())
    return [`tenders: ${codes.join(' ')} are listed, ${[...served.keys()].sort().join(' ')} are served`];
  const isTrue = finalRun !== undefined && machine.skewMsMax === 0;
  const faults = isInItsPlace(world, [...served.values()]);
  if (faults.length > 0) return faults;
  const { rows, total } = await readTenderList(organizationId, ALL);
  if (total !== served.size || rows.length !== total)
    faults.push(`tenders: ${rows.length} of ${total}, ${served.size} served`);
  for (const row of rows)
    if (sorted(row) !== sorted(served.get(String(row.codigo)) ?? {}))
      faults.push(`tenders: ${row.codigo} is listed otherwise`);
  if (isTrue && !hasWrongPassword) faults.push(...equalsLedger(world, rows));
  return faults;
};
