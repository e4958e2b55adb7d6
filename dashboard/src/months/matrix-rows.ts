/** Groups connections by company, and makes the rows of the matrix. */
import { foldedText } from '../text/folded-text.ts';
import {
  type AskedMonths,
  type ConnectionCoverage,
  isToResolve,
  joinParts,
  listParts,
  type MonthCell,
  type MonthPart,
} from './cells.ts';

export interface MatrixRow {
  /** Identifies the row: a company, or a scope of a connection. */
  key: string;
  /** Name of the company or of the connection. */
  name: string;
  rut: string | null;
  /** Null in a row that joins all scopes of a company. */
  scope: { source: string; name: string } | null;
  connectionIds: readonly string[];
  cells: readonly MonthCell[];
  /** Months of each scope. */
  parts: readonly MonthPart[];
}

/** Connections with the same RUT are one company; without a RUT the name of the company decides, then the connection. */
const companyKey = ({ company_rut: rut, company_name: name, connection_id: id }: ConnectionCoverage): string =>
  rut ?? (name === null ? id : `name:${name}`);

const groupByCompany = (all: readonly ConnectionCoverage[]): ConnectionCoverage[][] => [
  ...Map.groupBy(all, companyKey).values(),
];

const isOf = (each: ConnectionCoverage, key: string): boolean => companyKey(each) === key || each.connection_id === key;

const companyName = (connections: readonly ConnectionCoverage[]): string | undefined =>
  connections.find((each) => each.company_name !== null)?.company_name ?? connections[0]?.name;

/** Returns the name of a company or of a connection. @param key of a company, or the id of a connection */
export const findName = (all: readonly ConnectionCoverage[], key: string): string | undefined =>
  all.find((each) => each.connection_id === key)?.name ?? companyName(all.filter((each) => isOf(each, key)));

const toRow = (connections: readonly ConnectionCoverage[], asked: AskedMonths): MatrixRow[] => {
  const [first] = connections;
  const scopes = connections.flatMap((each) => listParts(each, asked));
  if (first === undefined || scopes.length === 0) return [];
  const name = companyName(connections) ?? first.name;
  return [
    {
      ...{ key: companyKey(first), name, rut: first.company_rut, scope: null },
      connectionIds: connections.map(({ connection_id: id }) => id),
      cells: joinParts(scopes, asked.months),
      parts: scopes.flat(),
    },
  ];
};

/** Months that the institution no longer provides do not count, because nobody can complete them. */
const isUrgentRow = ({ parts }: MatrixRow): boolean => parts.some(isToResolve);

/** One row per company. Companies with months to look at are first, then the order is by name. */
export const listCompanyRows = (all: readonly ConnectionCoverage[], asked: AskedMonths): MatrixRow[] =>
  groupByCompany(all)
    .flatMap((connections) => toRow(connections, asked))
    .toSorted((a, b) => Number(isUrgentRow(b)) - Number(isUrgentRow(a)) || a.name.localeCompare(b.name));

/** Number of connections without a scope that is read by month. They are not in the matrix. */
export const countWithoutMonths = (all: readonly ConnectionCoverage[], asked: AskedMonths): number =>
  all.filter((each) => listParts(each, asked).length === 0).length;

/** One row per scope of each connection. @param key of a company, or the id of a connection */
export const listScopeRows = (all: readonly ConnectionCoverage[], key: string, asked: AskedMonths): MatrixRow[] =>
  all
    .filter((each) => isOf(each, key))
    .flatMap((each) =>
      listParts(each, asked).map((parts): MatrixRow => {
        const { connection_id: id, name, external_source_code: source, company_rut: rut } = each;
        const scope = { source, name: parts[0]?.scope ?? '' };
        const cells = joinParts([parts], asked.months);
        return { key: `${id} ${scope.name}`, name, rut, scope, connectionIds: [id], cells, parts };
      }),
    );

export interface RowFilter {
  /** Part of the name or of the RUT. */
  text: string;
  isUrgentOnly: boolean;
}

const rutDigits = (text: string): string => text.replaceAll(/[^\dk]/gi, '').toLowerCase();

export const filterRows = (rows: readonly MatrixRow[], { text, isUrgentOnly }: RowFilter): MatrixRow[] => {
  const wanted = foldedText(text.trim());
  const digits = rutDigits(text);
  return rows.filter((row) => {
    if (isUrgentOnly && !isUrgentRow(row)) return false;
    if (wanted === '' || foldedText(row.name).includes(wanted)) return true;
    return digits.length > 2 && row.rut !== null && rutDigits(row.rut).includes(digits);
  });
};

export const countUrgent = (rows: readonly MatrixRow[]): number => rows.filter(isUrgentRow).length;
