/** The committed API description, as a reader sees it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';

export interface Media {
  schema: object;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

export interface Part {
  $ref?: string;
  name?: string;
  in?: string;
  required?: boolean;
  description?: string;
  schema?: object;
  example?: unknown;
  headers?: Record<string, Part>;
  links?: Record<string, unknown>;
  content?: Record<string, Media>;
}

interface RawOperation {
  operationId: string;
  description: string;
  'x-error-codes': Record<string, string[]>;
  parameters?: Part[];
  requestBody?: Part;
  responses: Record<string, Part>;
  security: Record<string, string[]>[];
  callbacks?: Record<string, Record<string, { post: RawOperation }>>;
}

export interface Operation extends RawOperation {
  id: string;
  method: string;
  path: string;
}

interface Description {
  openapi: string;
  info: { version: string };
  paths: Record<string, Record<string, RawOperation>>;
  components: Record<string, Record<string, Part>>;
}

export const DESCRIPTION = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../docs/openapi.json'), 'utf8'),
) as Description;

export const OPERATIONS: Operation[] = Object.entries(DESCRIPTION.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, raw]) => ({ ...raw, id: raw.operationId, method: method.toUpperCase(), path })),
);

/** Event type → its operation. */
export const EVENTS: Record<string, RawOperation> = Object.fromEntries(
  Object.entries(DESCRIPTION.paths['/webhooks']!.post!.callbacks!).map(([type, addresses]) => [
    type,
    addresses['{$request.body#/url}']!.post,
  ]),
);

export const operationOf = (id: string): Operation => {
  const found = OPERATIONS.find((operation) => operation.id === id);
  if (!found) throw new Error(`no operation ${id} in the description`);
  return found;
};

/** The part itself, or the component it refers to. */
export const resolved = (part: Part): Part => {
  if (part.$ref === undefined) return part;
  const [, , kind = '', name = ''] = part.$ref.split('/');
  const found = DESCRIPTION.components[kind]?.[name];
  if (!found) throw new Error(`nothing at ${part.$ref}`);
  return found;
};

export interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  additionalProperties?: unknown;
}

/** The schema itself, or the component it refers to. */
export const schemaAt = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : (resolved({ $ref: schema.$ref }) as unknown as Schema);

/** The schema with every reference replaced by its target. */
export const inlined = (schema: Schema): Schema =>
  JSON.parse(JSON.stringify(schemaAt(schema)), (_, value) =>
    typeof value?.$ref === 'string' ? inlined(value) : value,
  ) as Schema;

const ajv = new Ajv2020({ strict: false, allErrors: true });
(ajvFormats as unknown as (ajv: Ajv2020) => void)(ajv);
ajv.addSchema({ $id: 'description', components: DESCRIPTION.components });

const absolute = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"description#/')) as object;

const validators = new WeakMap<object, ReturnType<Ajv2020['compile']>>();

/** What is wrong with a value, in words; empty if the value is valid. */
export const findings = (schema: object, value: unknown): string[] => {
  const validate = validators.get(schema) ?? ajv.compile(absolute(schema));
  validators.set(schema, validate);
  return validate(value)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
};

export const mediaOf = (part: Part | undefined): Media | undefined =>
  part && resolved(part).content?.['application/json'];

/** Findings of an answer against the description of its operation and status. */
export const answerFindings = (id: string, status: number, body: unknown): string[] => {
  const answer = operationOf(id).responses[String(status)];
  if (!answer) return [`status ${status} is not described`];
  const media = mediaOf(answer);
  if (!media) return body === undefined ? [] : ['a body is not described'];
  return findings(media.schema, body);
};
