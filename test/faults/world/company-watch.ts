/** What must hold of the company of a connection at every write. */
import type { Machine } from '../machine/machine.ts';
import { owners } from '../machine/virtual-process.ts';
import type { Item } from '../table/values.ts';

const readCompany = ({ account_key }: Item): string | undefined => String(account_key ?? '').split('.')[1];

/** The company of a connection with rows never changes, and no worker that ran at a change stores rows after it. */
export const watchCompanies = (blame: (line: string) => void, machine: Machine) => {
  const withRows = new Set<string>();
  /** Connection → the invocations that ran when its company changed. */
  const former = new Map<string, ReadonlySet<unknown>>();
  return (before: Item | undefined, after: Item | undefined): void => {
    if (after === undefined) return;
    const [, , area, connection = ''] = after.pk.split('#');
    if (area === 'ROWS') {
      withRows.add(connection);
      if (former.get(connection)?.has(owners.getStore()))
        blame(`rows of the former company of ${connection} were written`);
    }
    if (before === undefined || !after.sk.startsWith('CONN#') || area !== 'CONFIG') return;
    const own = readCompany(before);
    if (own === undefined || own === readCompany(after)) return;
    const id = after.sk.slice('CONN#'.length);
    if (withRows.has(id)) blame(`connection ${id} has rows, and its company changed`);
    former.set(id, new Set(machine.invocations));
  };
};
