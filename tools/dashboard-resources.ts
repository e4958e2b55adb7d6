/**
 * Generates the paths and columns of each scope for the dashboard's table page, from the API description. After `npm
 * run gen` the page therefore shows a new scope without any change by hand.
 */

import { pascal } from '#infra/names.ts';
import type { Field, FieldKind, Part, Resource } from '../dashboard/src/data/resource.ts';

export const DASHBOARD_RESOURCES = 'dashboard/src/data/resources.gen.ts';

interface ResourceSchema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  pattern?: string;
  enum?: unknown[];
  properties?: Record<string, ResourceSchema>;
  items?: ResourceSchema;
}

interface GetOperation {
  responses: Record<string, { content?: Record<string, { schema?: ResourceSchema }> }>;
}

interface ResourceDescription {
  paths: Record<string, { get?: GetOperation }>;
  components: { schemas: Record<string, ResourceSchema> };
}

const SCHEMAS = '#/components/schemas/';
const DECIMAL = String.raw`^-?\d+(\.\d+)?$`;
const DIGITS = String.raw`^\d+$`;
const PERIOD = String.raw`^\d{4}-(0[1-9]|1[0-2])$`;

const textKind = ({ format, pattern }: ResourceSchema): FieldKind => {
  if (format === 'uuid') return 'id';
  if (format === 'date') return 'day';
  if (format === 'date-time') return 'instant';
  if (pattern === DECIMAL || pattern === DIGITS) return 'decimal';
  return pattern === PERIOD ? 'period' : 'text';
};

const KINDS: Readonly<Record<string, FieldKind>> = {
  integer: 'integer',
  boolean: 'boolean',
  array: 'list',
  object: 'object',
};

const kindOf = (schema: ResourceSchema): FieldKind => {
  if (schema.enum) return 'choice';
  const type = [schema.type].flat().find((name) => name !== 'null') ?? 'string';
  return KINDS[type] ?? textKind(schema);
};

const fieldsOf = ({ properties = {} }: ResourceSchema): Field[] =>
  Object.entries(properties).map(([name, schema]) => ({ name, kind: kindOf(schema) }));

const dataOf = ({ responses }: GetOperation): ResourceSchema | undefined =>
  responses[200]?.content?.['application/json']?.schema?.properties?.data;

interface NamedScope {
  source: string;
  name: string;
}

const resourceOf = (
  { paths, components }: ResourceDescription,
  scope: NamedScope,
  scopes: readonly NamedScope[],
): Resource => {
  const component = `${pascal(`${scope.source}-${scope.name}`)}Row`;
  // A person reads with a session: below a connection.
  const ofConnections = Object.entries(paths).filter(([path]) => path.startsWith('/connections/'));
  const gets = ofConnections.flatMap(([path, { get }]) => {
    const data = get && dataOf(get);
    return data ? [{ path, data }] : [];
  });
  const named = ({ $ref = '' }: ResourceSchema): string => $ref.replace(SCHEMAS, '');
  const schema = (reference: ResourceSchema): ResourceSchema => components.schemas[named(reference)] ?? {};
  const list = gets.find(({ data }) => data.items && named(data.items) === component);
  if (!list) throw new Error(`no path of the description answers ${component}`);

  /**
   * Paths that begin with the list's path. `rest` is the part after the list's path, such as `periods`, `{documentId}`,
   * `{nominaId}/pagos`.
   */
  const below = gets.flatMap(({ path, data }) =>
    path.startsWith(`${list.path}/`) ? [{ path, data, rest: path.slice(list.path.length + 1) }] : [],
  );
  const document = below.find(({ rest }) => /^\{\w+\}$/.test(rest));
  const parts = below.flatMap(({ path, data, rest }): Part[] => {
    const name = /^\{\w+\}\/(\w+)$/.exec(rest)?.[1];
    // Lists below a tender are not parts of a row, because they are separate scopes.
    const isScope = scopes.some((each) => each.source === scope.source && each.name === name);
    return name && data.items && !isScope ? [{ name, path, fields: fieldsOf(schema(data.items)) }] : [];
  });
  const fields = fieldsOf(components.schemas[component] ?? {});
  // A row has files if the row, or an object in a list of the row, has a `locator` (the file's address at the source).
  const { properties: columns = {} } = components.schemas[component] ?? {};
  const hasFiles = 'locator' in columns || Object.values(columns).some(({ items }) => items?.properties?.locator);
  const download = ofConnections
    .map(([path]) => path)
    .find((path) => hasFiles && /\/documentos\/\{\w+\}\/link$/.test(path));
  return {
    source: scope.source,
    scope: scope.name,
    path: list.path,
    fields,
    document: document ? { path: document.path, fields: fieldsOf(schema(document.data)) } : null,
    parts,
    periods: below.find(({ rest }) => rest === 'periods')?.path ?? null,
    totals: below.find(({ rest }) => rest === 'totals')?.path ?? null,
    download: download ?? null,
  };
};

const text = (resource: Resource): string =>
  JSON.stringify(resource, null, 1)
    .replaceAll(/\n\s*/g, ' ')
    .replaceAll(/"(\w+)":/g, '$1:')
    .replaceAll('"', "'");

/**
 * Returns the text of the generated file.
 * @param description text of the API description
 */
export const dashboardResources = (description: string, scopes: readonly NamedScope[]): string => {
  const parsed = JSON.parse(description) as ResourceDescription;
  return [
    '// Generated by `npm run gen` from the description of the API; do not edit.',
    "import type { Resource } from './resource.ts';",
    '',
    'export const RESOURCES: readonly Resource[] = [',
    ...scopes.map((scope) => `  ${text(resourceOf(parsed, scope, scopes))},`),
    '];',
    '',
  ].join('\n');
};
