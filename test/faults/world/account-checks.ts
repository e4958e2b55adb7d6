/** Connections with one login and company know of each other, and of no other. */
import type { Check, Violation, World } from './world.ts';

const ACCOUNT = /^ORG#([^#]+)#ACCOUNT#([^#]+)#(.+)$/;

/** Every connection is a member of its account, and nothing else is a member of any. */
export const membersEqualConnections: Check = async ({ table }) => {
  const named: string[] = [];
  const members: string[] = [];
  for (const { pk, sk, source, account_key: key } of table.items()) {
    const of = ACCOUNT.exec(pk);
    if (of) members.push(`${of[2]} ${of[3]} ${sk}`);
    if (pk.endsWith('#CONFIG') && sk.startsWith('CONN#') && key !== undefined)
      named.push(`${source} ${String(key).split('.')[0]} ${sk}`);
  }
  const [here, there] = [new Set(members), new Set(named)];
  return [
    ...named.filter((each) => !here.has(each)).map((each) => `not a member of its account: ${each}`),
    ...members.filter((each) => !there.has(each)).map((each) => `a member that no connection names: ${each}`),
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
