/** Prints the figures of second syncs for people: units per scope, by source and by kind of write. */
export interface SourceFigures {
  source: string;
  /** Statuses of the first and the second sync. */
  statuses: string[];
  scopes: number;
  /** Rows that the second sync created or changed. */
  written: number;
  /** Raw answers that were stored. */
  answers: number;
  /** Duration of the second sync, and the shortest time that its answers take at the pace. */
  wallMs: number;
  paceMs: number;
  units: number;
  /** By kind of item and call, such as `WORK Update`. */
  byWrite: Record<string, { times: number; units: number; bytesMax: number }>;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

export const scopesOf = (told: readonly SourceFigures[]): number => sum(told.map(({ scopes }) => scopes));

/** Write units per scope, as the mean over all scopes. */
export const meanOf = (told: readonly SourceFigures[]): number => sum(told.map(({ units }) => units)) / scopesOf(told);

export const tellUnits = (told: readonly SourceFigures[]): string => {
  const scopes = scopesOf(told);
  const aScope = (units: number, of: number): string => (units / of).toFixed(2);
  const writes = new Map<string, { times: number; units: number }>();
  for (const [what, { times, units }] of told.flatMap(({ byWrite }) => Object.entries(byWrite))) {
    const before = writes.get(what) ?? { times: 0, units: 0 };
    writes.set(what, { times: before.times + times, units: before.units + units });
  }
  return [
    `${meanOf(told).toFixed(1)} write units a scope, ${aScope(sum(told.map(({ answers }) => answers)), scopes)} kept answers`,
    ...told.map(
      ({ source, scopes: own, answers, wallMs, units }) =>
        `${source}: ${own} scopes, ${answers} answers, ${Math.round(wallMs / 1_000)} s, ${aScope(units, own)} units a scope`,
    ),
    ...[...writes]
      .sort(([, a], [, b]) => b.units - a.units)
      .map(([what, { times, units }]) => `${what}: ${times} times, ${aScope(units, scopes)} units a scope`),
  ].join('\n');
};
