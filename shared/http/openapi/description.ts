/** The description of the service (OpenAPI 3.1.0), made of the contracts that judge its requests. Pure. */
import type { EndpointContract } from '#shared/http/contract.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { ABOUT, SECURITY_SCHEMES, securityOf, tagsOf } from './about.ts';
import { SHARED_HEADERS } from './answer-headers.ts';
import { answersOf, type Recorded } from './answers.ts';
import { CATALOGUES } from './catalogues.ts';
import { ERROR_RESPONSES, ERROR_SCHEMAS, errorCodesOf, errorCodesText } from './error-answers.ts';
import { callbacksOf, SUBSCRIBING } from './events.ts';
import { exampleOf } from './examples.ts';
import { createSchemas, referenced, type SchemaJson, type SchemaRegistry } from './json-schema.ts';
import { linksOf } from './links.ts';
import { componentNames, operationId } from './names.ts';
import { IDEMPOTENCY_KEY, parametersOf, SHARED_PARAMETERS } from './parameters.ts';

const bodyOf = (contract: EndpointContract, schemas: SchemaRegistry): SchemaJson => {
  if (contract.body === null) return {};
  const schema = schemas.of(contract.body);
  const example = exampleOf(schema, schemas.components());
  return {
    requestBody: {
      required: !contract.bodyOptional,
      content: { 'application/json': { schema, example } },
    },
  };
};

const withLinks = (
  contract: EndpointContract,
  answers: SchemaJson,
  contracts: readonly EndpointContract[],
  resolve: (schema: SchemaJson) => SchemaJson,
): SchemaJson =>
  Object.fromEntries(
    Object.entries(answers as Record<string, SchemaJson>).map(([status, answer]) => {
      const content = (answer.content as Record<string, { schema: SchemaJson }> | undefined)?.['application/json'];
      if (Number(status) >= 300 || !content) return [status, answer];
      const links = linksOf(contract, content.schema, contracts, resolve);
      return [status, Object.keys(links).length > 0 ? { ...answer, links } : answer];
    }),
  );

interface DescriptionInput {
  contracts: readonly EndpointContract[];
  schemas: SchemaRegistry;
  recorded: Recorded;
}

const operationOf = (contract: EndpointContract, { contracts, schemas, recorded }: DescriptionInput): SchemaJson => {
  const parameters = parametersOf(contract, schemas);
  const body = bodyOf(contract, schemas);
  const answered = answersOf(contract, schemas, recorded);
  const resolve = (schema: SchemaJson): SchemaJson => {
    const name = referenced(schema);
    return name === undefined ? schema : (schemas.components()[name] ?? {});
  };
  return {
    operationId: operationId(contract),
    tags: [contract.tag],
    summary: contract.summary,
    description: `${contract.description}\n\n${errorCodesText(contract)}`,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...body,
    responses: withLinks(contract, answered, contracts, resolve),
    ...(operationId(contract) === SUBSCRIBING ? { callbacks: callbacksOf(schemas, recorded) } : {}),
    security: securityOf(contract.auth),
    'x-error-codes': errorCodesOf(contract),
  };
};

/** What the description tells of: neither the route of unknown paths nor pages for people. */
export const isDescribed = ({ basePath, path }: EndpointContract): boolean =>
  basePath === '/api' && path.startsWith('/');

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** @param recorded what a running service answered, as the examples of answers */
export const describeService = (
  all: readonly EndpointContract[],
  scopes: readonly ScopeDefinition[],
  recorded: Recorded,
): SchemaJson => {
  const contracts = all
    .filter(isDescribed)
    .sort((a, b) => a.path.localeCompare(b.path, 'en') || METHODS.indexOf(a.method) - METHODS.indexOf(b.method));
  const schemas = createSchemas(componentNames(contracts, scopes));
  const paths: Record<string, SchemaJson> = {};
  for (const contract of contracts) {
    const operation = operationOf(contract, { contracts, schemas, recorded });
    paths[contract.path] = { ...paths[contract.path], [contract.method.toLowerCase()]: operation };
  }
  return {
    ...ABOUT,
    ...CATALOGUES,
    tags: tagsOf(contracts),
    paths,
    components: {
      schemas: { ...schemas.components(), ...ERROR_SCHEMAS },
      responses: ERROR_RESPONSES,
      parameters: { [IDEMPOTENCY_KEY]: SHARED_PARAMETERS[IDEMPOTENCY_KEY] },
      headers: SHARED_HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
};
