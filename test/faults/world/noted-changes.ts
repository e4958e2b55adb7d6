/** Checks that each command that changes what a list of connections filters by also notes the connection. */
import { isDeepStrictEqual } from 'node:util';
import type { SimulatedTable } from '../table/simulated-table.ts';
import type { Item } from '../table/values.ts';

/** Attributes that decide where a list shows a connection. */
const LISTED = ['source', 'name', 'metadata', 'status', 'last_error_code', 'approval_until', 'account_key'];

const isListedAsBefore = (before: Item | undefined, after: Item | undefined): boolean =>
  LISTED.every((attribute) => isDeepStrictEqual(before?.[attribute], after?.[attribute]));

/** @param report called with each change that was not noted */
export const watchNotes = (table: SimulatedTable, report: (line: string) => void): void => {
  let changed: string[] = [];
  let noted: string[] = [];
  table.join({
    onStored: (before, after) => {
      const { pk, sk } = (after ?? before)!;
      const [area, id = ''] = sk.split('#');
      if (pk.endsWith('#CONFIG') && area === 'CONN' && !isListedAsBefore(before, after)) changed.push(id);
      if (pk.endsWith('#LISTED') && area === 'CHANGED' && after !== undefined) noted.push(id);
    },
    onSent: () => {
      for (const id of changed.filter((each) => !noted.includes(each)))
        report(`connection ${id} changed without a note`);
      changed = [];
      noted = [];
    },
  });
};
