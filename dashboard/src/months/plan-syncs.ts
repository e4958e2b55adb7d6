/** Decides which syncs complete the months of some rows. */
import { isTooOld, isToSync, isUrgent, type MonthPart } from './cells.ts';

/** One sync: every scope lacks every month of the list. */
export interface PlannedSync {
  connectionId: string;
  connection: string;
  scopes: readonly string[];
  periods: readonly string[];
}

/**
 * Returns the syncs, connection by connection. Scopes of a connection that lack the same months share a sync, and no
 * month is requested that a scope does not lack. Months that the institution no longer provides are left out, and
 * connections whose credentials the institution refuses.
 */
export const planSyncs = (parts: readonly MonthPart[]): PlannedSync[] => {
  const byConnection = Map.groupBy(parts.filter(isToSync), ({ connectionId }) => connectionId);
  return [...byConnection].flatMap(([connectionId, wanted]) => {
    const connection = wanted[0]?.connection ?? '';
    const scopes = [...Map.groupBy(wanted, ({ scope }) => scope)].map(([scope, own]) => {
      const periods = own.map(({ period }) => period).toSorted();
      return { scope, periods };
    });
    return [...Map.groupBy(scopes, ({ periods }) => periods.join())].map(([, same]) => ({
      ...{ connectionId, connection },
      scopes: same.map(({ scope }) => scope),
      periods: same[0]?.periods ?? [],
    }));
  });
};

export interface Lacking {
  /** Months, each counted once per connection. */
  months: number;
  connections: number;
  /** Months that a sync cannot complete, because the institution no longer provides them. */
  tooOld: number;
  /** Connections whose credentials the institution refuses: id → name. */
  refused: ReadonlyMap<string, string>;
}

export const countLacking = (parts: readonly MonthPart[]): Lacking => {
  const wanted = parts.filter(isToSync);
  const months = (of: readonly MonthPart[]) => new Set(of.map((part) => `${part.connectionId} ${part.period}`)).size;
  return {
    months: months(wanted),
    connections: new Set(wanted.map(({ connectionId }) => connectionId)).size,
    tooOld: months(parts.filter((part) => isUrgent(part) && isTooOld(part))),
    refused: new Map(
      parts
        .filter(({ state }) => state === 'refused')
        .map(({ connectionId, connection }) => [connectionId, connection]),
    ),
  };
};
