/**
 * Builds descriptions of tools and columns for agents, derived from the schemas that validate calls and from the
 * scopes. The descriptions are generated in advance, so that no function contains zod's JSON Schema converter
 * (infra/bundle.ts leaves it out).
 */
import type * as z from 'zod';
import { createSchemas, type SchemaJson } from '#shared/http/openapi/json-schema.ts';
import { TOOLS } from '#shared/mcp/tools/tools.ts';
import { AGENT_SCOPES, type AgentScope } from './agent-scopes.ts';
import type { DescribedColumn, DescribedColumns } from './column-glossary.ts';
import type { ListedTool } from './listed-tool.ts';
import { untrustedFields } from './projection.rules.ts';
import { ownFilters } from './search-filters.ts';
import type { Tool } from './tool.ts';

export const TOOL_LIST = 'shared/mcp/tool-list.gen.json';
export const COLUMN_GLOSSARY = 'shared/mcp/column-glossary.gen.json';

const text = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const schemaOf = (schema: z.ZodType): SchemaJson => createSchemas(new Map()).of(schema);

/** Keywords that only cost an agent characters: the description shows the form, and an error names it. */
const DROPPED: ReadonlySet<string> = new Set(['pattern', 'additionalProperties']);

/**
 * Keeps the subset of JSON Schema that agent libraries convert (test/outside/tool-converters.test.ts). Calls are validated by the
 * zod schema, which still refuses unknown arguments and anything but a UUID.
 */
const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      // AutoGen reads the format as a UUID of version 4; our ids have the versions 5 and 7.
      .filter(([name, each]) => !DROPPED.has(name) && !(name === 'format' && each === 'uuid'))
      .map(([name, each]) => [name, plain(each)]),
  );
};

/** The tools change nothing, return the same for the same call, and read only stored data. */
const ANNOTATIONS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;

const listed = ({ name, title, description, input }: Tool): ListedTool => ({
  name,
  title,
  description,
  inputSchema: plain(schemaOf(input)) as ListedTool['inputSchema'],
  annotations: ANNOTATIONS,
});

export const toolList = (): string => text(TOOLS.map(listed));

const valuesOf = (schema: SchemaJson): string[] | null => (Array.isArray(schema.enum) ? schema.enum.map(String) : null);

const columnOf = (scope: AgentScope, name: string, untrusted: readonly string[]): DescribedColumn => {
  const schema = schemaOf(scope.listRow.shape[name] as z.ZodType);
  return {
    name,
    says: typeof schema.description === 'string' ? schema.description : null,
    values: valuesOf(schema),
    isUntrusted: untrusted.includes(name),
  };
};

const columnsOf = (scope: AgentScope): DescribedColumns => {
  const { columns, sums, groups } = scope.agent;
  const untrusted = untrustedFields(scope.listRow, columns);
  return {
    source: scope.source,
    scope: scope.name,
    label: scope.label,
    columns: columns.map((name) => columnOf(scope, name, untrusted)),
    filters: ownFilters(scope).map((name) => ({
      name,
      values: valuesOf(schemaOf(scope.filters.shape[name] as z.ZodType)),
    })),
    sums: [...sums],
    groups: [...groups],
  };
};

export const columnGlossary = (): string => text(AGENT_SCOPES.map(columnsOf));
