/**
 * Facets: the combination of a row's filter values is part of where the row lives, so that a filtered list reads only
 * what it shows. `received.registro`; a scope without facets has one partition.
 */
type RowValues = Readonly<Record<string, unknown>>;

export interface Faceted {
  /** Fields with few, known values. */
  facets: Readonly<Record<string, readonly string[]>>;
  /** Fields whose values are not known beforehand: an account, a currency. */
  openFacets?: readonly string[];
}

const ALL = 'all';
const SEPARATOR = '.';

/** Names of ours stay as they are; whatever a bank may put into an account number is told apart from the separator. */
const part = (value: unknown): string => encodeURIComponent(String(value).toWellFormed()).replaceAll(SEPARATOR, '%2E');

export const facetFields = (scope: Faceted): string[] => [...Object.keys(scope.facets), ...(scope.openFacets ?? [])];

export const joinFacets = (scope: Faceted, row: RowValues): string =>
  facetFields(scope)
    .map((field) => part(row[field]))
    .join(SEPARATOR) || ALL;

/** What the combination of a row's facets says of its fields. */
export const facetValues = (scope: Faceted, facets: string): Record<string, string> => {
  const parts = facets.split(SEPARATOR);
  return Object.fromEntries(facetFields(scope).map((field, at) => [field, decodeURIComponent(parts[at] ?? '')]));
};

/** Those of the occurring combinations that a filter wants; an absent or undefined filter value wants every one. */
export const wantedFacets = (scope: Faceted, occurring: Iterable<string>, filter: RowValues): Set<string> => {
  const fields = facetFields(scope);
  const wanted = fields.map((field) => (filter[field] === undefined ? undefined : part(filter[field])));
  const fits = (facets: string): boolean => {
    const parts = facets.split(SEPARATOR);
    return wanted.every((value, at) => value === undefined || value === parts[at]);
  };
  return new Set([...occurring].filter(fits));
};

/** Every combination that closed facets can have. */
export const facetCombinations = (facets: Faceted['facets']): string[] =>
  Object.values(facets)
    .reduce<string[]>(
      (starts, values) => starts.flatMap((start) => values.map((value) => (start ? start + SEPARATOR + value : value))),
      [''],
    )
    .map((combination) => combination || ALL);
