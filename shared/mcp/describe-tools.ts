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

/**
 * Removes patterns, because agents pay for every character. The description already shows the form of a value, and an
 * error names the form.
 */
const withoutPatterns = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutPatterns);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'pattern')
      .map(([name, each]) => [name, withoutPatterns(each)]),
  );
};

/** The tools change nothing, return the same for the same call, and read only stored data. */
const ANNOTATIONS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;

const listed = ({ name, title, description, input }: Tool): ListedTool => ({
  name,
  title,
  description,
  inputSchema: withoutPatterns(schemaOf(input)) as ListedTool['inputSchema'],
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
