/**
 * The published schemas refuse the same values as the service: random values around each schema go to both. Rules that
 * no schema can express are named: those that only the service refuses in `tools/fuzz/rules.json`, those that it
 * forgives in `LENIENT`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ENDPOINTS } from '#infra/endpoints.gen.ts';
import type { Connection } from '#shared/connections/connection.rules.ts';
import { type EndpointContract, refusesUnknownQuery } from '#shared/http/contract.ts';
import { HTTP_LIMITS } from '#shared/http/limits.ts';
import { isDescribed } from '#shared/http/openapi/description.ts';
import { operationId } from '#shared/http/openapi/names.ts';
import { judgeConnectLink } from '#shared/http/request/connect-link-input.ts';
import { judgeConnectionInput } from '#shared/http/request/connection-input.ts';
import { judge } from '#shared/http/request/issues.ts';
import { parseQuery } from '#shared/http/request/query.ts';
import { metadataToSync, scopesToSync } from '#shared/http/request/sync-input.ts';
import { toExternalSource } from '#shared/http/views/external-source.ts';
import { SCOPES } from '#shared/scopes/scopes.gen.ts';
import { MANIFESTS } from '#shared/sources/manifests.gen.ts';
import { normalizeRut } from '#shared/values/rut.ts';
import { judgeUrl } from '#shared/webhooks/safe-destination.ts';
import { findings, inlined, mediaOf, operationOf, type Part, resolved } from '#test/helpers/description.ts';
import { runs } from '#test/helpers/effort.ts';
import { type JsonSchema, valuesAround } from '#test/helpers/schema-values.ts';

interface Published {
  name: string;
  /** Whether the service may refuse a value for this reason although the schema accepts it. */
  isUnsaid(said: string, value: unknown): boolean;
  schema: JsonSchema;
  /** Why the service refuses the value; undefined if it accepts the value. */
  refusal(value: unknown): string | undefined;
  /** The value as a query string can express it: text, or a number of digits. */
  asSent?(value: unknown): unknown;
}

const RULES = JSON.parse(readFileSync(join(import.meta.dirname, '../../tools/fuzz/rules.json'), 'utf8')) as {
  rule: string;
  operations?: string[];
  message: string;
}[];

/** Values that the service accepts although the schema, which sees the text as sent, refuses them. */
const LENIENT: readonly { rule: string; fits(value: unknown): boolean }[] = [
  {
    rule: 'null is an absent optional property of metadata, which the schemas of sources and scopes do not say',
    fits: (value) => isObject(value) && Object.values(value).includes(null),
  },
  {
    rule: 'blanks around a text that is trimmed do not count',
    fits: (value) =>
      JSON.stringify(value) !== JSON.stringify(value, (_, it) => (typeof it === 'string' ? it.trim() : it)),
  },
  {
    rule: 'in a URL a letter beyond ASCII or a lone percent sign stands for itself: both are encoded on their way',
    fits: (value) => isObject(value) && typeof value.url === 'string' && /[^ -~]|%(?![\da-f]{2})/i.test(value.url),
  },
];

/** Rules of an operation that no schema can express. */
const rulesOf = (operation: string): Published['isUnsaid'] => {
  const rules = RULES.filter(({ operations = [operation] }) => operations.includes(operation)).map(
    ({ message }) => new RegExp(`^(?:${message})$`),
  );
  return (said) => rules.some((rule) => rule.test(said));
};

/** Whether another check digit would make it a RUT. The schema itself checks the form. */
const isFormOfRut = (text: unknown): boolean =>
  typeof text === 'string' &&
  [...'0123456789K'].some((digit) => normalizeRut(text.replace(/[\dkK](?=[\s.-]*$)/, digit)) !== undefined);

/** The same check for the schemas of the sources. */
const UNSAID = {
  credentials: (said, value) => {
    const [, field = ''] = /^credentials\.(\w+) must be a RUT with a valid check digit$/.exec(said) ?? [];
    return isFormOfRut((value as Record<string, unknown>)[field]);
  },
  metadata: (said, value) =>
    said === 'metadata.company_rut must be a RUT with a valid check digit' &&
    isFormOfRut((value as Record<string, unknown>).company_rut),
  syncMetadata: (said) => /^metadata(\.\w+ must not be after \w+| must span at most \d+ (months|days))$/.test(said),
  filters: (said) => said === 'from must not be after to',
} satisfies Record<string, Published['isUnsaid']>;

const thrown = (act: () => unknown): string | undefined => {
  try {
    act();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

const CONNECTION = { enabledScopes: ['rcv'] } as unknown as Connection;
const TAX = MANIFESTS.find(({ code }) => code === 'tax')!;
const RCV = SCOPES.filter(({ source, name }) => source === 'tax' && name === 'rcv');

/** Rules of an operation's logic that its body schema does not contain. */
const BEYOND: Readonly<Record<string, (body: Record<string, unknown>) => string | undefined>> = {
  createWebhook: ({ url }) => {
    const { finding } = judgeUrl(url as string, { isLoopbackHttpAllowed: false } as never);
    return finding && `url ${finding}`;
  },
  updateWebhook: (body) => (body.url === undefined ? undefined : BEYOND.createWebhook!(body)),
  createConnection: ({ enabled_scopes }) =>
    thrown(() => judgeConnectionInput(TAX, { enabled_scopes: enabled_scopes as string[] })),
  updateConnection: (body) => BEYOND.createConnection!(body),
  createConnectLink: (body) => thrown(() => judgeConnectLink(body as never, { manifest: () => TAX }, Date.now())),
  startSync: ({ scopes, metadata }) =>
    thrown(() => {
      scopesToSync(CONNECTION, scopes as string[]);
      metadataToSync(RCV, metadata as Record<string, unknown>);
    }),
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const bodyOf = (contract: EndpointContract): Published[] => {
  const operation = operationId(contract);
  const { schema } = mediaOf(operationOf(operation).requestBody)!;
  return [
    {
      name: `body of ${operation}`,
      isUnsaid: rulesOf(operation),
      schema: inlined(schema) as JsonSchema,
      refusal: (value) => {
        if (!isObject(value)) return 'body must be an object';
        const { data, finding } = judge(contract.body!, value);
        return finding ?? BEYOND[operation]?.(data as Record<string, unknown>);
      },
    },
  ];
};

const NUMBER = /^-?\d{1,16}$/;

const textAsSent = (schema: JsonSchema, value: unknown): unknown => {
  const text = typeof value === 'object' ? '' : String(value);
  if (schema.type === 'integer' && NUMBER.test(text)) return Number(text);
  return schema.type === 'boolean' && (text === 'true' || text === 'false') ? text === 'true' : text;
};

const queryAsSent = (schema: JsonSchema) => (value: unknown) =>
  Object.fromEntries(
    Object.entries(isObject(value) ? value : {}).map(([name, one]) => [
      name,
      textAsSent(schema.properties?.[name] ?? {}, one),
    ]),
  );

const queryRefusal = (
  contract: Pick<EndpointContract, 'query' | 'basePath' | 'path'>,
  value: unknown,
): string | undefined => {
  const texts = Object.entries(value as object).map(([name, one]): [string, string] => [name, String(one)]);
  return thrown(() => parseQuery(contract, new URLSearchParams(texts).toString()));
};

const parametersOf = (contract: EndpointContract): Published[] => {
  const operation = operationId(contract);
  const parameters = (operationOf(operation).parameters ?? [])
    .map(resolved)
    .filter((each: Part) => each.in === 'query');
  const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name!, schema as JsonSchema]));
  const schema = { type: 'object', properties, additionalProperties: !refusesUnknownQuery(contract) };
  return [
    {
      name: `query of ${operation}`,
      isUnsaid: (said, value) =>
        rulesOf(operation)(said, value) ||
        (said === 'company_rut must be a RUT with a valid check digit' &&
          isFormOfRut((value as Record<string, unknown>).company_rut)),
      schema,
      asSent: queryAsSent(schema),
      refusal: (value) => queryRefusal(contract, value),
    },
  ];
};

const judgedBy = (schema: Parameters<typeof judge>[0], at: string) => (value: unknown) =>
  judge(schema, value, { at: [at] }).finding;

const sourceSchemas: Published[] = MANIFESTS.flatMap((manifest) => {
  const { metadata, scopes } = toExternalSource(manifest);
  const of = (scope: string) => SCOPES.find(({ source, name }) => source === manifest.code && name === scope)!;
  return [
    {
      name: `credentials of ${manifest.code}`,
      isUnsaid: UNSAID.credentials,
      schema: metadata.credentials_schema,
      refusal: judgedBy(manifest.credentialsSchema, 'credentials'),
    },
    {
      name: `metadata of ${manifest.code}`,
      isUnsaid: UNSAID.metadata,
      schema: metadata.connection_metadata_schema,
      refusal: judgedBy(manifest.metadataSchema, 'metadata'),
    },
    ...scopes.flatMap((scope): Published[] => [
      {
        name: `sync_metadata of ${manifest.code}.${scope.name}`,
        isUnsaid: UNSAID.syncMetadata,
        schema: scope.sync_metadata,
        refusal: (value) =>
          isObject(value) ? thrown(() => metadataToSync([of(scope.name)], value)) : 'metadata must be an object',
      },
      ...(scope.filters === null
        ? []
        : [
            {
              name: `filters of ${manifest.code}.${scope.name}`,
              isUnsaid: UNSAID.filters,
              schema: scope.filters,
              asSent: queryAsSent(scope.filters),
              refusal: (value: unknown) =>
                queryRefusal({ query: of(scope.name).filters, basePath: '/api', path: '/connections' }, value),
            },
          ]),
    ]),
  ];
});

const described = ENDPOINTS.filter(isDescribed);
const PUBLISHED: readonly Published[] = [
  ...described.filter(({ body }) => body !== null).flatMap(bodyOf),
  ...described.filter(({ query }) => query !== null).flatMap(parametersOf),
  ...sourceSchemas,
];

describe.each(PUBLISHED.map((published) => [published.name, published] as const))('%s', (_, published) => {
  const { schema, isUnsaid, refusal, asSent = (value) => value } = published;

  test('takes what the service takes', () => {
    let taken = 0;
    fc.assert(
      fc.property(valuesAround(schema).map(asSent), (value) => {
        const against = findings(schema, value);
        const said = refusal(value);
        if (said === undefined) {
          taken += 1;
          if (against.length > 0 && LENIENT.some(({ fits }) => fits(value))) return;
          expect(against, JSON.stringify(value)).toEqual([]);
        } else if (against.length === 0) {
          const unnamed = said.split('; ').filter((one) => !isUnsaid(one, value));
          expect(unnamed, JSON.stringify(value)).toEqual([]);
        }
      }),
      { numRuns: runs(2_000) },
    );
    expect(taken, 'no drawn value was taken').toBeGreaterThan(0);
  });
});

test('no source has more scopes than a request may name', () => {
  for (const { scopes } of MANIFESTS) expect(scopes.length).toBeLessThanOrEqual(HTTP_LIMITS.scopesPerSourceMax);
});
