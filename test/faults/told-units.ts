/** What the story of second syncs counted, for people: units a scope, by source and by what is written how. */
import type { SourceFigures } from './second-sync.ts';

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

export const scopesOf = (told: readonly SourceFigures[]): number => sum(told.map(({ scopes }) => scopes));

/** Write units a scope, in the mean over all scopes. */
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
