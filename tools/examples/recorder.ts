/** Calls operations of a running stack by their ids in the description, and records the responses. */
import type { StackFile } from '#tools/local/stack-file.ts';

interface DescribedOperation {
  operationId: string;
  requestBody?: { content: { 'application/json': { example: unknown } } };
  security: Record<string, unknown>[];
}

interface CallTarget extends DescribedOperation {
  method: string;
  path: string;
}

export interface ExampleRequest {
  params?: Record<string, string>;
  query?: Record<string, string>;
  /** Body of the request; when absent, the description's own example is used. */
  body?: unknown;
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of every operation
export type ExampleBody = any;

export interface Recorder {
  /** Recorded response bodies by operation id, and event bodies by type. */
  readonly bodies: Record<string, ExampleBody>;
  /** Calls the operation and resolves with the response. Throws for a response that is not a success. */
  ask(operationId: string, asked?: ExampleRequest): Promise<ExampleBody>;
  /** Calls the operation as `ask` does, and stores the response as the operation's example. */
  record(operationId: string, asked?: ExampleRequest): Promise<ExampleBody>;
}

const targetsOf = (description: {
  paths: Record<string, Record<string, DescribedOperation>>;
}): Map<string, CallTarget> =>
  new Map(
    Object.entries(description.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): [string, CallTarget] => [
        operation.operationId,
        { ...operation, method: method.toUpperCase(), path },
      ]),
    ),
  );

const credentialFor = ({ security }: CallTarget, stack: StackFile): Record<string, string> => {
  if (security.length === 0) return {};
  return security.some((scheme) => 'apiKey' in scheme)
    ? { authorization: `Bearer ${stack.api_key}` }
    : { cookie: `sb-access-token=${stack.session}` };
};

const addressOf = ({ path }: CallTarget, { params = {}, query = {} }: ExampleRequest): string => {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name]!));
  const search = String(new URLSearchParams(query));
  return search === '' ? filled : `${filled}?${search}`;
};

export const createRecorder = async (stack: StackFile): Promise<Recorder> => {
  const targets = targetsOf((await (await fetch(`${stack.api}/openapi.json`)).json()) as never);
  const bodies: Record<string, ExampleBody> = {};
  const ask = async (operationId: string, asked: ExampleRequest = {}): Promise<ExampleBody> => {
    const target = targets.get(operationId);
    if (!target) throw new Error(`the description has no operation ${operationId}`);
    const body = asked.body ?? target.requestBody?.content['application/json'].example;
    const answer = await fetch(`${stack.api}${addressOf(target, asked)}`, {
      method: target.method,
      headers: {
        ...credentialFor(target, stack),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${operationId}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  return {
    bodies,
    ask,
    async record(operationId, asked) {
      const body = await ask(operationId, asked);
      bodies[operationId] = body;
      return body;
    },
  };
};
