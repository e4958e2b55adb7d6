/** Groups connections by company: by `company_rut`, or else by name. */
import type { Connection } from '../api/client.ts';
import { dottedRut } from '../text/rut.ts';

export interface Company {
  /** Distinguishes the company from the others of the page. */
  key: string;
  name: string;
  /** With dots; null if no RUT is known. */
  rut: string | null;
  connections: Connection[];
}

const textAt = (metadata: Connection['metadata'], key: string): string | null => {
  const value = metadata[key];
  return typeof value === 'string' && value.trim() !== '' ? value : null;
};

const bySource = (a: Connection, b: Connection): number =>
  a.external_source_name.localeCompare(b.external_source_name, 'es') || a.name.localeCompare(b.name, 'es');

const keyFor = ({ metadata, name }: Connection): string => {
  const rut = textAt(metadata, 'company_rut');
  return rut === null ? `name:${textAt(metadata, 'company_name') ?? name}` : `rut:${rut}`;
};

const toCompany = (key: string, connections: readonly Connection[]): Company => {
  const [first] = connections;
  const names = connections.flatMap(({ metadata }) => textAt(metadata, 'company_name') ?? []);
  const rut = first === undefined ? null : textAt(first.metadata, 'company_rut');
  return {
    key,
    name: names[0] ?? first?.name ?? '',
    rut: rut === null ? null : (dottedRut(rut) ?? rut),
    connections: [...connections].sort(bySource),
  };
};

/** Returns the companies in the order of their first connection. Each connection is in exactly one company. */
export const groupCompanies = (connections: readonly Connection[]): Company[] => {
  const groups = Map.groupBy(connections, keyFor);
  return [...groups].map(([key, group]) => toCompany(key, group));
};
