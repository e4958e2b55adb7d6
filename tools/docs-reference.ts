/**
 * Describes every operation as Markdown, from the API description. The Markdown has the content of the interactive
 * page, and is readable without JavaScript.
 */

export interface ReferenceSchema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  const?: unknown;
  enum?: unknown[];
  description?: string;
  properties?: Record<string, ReferenceSchema>;
  required?: string[];
  items?: ReferenceSchema;
  anyOf?: ReferenceSchema[];
  oneOf?: ReferenceSchema[];
}

interface Content {
  'application/json'?: { schema: ReferenceSchema; example?: unknown };
}

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: ReferenceSchema;
}

interface DescribedAnswer {
  $ref?: string;
  description: string;
  content?: Content;
}

export interface ReferenceOperation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, DescribedAnswer>;
  security?: Record<string, unknown>[];
  'x-error-codes'?: Record<string, string[]>;
  callbacks?: Record<string, Record<string, { post: ReferenceOperation }>>;
}

export interface ReferenceDescription {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, ReferenceOperation>>;
  webhooks?: Record<string, { post: ReferenceOperation }>;
  components: {
    schemas: Record<string, ReferenceSchema>;
    parameters: Record<string, Parameter>;
    responses: Record<string, DescribedAnswer>;
  };
}

/**
 * Returns the events that a webhook endpoint receives, by type. They are in the root of the description, or in the
 * callbacks of the operation that creates an endpoint.
 */
export const listEvents = ({
  paths,
  webhooks,
}: ReferenceDescription): [type: string, operation: ReferenceOperation][] =>
  webhooks
    ? Object.entries(webhooks).map(([type, { post }]) => [type, post])
    : Object.entries(paths['/webhooks']?.post?.callbacks ?? {}).map(([type, byUrl]) => [
        type,
        Object.values(byUrl)[0]!.post,
      ]);

const nameIn = (ref: string): string => ref.split('/').at(-1)!;

const resolver = ({ components }: ReferenceDescription) => ({
  schema: (schema: ReferenceSchema): ReferenceSchema =>
    schema.$ref ? (components.schemas[nameIn(schema.$ref)] ?? {}) : schema,
  parameter: (parameter: Parameter): Parameter =>
    parameter.$ref ? components.parameters[nameIn(parameter.$ref)]! : parameter,
  answer: (answer: DescribedAnswer): DescribedAnswer =>
    answer.$ref ? components.responses[nameIn(answer.$ref)]! : answer,
});
type Resolver = ReturnType<typeof resolver>;

const DEPTH_MAX = 4;

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ');
const code = (text: string): string => `\`${text.replaceAll('`', "'")}\``;

const typeOf = (schema: ReferenceSchema): string => {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(', ');
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return alternatives.map((each) => (each.$ref ? nameIn(each.$ref) : typeOf(each))).join(' or ');
  const types = [schema.type ?? 'any'].flat().join(' or ');
  return schema.format ? `${types}, ${schema.format}` : types;
};

interface DescribedField {
  path: string;
  schema: ReferenceSchema;
  isRequired: boolean;
}

/** Returns the fields of a body by path, including the fields of its objects and lists. */
const fieldsOf = (resolve: Resolver, schema: ReferenceSchema, path = '', depth = 0): DescribedField[] => {
  const own = resolve.schema(schema);
  if (own.items && depth < DEPTH_MAX) return fieldsOf(resolve, own.items, `${path}[]`, depth);
  if (!own.properties || depth >= DEPTH_MAX) return [];
  return Object.entries(own.properties).flatMap(([name, property]) => {
    const field: DescribedField = {
      path: path === '' ? name : `${path}.${name}`,
      schema: { ...resolve.schema(property), ...property },
      isRequired: own.required?.includes(name) ?? false,
    };
    return [field, ...fieldsOf(resolve, property, field.path, depth + 1)];
  });
};

const fieldTable = (resolve: Resolver, schema: ReferenceSchema): string[] => {
  const fields = fieldsOf(resolve, schema);
  if (fields.length === 0) return [];
  return [
    '| Field | Type | Required | Meaning |',
    '| --- | --- | --- | --- |',
    ...fields.map(
      ({ path, schema: { description = '', ...type }, isRequired }) =>
        `| ${code(path)} | ${cell(typeOf(type))} | ${isRequired ? 'yes' : 'no'} | ${cell(description)} |`,
    ),
    '',
  ];
};

const exampleOf = (content: Content | undefined): string[] => {
  const example = content?.['application/json']?.example;
  return example === undefined ? [] : ['```json', JSON.stringify(example, null, 2), '```', ''];
};

const parameterTable = (resolve: Resolver, parameters: readonly Parameter[]): string[] =>
  parameters.length === 0
    ? []
    : [
        '**Parameters**',
        '',
        '| Name | In | Type | Required | Meaning |',
        '| --- | --- | --- | --- | --- |',
        ...parameters
          .map(resolve.parameter)
          .map(
            ({ name, in: place, required, description = '', schema }) =>
              `| ${code(name)} | ${place} | ${cell(typeOf(resolve.schema(schema)))} | ${required ? 'yes' : 'no'} | ${cell(description)} |`,
          ),
        '',
      ];

const bodyOf = (resolve: Resolver, { requestBody }: ReferenceOperation): string[] => {
  const json = requestBody?.content['application/json'];
  if (!requestBody || !json) return [];
  const title = requestBody.required ? '**Body**' : '**Body** (optional)';
  return [title, '', ...fieldTable(resolve, json.schema), ...exampleOf(requestBody.content)];
};

const successOf = (resolve: Resolver, [status, answer]: [string, DescribedAnswer]): string[] => {
  const { description, content } = resolve.answer(answer);
  const schema = content?.['application/json']?.schema;
  return [`**${status}**: ${description}`, '', ...(schema ? fieldTable(resolve, schema) : []), ...exampleOf(content)];
};

const CREDENTIALS: Record<string, string> = { apiKey: 'API key', accessToken: 'access token', session: 'session' };

const operationText = (resolve: Resolver, title: string, operation: ReferenceOperation): string[] => {
  const accepted = (operation.security ?? []).flatMap((each) => Object.keys(each)).map((each) => CREDENTIALS[each]);
  return [
    `## ${title}`,
    '',
    `${operation.summary}. ${accepted.length === 0 ? '' : `Credentials: ${accepted.join(', ')}.`}`.trim(),
    '',
    operation.description,
    '',
    ...parameterTable(resolve, operation.parameters ?? []),
    ...bodyOf(resolve, operation),
    ...Object.entries(operation.responses)
      .filter(([status]) => status.startsWith('2') && status !== '2XX')
      .flatMap((answer) => successOf(resolve, answer)),
  ];
};

export interface ReferencePage {
  name: string;
  title: string;
  about: string;
  markdown: string;
}

const slug = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

interface Titled {
  title: string;
  operation: ReferenceOperation;
}

/** Returns one page per tag, and one page that lists all tags. */
export const referencePages = (description: ReferenceDescription): ReferencePage[] => {
  const resolve = resolver(description);
  const operations: Titled[] = Object.entries(description.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ title: `${method.toUpperCase()} ${path}`, operation })),
  );
  const events = listEvents(description).map(([type, operation]) => ({ title: `Event ${type}`, operation }));
  const all = [...operations, ...events];
  const pages = description.tags.map(({ name, description: about }) => {
    const own = all.filter(({ operation }) => operation.tags.includes(name));
    const text = own.flatMap(({ title, operation }) => operationText(resolve, title, operation));
    const title = `Reference: ${name}`;
    return {
      name: `reference-${slug(name)}`,
      title,
      about,
      own,
      markdown: [`# ${title}`, '', about, '', ...text].join('\n'),
    };
  });
  const list = pages.flatMap(({ name, title, about, own }) => [
    `## [${title.replace('Reference: ', '')}](${name}.md)`,
    '',
    about,
    '',
    ...own.map(({ title: each, operation }) => `- ${code(each)}: ${operation.summary}`),
    '',
  ]);
  const intro = 'Every operation, with its parameters, fields, examples and codes. Paths begin after `/api`.';
  return [
    {
      name: 'reference',
      title: 'Reference',
      about: intro,
      markdown: ['# Reference', '', intro, '', ...list].join('\n'),
    },
    ...pages.map(({ name, title, about, markdown }) => ({ name, title, about, markdown })),
  ];
};
