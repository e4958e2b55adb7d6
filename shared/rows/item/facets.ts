/**
 * Facets: the combination of a row's filter values, such as `received.registro`, is part of the row's key. So a
 * filtered list reads only the rows that it shows. A scope without facets has one partition.
 */
type RowValues = Readonly<Record<string, unknown>>;

export interface Faceted {
  /** Possible values by field, for fields that have only a few values, all known in advance. */
  facets: Readonly<Record<string, readonly string[]>>;
  /** Fields whose values are not known in advance, such as an account or a currency. */
  openFacets?: readonly string[];
}

const ALL = 'all';
const SEPARATOR = '.';

/**
 * Returns a value in the form used in keys. Our own names stay unchanged. Any text that a bank puts into an account
 * number is encoded, so that the text cannot contain the separator.
 */
const part = (value: unknown): string => encodeURIComponent(String(value).toWellFormed()).replaceAll(SEPARATOR, '%2E');

export const facetFields = (scope: Faceted): string[] => [...Object.keys(scope.facets), ...(scope.openFacets ?? [])];

export const joinFacets = (scope: Faceted, row: RowValues): string =>
  facetFields(scope)
    .map((field) => part(row[field]))
    .join(SEPARATOR) || ALL;

/** Returns the field values of a facet combination. */
export const facetValues = (scope: Faceted, facets: string): Record<string, string> => {
  const parts = facets.split(SEPARATOR);
  return Object.fromEntries(facetFields(scope).map((field, at) => [field, decodeURIComponent(parts[at] ?? '')]));
};

/**
 * Returns the occurring combinations that match a filter. A field that is absent or undefined in the filter matches
 * every value.
 */
export const wantedFacets = (scope: Faceted, occurring: Iterable<string>, filter: RowValues): Set<string> => {
  const fields = facetFields(scope);
  const wanted = fields.map((field) => (filter[field] === undefined ? undefined : part(filter[field])));
  const fits = (facets: string): boolean => {
    const parts = facets.split(SEPARATOR);
    return wanted.every((value, at) => value === undefined || value === parts[at]);
  };
  return new Set([...occurring].filter(fits));
};

/** Returns every combination that the closed facets allow. */
export const facetCombinations = (facets: Faceted['facets']): string[] =>
  Object.values(facets)
    .reduce<string[]>(
      (starts, values) => starts.flatMap((start) => values.map((value) => (start ? start + SEPARATOR + value : value))),
      [''],
    )
    .map((combination) => combination || ALL);
