/** The pages of lines 1 and 3, and their limits: shared by the benchmark and the test that guards it. */

export const PAGE = 50;
export const TO_REACH = { unitsOverFirst: 5, timeOfFirst: 1.7, trips: 4, timeOfFloor: 3.5 };

/** Queries by the name of their filter. `periods`: newest first. */
export const filtersOf = (periods: readonly string[]): Record<string, string> => {
  const at = (share: number): string => periods[Math.floor(periods.length * share)]!;
  const middle = at(1 / 2);
  return {
    'no filter': '',
    period: `period=${middle}`,
    facet: 'direction=issued',
    'two facets': 'direction=issued&estado=registro',
    'from and to': `from=${at(5 / 6)}-10&to=${at(1 / 8)}-20`,
    'all of them': `period=${middle}&direction=issued&from=${middle}-03&to=${middle}-25`,
  };
};

/** The first row, a row far in, one in the middle, and the last page. */
export const offsetsOf = (total: number): number[] => [
  ...new Set([0, Math.min(1_000, Math.floor(total / 4)), Math.floor(total / 2), Math.max(0, total - PAGE)]),
];
