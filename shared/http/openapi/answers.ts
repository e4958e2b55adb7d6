/** Describes the answers of an operation: its own results, and a reference for each error status. */
import { type EndpointContract, NO_BODY } from '#shared/http/contract.ts';
import { answerableCodes } from '#shared/http/response/error-codes.ts';
import { header, json, rateLimit, requestId } from './answer-headers.ts';
import { refusedStatuses } from './error-answers.ts';
import { buildExample } from './examples.ts';
import type { SchemaJson, SchemaRegistry } from './json-schema.ts';
import { operationId } from './names.ts';

/** Most clients follow a redirect automatically and see this answer instead of the redirect. */
const FOLLOWED: SchemaJson = {
  description: 'The file in its own content type, for clients that follow the redirect automatically.',
  content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
};

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted and in progress.',
  302: 'The file is at `location`.',
  304: 'Unchanged since the version in `If-None-Match`.',
};

const successHeaders = (contract: EndpointContract, status: number): SchemaJson => ({
  ...requestId,
  ...(contract.responses[304] ? { etag: header('ETag') } : {}),
  ...(answerableCodes(contract).has('rate_limited') ? rateLimit : {}),
  ...(status === 302 ? { location: header('Location') } : {}),
});

/** Bodies that a running service returned, by operation id; bodies of events, by type. */
export type Recorded = Readonly<Record<string, unknown>>;

export const describeAnswers = (
  contract: EndpointContract,
  schemas: SchemaRegistry,
  recorded: Recorded,
): SchemaJson => {
  const successes = Object.entries(contract.responses).map(([status, schema]): [string, SchemaJson] => {
    const told = {
      description: DESCRIPTIONS[Number(status)] ?? 'Done.',
      headers: successHeaders(contract, Number(status)),
    };
    if (schema === NO_BODY) return [status, told];
    const body = schemas.of(schema);
    // A new operation has a generated example until its answer is recorded. A test reports the missing recording.
    const example = recorded[operationId(contract)] ?? buildExample(body, schemas.components());
    return [status, { ...told, content: json(body, { example }) }];
  });
  const followed = contract.responses[302] ? [['200', FOLLOWED] as [string, SchemaJson]] : [];
  return Object.fromEntries([...followed, ...successes, ...refusedStatuses(contract)]);
};
