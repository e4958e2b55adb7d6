/** Chooses and orders the connections of a list. Pure. */
import { foldText, searchText, textMatcher } from '#shared/values/search-text.ts';
import { findLoginSharers } from './account-key.rules.ts';
import { listAttention } from './attention.rules.ts';
import type { ConnectionStatus } from './connection.rules.ts';
import type { ListedConnection } from './listed-connection.rules.ts';

export interface ConnectionFilter {
  reference?: string | undefined;
  status?: ConnectionStatus | undefined;
  source?: string | undefined;
  /** In the stored spelling. */
  companyRut?: string | undefined;
  q?: string | undefined;
  needsAttention?: boolean | undefined;
}

/** `created`: newest first. `company`: by the company's name, or else the connection's, then newest first. */
export type ConnectionOrder = 'created' | 'company';

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const searched = ({ name, metadata }: ListedConnection): string =>
  searchText([name, textOf(metadata.company_name), textOf(metadata.reference)], [textOf(metadata.company_rut)]);

const companyOf = ({ name, metadata }: ListedConnection): string => foldText(textOf(metadata.company_name) ?? name);

const isWanted = (filter: ConnectionFilter, sharers: ReadonlySet<string>, nowMs: number) => {
  const matches = filter.q === undefined ? undefined : textMatcher(filter.q);
  return (connection: ListedConnection): boolean => {
    const { id, status, source, metadata } = connection;
    return (
      (filter.status ?? status) === status &&
      (filter.source ?? source) === source &&
      (filter.reference === undefined || metadata.reference === filter.reference) &&
      (filter.companyRut === undefined || metadata.company_rut === filter.companyRut) &&
      (!filter.needsAttention || listAttention(connection, { nowMs, isLoginShared: sharers.has(id) }).length > 0) &&
      (matches === undefined || matches(searched(connection)))
    );
  };
};

export interface ConnectionChoice {
  filter: ConnectionFilter;
  order: ConnectionOrder;
  nowMs: number;
}

export interface SelectedConnection<C extends ListedConnection> {
  connection: C;
  /** Another connection of the organization reads the same company with the same login. */
  isLoginShared: boolean;
}

/**
 * @param connections newest first
 * @param sharers ids of connections that share login and company with another one
 */
export const selectConnections = <C extends ListedConnection>(
  connections: readonly C[],
  sharers: ReadonlySet<string>,
  { filter, order, nowMs }: ConnectionChoice,
): SelectedConnection<C>[] => {
  const wanted = connections.filter(isWanted(filter, sharers, nowMs));
  const selected = wanted.map((connection) => ({ connection, isLoginShared: sharers.has(connection.id) }));
  if (order === 'created') return selected;
  const named = selected.map((each) => ({ each, company: companyOf(each.connection) }));
  // Stable: equal names stay newest first.
  named.sort((a, b) => (a.company < b.company ? -1 : Number(a.company > b.company)));
  return named.map(({ each }) => each);
};

export interface PageRange {
  limit: number;
  offset: number;
}

export interface ConnectionPage<C extends ListedConnection> {
  page: SelectedConnection<C>[];
  /** Number of connections on all pages. */
  total: number;
}

/**
 * @param connections newest first
 * @param sharers as of `selectConnections`; by default found in `connections`
 */
export const choosePage = <C extends ListedConnection>(
  connections: readonly C[],
  { limit, offset }: PageRange,
  choice: ConnectionChoice,
  sharers: ReadonlySet<string> = findLoginSharers(connections),
): ConnectionPage<C> => {
  const selected = selectConnections(connections, sharers, choice);
  return { page: selected.slice(offset, offset + limit), total: selected.length };
};
