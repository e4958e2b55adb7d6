/** A call built from an operation's own examples, by a caller with permission. */
import type { StackFile } from '#tools/local/stack-file.ts';
import { mediaOf, type Operation, resolved } from './description.ts';
import { credential } from './e2e-integrator.ts';

export interface Call {
  params: Record<string, string>;
  /** Without the question mark. */
  query: string;
  headers: Record<string, string>;
  body: string | undefined;
}

export interface Sent {
  status: number;
  headers: Headers;
  text: string;
  body: unknown;
}

export const examplesIn = (operation: Operation, place: string): Record<string, string> =>
  Object.fromEntries(
    (operation.parameters ?? [])
      .map(resolved)
      .filter((each) => each.in === place && each.example !== undefined)
      .map(({ name, example }) => [name!, String(example)]),
  );

const credentialFor = ({ security }: Operation, file: StackFile): Record<string, string> => {
  if (security.length === 0) return {};
  return credential(file, security.some((scheme) => 'apiKey' in scheme) ? 'key' : 'session');
};

/** Without optional parameters. */
export const callOf = (operation: Operation, params: Record<string, string>, file: StackFile): Call => {
  const example = mediaOf(operation.requestBody)?.example;
  return {
    params,
    query: '',
    headers: {
      ...credentialFor(operation, file),
      ...(example === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: example === undefined ? undefined : JSON.stringify(example),
  };
};

/** @param api ends in `/api` */
export const sendCall = async (api: string, { method, path }: Operation, call: Call): Promise<Sent> => {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(call.params[name]!));
  const response = await fetch(`${api}${filled}${call.query === '' ? '' : `?${call.query}`}`, {
    method,
    redirect: 'manual',
    headers: call.headers,
    ...(call.body === undefined ? {} : { body: call.body }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
};
