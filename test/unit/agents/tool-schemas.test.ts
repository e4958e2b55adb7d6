/** Converters of agent libraries take only a plain subset of JSON Schema; one other keyword loses the whole tool. */
import { expect, test } from 'vitest';
import { AGENT_SCOPES } from '#shared/mcp/agent-scopes.ts';
import { LISTED_TOOLS } from '#shared/mcp/listed-tool.ts';
import { ownFilters } from '#shared/mcp/search-filters.ts';
import { TOOLS } from '#shared/mcp/tools/tools.ts';

type Schema = Record<string, unknown>;

const isObject = (value: unknown): value is Schema => typeof value === 'object' && value !== null;

/** Returns the schema and all schemas within it. */
const within = (value: unknown): Schema[] =>
  isObject(value) ? [...(Array.isArray(value) ? [] : [value]), ...Object.values(value).flatMap(within)] : [];

const COMPOSED = ['$ref', '$defs', 'anyOf', 'oneOf', 'allOf', 'not', 'const', 'propertyNames', 'patternProperties'];

test.each(LISTED_TOOLS)('$name publishes a plain schema', ({ inputSchema }) => {
  const all = within(inputSchema);
  expect(all.filter((each) => 'additionalProperties' in each)).toEqual([]);
  expect(all.filter(({ type }) => Array.isArray(type))).toEqual([]);
  expect(all.filter(({ format }) => format === 'uuid')).toEqual([]);
  expect(all.filter((each) => COMPOSED.some((keyword) => keyword in each))).toEqual([]);
});

const filtersOf = (tool: string): Schema => {
  const { inputSchema } = LISTED_TOOLS.find(({ name }) => name === tool)!;
  return ((inputSchema.properties as Record<string, Schema>).filters!.properties ?? {}) as Schema;
};

test('the filters are named as properties', () => {
  const names = [...new Set(AGENT_SCOPES.flatMap(ownFilters))].sort();
  expect(Object.keys(filtersOf('search_rows'))).toEqual(names);
  expect(filtersOf('search_rows')).toMatchObject({ latest: { type: 'boolean' }, direction: { type: 'string' } });
  const facets = [...new Set(AGENT_SCOPES.flatMap(({ facets }) => Object.keys(facets)))].sort();
  expect(Object.keys(filtersOf('period_totals'))).toEqual(facets);
});

test.each(TOOLS)('$name still refuses an unknown argument', ({ input }) => {
  const { error } = input.safeParse({ surprise: 1 });
  expect(error!.issues).toContainEqual(expect.objectContaining({ code: 'unrecognized_keys', keys: ['surprise'] }));
});
