/** Builds the OpenAPI 3.1.0 description of the service, derived from the contracts that validate its requests. Pure. */
import type { EndpointContract } from '#shared/http/contract.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { ABOUT, describeSecurity, describeTags, SECURITY_SCHEMES } from './about.ts';
import { SHARED_HEADERS } from './answer-headers.ts';
import { describeAnswers, type Recorded } from './answers.ts';
import { CATALOGUES } from './catalogues.ts';
import { ERROR_RESPONSES, ERROR_SCHEMAS, errorCodesText, listErrorCodes } from './error-answers.ts';
import { describeCallbacks, SUBSCRIBING } from './events.ts';
import { buildExample } from './examples.ts';
import { createSchemas, referenced, type SchemaJson, type SchemaRegistry } from './json-schema.ts';
import { describeLinks } from './links.ts';
import { componentNames, operationId } from './names.ts';
import { describeParameters, IDEMPOTENCY_KEY, SHARED_PARAMETERS } from './parameters.ts';

const bodyOf = (contract: EndpointContract, schemas: SchemaRegistry): SchemaJson => {
  if (contract.body === null) return {};
  const schema = schemas.of(contract.body);
  const example = buildExample(schema, schemas.components());
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
      const links = describeLinks(contract, content.schema, contracts, resolve);
      return [status, Object.keys(links).length > 0 ? { ...answer, links } : answer];
    }),
  );

interface DescriptionInput {
  contracts: readonly EndpointContract[];
  schemas: SchemaRegistry;
  recorded: Recorded;
}

const operationOf = (contract: EndpointContract, { contracts, schemas, recorded }: DescriptionInput): SchemaJson => {
  const parameters = describeParameters(contract, schemas);
  const body = bodyOf(contract, schemas);
  const answered = describeAnswers(contract, schemas, recorded);
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
    ...(operationId(contract) === SUBSCRIBING ? { callbacks: describeCallbacks(schemas, recorded) } : {}),
    security: describeSecurity(contract.auth),
    'x-error-codes': listErrorCodes(contract),
  };
};

/** True if the description contains the endpoint. The route of unknown paths and pages for people are excluded. */
export const isDescribed = ({ basePath, path }: EndpointContract): boolean =>
  basePath === '/api' && path.startsWith('/');

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** @param recorded answers of a running service, used as examples */
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
    tags: describeTags(contracts),
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
