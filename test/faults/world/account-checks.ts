/** Connections are found by login and company, reference and RUT, and each by its own only. */
import type { Check, Violation, World } from './world.ts';

const ENTRY = /^ORG#[^#]+#((?:ACCOUNT|REFERENCE|COMPANY)#.+)$/;

/** The entries that a stored connection must have. */
const entriesOf = ({ source, account_key: key, metadata }: Record<string, unknown>): string[] => {
  const { reference, company_rut: rut } = metadata as Record<string, unknown>;
  return [
    ...(key === undefined ? [] : [`ACCOUNT#${source}#${String(key).split('.')[0]}`]),
    ...(reference === undefined ? [] : [`REFERENCE#${reference}`]),
    ...(rut === undefined ? [] : [`COMPANY#${rut}`]),
  ];
};

/**
 * Every connection has its entries, and there is no other entry. Connections of an older version lack those by reference
 * and RUT, and the two numbers of connections then differ.
 */
export const entriesEqualConnections: Check = async ({ table }) => {
  const wanted: string[] = [];
  const entries: string[] = [];
  let isComplete = false;
  for (const item of table.items()) {
    const { pk, sk } = item;
    const of = ENTRY.exec(pk);
    if (of) entries.push(`${of[1]} ${sk}`);
    if (sk === 'CONNECTIONS') isComplete = item.indexed === item.count;
    if (pk.endsWith('#CONFIG') && sk.startsWith('CONN#'))
      wanted.push(...entriesOf(item).map((each) => `${each} ${sk}`));
  }
  const [here, there] = [new Set(entries), new Set(wanted)];
  return [
    ...wanted
      .filter((each) => !here.has(each) && (isComplete || each.startsWith('ACCOUNT#')))
      .map((each) => `a connection without its entry: ${each}`),
    ...entries.filter((each) => !there.has(each)).map((each) => `an entry that no connection has: ${each}`),
  ];
};

/** The second connection of a login is known from its creation, the first one from its first run. */
const sharesLogin = ({ second, theme, institution }: World): boolean =>
  second !== undefined && !theme?.hasTwoLogins && institution.adapter.manifest.account !== undefined;

/** Every whole run of a connection whose login is shared says so once, and no run of another does. */
export const runsReportSharedLogins: Check = async (world, all) =>
  all.flatMap(({ id, connectionId, scopes, status, outcomes }): Violation[] => {
    if (world.theme?.changesCompany) return [];
    const told = scopes.map((scope) =>
      (outcomes[scope]?.notices ?? []).filter(({ code }) => code.endsWith('.login_shared')),
    );
    const count = told.flat().length;
    if (!sharesLogin(world)) return count === 0 ? [] : [`run ${id} reports a shared login that is not shared`];
    const isFirst = connectionId === world.connection.id;
    if (isFirst && status === 'succeeded' && told[0]!.length !== 1)
      return [`run ${id} reports its shared login ${told[0]!.length} times`];
    return count > 1 ? [`run ${id} reports its shared login ${count} times`] : [];
  });
