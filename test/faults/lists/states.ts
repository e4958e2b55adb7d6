/** Every state that each connection had, in the order of the writes, and what a reader may say of them. */
import { isDeepStrictEqual } from 'node:util';
import type { Connection } from '#shared/connections/connection.rules.ts';
import { connectionItem } from '#shared/connections/connection.store.ts';
import { type ConnectionChoice, selectConnections } from '#shared/connections/select-connections.rules.ts';
import type { SimulatedTable } from '../table/simulated-table.ts';

interface State {
  /** Number of the write that made it. */
  seq: number;
  /** Undefined: deleted, or not yet created. */
  connection: Connection | undefined;
}

/** Numbers of the first and the last write that a reader may have seen. */
export interface Window {
  from: number;
  to: number;
}

export class States {
  seq = 0;
  private readonly byId = new Map<string, State[]>();

  constructor(table: SimulatedTable) {
    table.onStored = (before, after) => {
      this.seq++;
      const { pk, sk, id } = (after ?? before)!;
      if (!pk.endsWith('#CONFIG') || !sk.startsWith('CONN#')) return;
      const states = this.byId.get(String(id)) ?? [{ seq: 0, connection: undefined }];
      states.push({ seq: this.seq, connection: after && connectionItem.fromItem(after) });
      this.byId.set(String(id), states);
    };
  }

  get ids(): string[] {
    return [...this.byId.keys()];
  }

  /** The states that the connection had between two writes. */
  in(id: string, { from, to }: Window): (Connection | undefined)[] {
    const states = this.byId.get(id)!;
    const first = states.findLastIndex(({ seq }) => seq <= from);
    return states.filter(({ seq }, at) => at >= first && seq <= to).map(({ connection }) => connection);
  }
}

const accountIn = (connection: Connection | undefined): string | undefined =>
  connection?.accountKey && `${connection.source} ${connection.accountKey}`;

/** Whether another connection has the account in some of the states, and whether one has it in all of them. */
const sharing = (states: States, id: string, account: string | undefined, window: Window) => {
  const others = states.ids.filter((other) => other !== id).map((other) => states.in(other, window));
  const has = (connection: Connection | undefined): boolean =>
    account !== undefined && accountIn(connection) === account;
  return { isPossible: others.some((all) => all.some(has)), isSure: others.some((all) => all.every(has)) };
};

const isChosen = (connection: Connection, isShared: boolean, choice: ConnectionChoice): boolean =>
  selectConnections([connection], new Set(isShared ? [connection.id] : []), choice).length > 0;

/** Whether the list may, and whether it must, contain the connection in this state. */
const judgeState = (states: States, connection: Connection, choice: ConnectionChoice, window: Window) => {
  const { isPossible, isSure } = sharing(states, connection.id, accountIn(connection), window);
  const shared = [...(isPossible ? [true] : []), ...(isSure ? [] : [false])];
  const answers = shared.map((isShared) => isChosen(connection, isShared, choice));
  return { may: answers.some(Boolean), must: answers.every(Boolean) };
};

/** Whether an exact list may, and whether it must, contain the connection. */
export const judgeConnection = (states: States, id: string, choice: ConnectionChoice, window: Window) => {
  const answers = states
    .in(id, window)
    .map((state) => (state === undefined ? undefined : judgeState(states, state, choice, window)));
  return { may: answers.some((each) => each?.may), must: answers.every((each) => each?.must) };
};

/** Whether the connection was so in the window, and a list with this choice may show it so. */
export const mayShow = (states: States, shown: Connection, choice: ConnectionChoice, window: Window): boolean =>
  states.in(shown.id, window).some((state) => isDeepStrictEqual(state, shown)) &&
  judgeState(states, shown, choice, window).may;
