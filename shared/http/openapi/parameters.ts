/** Parameters of an operation: path, query, and the headers that a caller may send. */
import type * as z from 'zod';
import { type EndpointContract, isRepeatable, type PathParam } from '#shared/http/contract.ts';
import { HTTP_LIMITS } from '#shared/http/limits.ts';
import type { SchemaJson, SchemaRegistry } from './json-schema.ts';

export const IDEMPOTENCY_KEY = 'IdempotencyKey';

export const SHARED_PARAMETERS: Record<string, SchemaJson> = {
  [IDEMPOTENCY_KEY]: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes repeats safe: for 24 hours, the same key with the same body gets the first answer again, and with ' +
      'another body 409. Printable ASCII characters.',
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: HTTP_LIMITS.idempotencyKeyCharsMax,
      // The pattern allows no blank at either end, because HTTP strips blanks at both ends of a header.
      pattern: '^[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?$',
    },
    example: 'b7c1f0de-start-2026-10',
  },
};

/** Descriptions of ids by parameter name, if the resource in the path does not explain them. */
const TEXTS: Readonly<Record<string, { description: string; example: string; schema?: SchemaJson }>> = {
  codigo: { description: 'Code of the tender, upper or lower case.', example: '1509-5-L114', schema: { minLength: 1 } },
};

const singular = (segment: string): string => segment.replace(/ies$/, 'y').replace(/s$/, '').replaceAll('-', ' ');

const PARENTS: Readonly<Record<string, string>> = {
  'sync-runs': 'sync run',
  webhooks: 'webhook endpoint',
  'api-keys': 'API key',
  'tax-rcv-documents': 'document',
  'tax-dispatch-guides': 'guide',
  'bankone-nominas': 'payment batch',
  documentos: 'document',
};

const pathParameter = (path: string, name: string, rule: PathParam): SchemaJson => {
  const parent = path.split('/').at(path.split('/').indexOf(`{${name}}`) - 1) ?? '';
  const known = TEXTS[name];
  const isUuid = !('text' in rule);
  return {
    name,
    in: 'path',
    required: true,
    description: known?.description ?? `Id of the ${PARENTS[parent] ?? singular(parent)}.`,
    schema: isUuid ? { type: 'string', format: 'uuid' } : { type: 'string', ...known?.schema },
    example: known?.example ?? '4f9d3c52-7a1e-4b60-9c8d-000000000d1b',
  };
};

const queryParameters = ({ query }: EndpointContract, schemas: SchemaRegistry): SchemaJson[] =>
  Object.entries((query?.shape ?? {}) as Record<string, z.ZodType>).map(([name, schema]) => {
    const { description, examples, const: only, ...rest } = schemas.of(schema);
    return {
      name,
      in: 'query',
      required: false,
      description: description ?? '',
      schema: only === undefined ? rest : { ...rest, enum: [only] },
      ...(Array.isArray(examples) ? { example: examples[0] } : {}),
    };
  });

export const describeParameters = (contract: EndpointContract, schemas: SchemaRegistry): SchemaJson[] => [
  ...Object.entries(contract.params).map(([name, rule]) => pathParameter(contract.path, name, rule)),
  ...queryParameters(contract, schemas),
  ...(isRepeatable(contract) ? [{ $ref: `#/components/parameters/${IDEMPOTENCY_KEY}` }] : []),
];
